import { useLayoutEffect, useState } from 'preact/hooks'

import { castBody, prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Input } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { parseJson } from '../../components/response.tsx'
import { OtherErrors, SchemaFields } from '../../components/schema-form.tsx'
import { type Draft, type Schema, getKind, parseText, toText } from '../../components/schema.ts'
import { Tabs } from '../../components/tabs.tsx'
import { useChange } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { type AnyRecord, isRecord, singularize } from './labels.ts'

/** The ways to edit a record. Order: as shown. */
const ways = [
  { name: 'fields', label: 'Fields' },
  { name: 'json', label: 'JSON' },
] as const

interface EditRecordProps {
  readonly operation: ListOperation
  readonly record: AnyRecord
  readonly onClose: () => void
}

/** Renders a dialog that changes fields of a record, or replaces it by JSON. */
export function EditRecord({ operation: { collection, item }, record: current, onClose }: EditRecordProps) {
  // The first version, so that updates do not overwrite edits.
  const [record] = useState(current)
  const names = listEditable(item, record)
  const [way, setWay] = useState<(typeof ways)[number]['name']>('fields')
  const [draft, setDraft] = useState<Draft>(() =>
    Object.fromEntries(names.map((name) => [name, toText(record[name])])),
  )
  const [json, setJson] = useState(() => JSON.stringify(record, undefined, 2))
  const { make, isBusy, error, forget } = useChange()
  useInvalidFocus(error)
  const changed = names.filter((name) => draft[name] !== toText(record[name]))
  const parsed = parseJson(json)
  const param = { collection, id: String(record['id']) }
  const route = routes.data[':collection'][':id']
  const call =
    way === 'fields'
      ? prepare('patch', route, { param, query: {}, json: parseFields(item, draft, changed) })
      : prepare('put', route, { param, query: {}, json: castBody(parsed?.json) })
  const isReady = way === 'fields' ? changed.length > 0 : parsed !== undefined
  const subject = `${singularize(collection)} ${param.id}`
  const save = async (): Promise<void> => {
    if (isReady && (await make(call, `Changed ${subject}.`))) onClose()
  }
  const choose = (chosen: typeof way): void => {
    forget()
    setWay(chosen)
  }
  return (
    <Dialog
      title={`Edit ${subject}`}
      onClose={onClose}
      onSubmit={() => void save()}
      isWide
      actions={
        <button type="submit" class="primary" disabled={isBusy || !isReady}>
          Save
        </button>
      }
    >
      <Tabs label="Edit as" tabs={ways} chosen={way} onChoose={choose}>
        {way === 'fields' ? (
          <>
            <SchemaFields schema={item} names={names} draft={draft} set={setDraft} error={error} />
            <OtherErrors error={error} names={names} />
          </>
        ) : (
          <>
            <Input
              label="JSON"
              name="json"
              rows={18}
              value={json}
              hint={
                parsed ? 'Replaces the record. Fields that you omit are generated.' : 'Not valid JSON yet.'
              }
              set={setJson}
            />
            <Problem error={error} />
          </>
        )}
      </Tabs>
    </Dialog>
  )
}

interface NewRecordProps {
  readonly operation: ListOperation
  readonly member: CastMember
  /** Initial values of the record. */
  readonly given?: Draft
  readonly onClose: () => void
}

/** Renders a dialog that creates a record; missing fields are generated. */
export function NewRecord({
  operation: { collection, item, pathNames },
  member,
  given,
  onClose,
}: NewRecordProps) {
  const names = listEditable(item, {})
  const { id: memberId, organizationId } = member
  const { query } = place.value
  const [draft, setDraft] = useState<Draft>({
    ...Object.fromEntries(pathNames.map((name) => [name, query.get(name) ?? ''])),
    createdById: `${memberId}`,
    ...given,
  })
  const { make, isBusy, error } = useChange()
  useInvalidFocus(error)
  const filled = Object.keys(draft).filter((name) => (draft[name] ?? '') !== '' && isKnown(name))
  const create = async (): Promise<void> => {
    let id: unknown
    const json = parseFields(item, draft, filled)
    const call = prepare('post', routes.data[':collection'], {
      param: { collection },
      query: { organizationId },
      json,
    })
    const isMade = await make(call, (response) => {
      if (isRecord(response)) ({ id } = response)
      return `Created ${singularize(collection)} ${String(id)}.`
    })
    if (!isMade) return
    onClose()
    if (!given) show(linkTo('data', [collection, String(id)]))
  }
  function isKnown(name: string): boolean {
    return names.includes(name) || pathNames.includes(name)
  }
  return (
    <Dialog
      title={`New ${singularize(collection)}`}
      onClose={onClose}
      onSubmit={() => void create()}
      isWide
      actions={
        <button type="submit" class="primary" disabled={isBusy}>
          Create
        </button>
      }
    >
      <p class="hint">Empty fields are generated to match the others.</p>
      <SchemaFields
        schema={item}
        names={names}
        draft={draft}
        set={setDraft}
        error={error}
        empty="generated"
      />
      <OtherErrors error={error} names={names} />
    </Dialog>
  )
}

/** Lists the fields that hold text, numbers or booleans. Order: as documented, in a record of unknown schema as there. */
function listEditable({ properties = {} }: Schema, record: AnyRecord): readonly string[] {
  const names = Object.keys(properties).filter((name) => {
    const schema = properties[name]
    return name !== 'id' && schema && !['group', 'json', 'map', 'list'].includes(getKind(schema))
  })
  return names.length > 0 ? names : Object.keys(record)
}

/** Converts the texts of some fields to values; an empty one that is not text becomes null. */
function parseFields({ properties = {} }: Schema, draft: Draft, names: readonly string[]): AnyRecord {
  const entries = names.map((name) => {
    const text = draft[name] ?? ''
    const schema = properties[name] ?? { type: 'integer' }
    const isText = ['text', 'choice'].includes(getKind(schema))
    return [name, text === '' && !isText ? null : parseText(schema, text)]
  })
  return Object.fromEntries(entries)
}

/** Moves the focus to the first invalid field. */
function useInvalidFocus(error: unknown): void {
  useLayoutEffect(() => {
    document.querySelector<HTMLElement>('dialog[open] [aria-invalid=true]')?.focus()
  }, [error])
}
