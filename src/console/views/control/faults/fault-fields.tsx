import type { ComponentType } from 'preact'

import { Input, type InputProps, Select } from '../../../components/form.tsx'
import { type DraftProps, type Effect, type Extra, type FaultDraft, effects, allows } from './fault-draft.ts'
import { malfunctionLabels } from './fault-text.ts'
import { OperationSelect, useOperations } from './operations.tsx'
import { useProfiles } from './profiles.tsx'

/** Renders the fields that select the requests of a fault. */
export function FaultTarget({ draft, set, error }: DraftProps) {
  const targets = useOperations().filter(({ id }) => draft.operationId === '' || id === draft.operationId)
  const methods = targets.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return (
    <fieldset class="control-fields">
      <legend>Matching requests</legend>
      <OperationSelect
        label="Operation"
        value={draft.operationId}
        set={(operationId) => set({ operationId, method: '', path: '' })}
      />
      <Select
        label="Method"
        value={draft.method}
        set={(method) => set({ method })}
        options={{ '': 'any method', ...Object.fromEntries(methods.map((method) => [method, method])) }}
      />
      <div class="control-wide">
        <FaultInput
          draft={draft}
          set={set}
          error={error}
          of="path"
          label="Path"
          placeholder="any path"
          proposals={[...new Set(targets.map(({ path }) => path))]}
          hint="As documented: {customerId} matches any value, 12 only itself."
        />
      </div>
    </fieldset>
  )
}

/** Renders the fields of a fault's effect, only those that can be combined. */
export function EffectFields(props: DraftProps) {
  const { draft, set } = props
  const OutcomeFields = outcomeFields[draft.effect]
  return (
    <fieldset class="control-fields">
      <legend>Effect</legend>
      <Select
        label="Outcome"
        value={draft.effect}
        set={(effect) => set({ effect: parseEffect(effect) })}
        options={effects}
      />
      <OutcomeFields {...props} />
      <FaultInput {...props} of="retryAfterSeconds" extra="retryAfterSeconds" label="Retry-After (s)" />
      <FaultInput
        {...props}
        of="delayFrom"
        name="delayMs"
        extra="delayMs"
        label="Delay (ms)"
        placeholder="0"
      />
      <FaultInput
        {...props}
        of="delayTo"
        name="delayMs.max"
        extra="delayMs"
        label="Delay up to (ms)"
        placeholder="same as delay"
      />
      {allows(draft, 'stored') && (
        <label>
          <input
            type="checkbox"
            checked={draft.stored}
            onChange={({ currentTarget }) => set({ stored: currentTarget.checked })}
          />{' '}
          Process the request first
        </label>
      )}
      <div class="control-wide">
        <FaultInput
          {...props}
          of="headers"
          extra="headers"
          label="Headers"
          rows={2}
          placeholder="X-Request-Id: 7"
        />
        <FaultInput
          {...props}
          of="body"
          extra="body"
          label="Body"
          rows={3}
          placeholder="default problem document"
          hint="JSON. Anything else is sent as text."
        />
      </div>
    </fieldset>
  )
}

const parseEffect = (name: string): Effect =>
  Object.keys(effects).find((known): known is Effect => known === name) ?? 'status'

const outcomeFields: Readonly<Record<Effect, ComponentType<DraftProps>>> = {
  status: (props) => <FaultInput {...props} of="status" label="Status" />,
  sequence: SequenceFields,
  rateLimit: (props) => (
    <>
      <FaultInput {...props} of="requests" name="rateLimit.requests" label="Requests" />
      <FaultInput {...props} of="windowSeconds" name="rateLimit.windowSeconds" label="Window (s)" />
    </>
  ),
  malfunction: ({ draft, set }) => (
    <Select
      label="Malfunction"
      value={draft.malfunction}
      set={(malfunction) => set({ malfunction })}
      options={malfunctionLabels}
    />
  ),
  profile: ProfileField,
  none: () => null,
}

function ProfileField({ draft, set }: DraftProps) {
  const names = useProfiles().map(({ name }) => [name, name] as const)
  return (
    <Select
      label="Profile"
      value={draft.profile}
      set={(profile) => set({ profile })}
      options={Object.fromEntries(names)}
    />
  )
}

function SequenceFields(props: DraftProps) {
  const { draft, set } = props
  return (
    <>
      <FaultInput
        {...props}
        of="sequence"
        label="Steps"
        hint={`Statuses, pass, or ${Object.keys(malfunctionLabels).join(', ')}.`}
      />
      <label>
        <input
          type="checkbox"
          checked={draft.repeat}
          onChange={({ currentTarget }) => set({ repeat: currentTarget.checked })}
        />{' '}
        Repeat
      </label>
    </>
  )
}

type TextKey = { [K in keyof FaultDraft]: FaultDraft[K] extends string ? K : never }[keyof FaultDraft]

interface FaultInputProps
  extends DraftProps, Pick<InputProps, 'label' | 'placeholder' | 'hint' | 'rows' | 'proposals'> {
  readonly of: Exclude<TextKey, 'effect'>
  /** The field's name in validation errors; by default as in the draft. */
  readonly name?: string
  /** Shows the field only if this setting is allowed. */
  readonly extra?: Extra
}

/** Renders a field of a draft; nothing if the rest of the draft does not allow it. */
export function FaultInput({ draft, set, of, name = of, extra, ...rest }: FaultInputProps) {
  if (extra !== undefined && !allows(draft, extra)) return null
  return <Input {...rest} name={name} value={draft[of]} set={(value) => set({ [of]: value })} />
}
