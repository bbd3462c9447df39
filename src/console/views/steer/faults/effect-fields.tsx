import type { ComponentType } from 'preact'

import { Select } from '../../../parts/select.tsx'
import { type Effect, effects, hasRoom } from './fault-draft.ts'
import type { DraftProps } from './fault-form.tsx'
import { FaultInput } from './fault-input.tsx'
import { malfunctionTexts } from './fault-text.ts'
import { useProfiles } from './profiles.tsx'

/** What a fault does: only what can stand together is offered. */
export function EffectFields(props: DraftProps) {
  const { draft, set } = props
  const OutcomeFields = outcomeFields[draft.effect]
  return (
    <fieldset class="steer-fields">
      <legend>What happens</legend>
      <Select
        label="Outcome"
        value={draft.effect}
        set={(effect) => set({ effect: effectNamed(effect) })}
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
        placeholder="the same"
      />
      {hasRoom(draft, 'stored') && (
        <label>
          <input
            type="checkbox"
            checked={draft.stored}
            onChange={({ currentTarget }) => set({ stored: currentTarget.checked })}
          />{' '}
          carry the request out first
        </label>
      )}
      <div class="steer-wide">
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
          placeholder="a problem document that fits"
          hint="JSON; what does not read as JSON is sent as text."
        />
      </div>
    </fieldset>
  )
}

const effectNamed = (name: string): Effect =>
  Object.keys(effects).find((known): known is Effect => known === name) ?? 'status'

const outcomeFields: Readonly<Record<Effect, ComponentType<DraftProps>>> = {
  status: (props) => <FaultInput {...props} of="status" label="Status" />,
  sequence: SequenceFields,
  rateLimit: (props) => (
    <>
      <FaultInput {...props} of="requests" name="rateLimit.requests" label="Requests" />
      <FaultInput {...props} of="windowSeconds" name="rateLimit.windowSeconds" label="In seconds" />
    </>
  ),
  malfunction: ({ draft, set }) => (
    <Select
      label="Malfunction"
      value={draft.malfunction}
      set={(malfunction) => set({ malfunction })}
      options={malfunctionTexts}
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
        hint={`Statuses, pass, or ${Object.keys(malfunctionTexts).join(', ')}.`}
      />
      <label>
        <input
          type="checkbox"
          checked={draft.repeat}
          onChange={({ currentTarget }) => set({ repeat: currentTarget.checked })}
        />{' '}
        again and again
      </label>
    </>
  )
}
