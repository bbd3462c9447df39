import { useLayoutEffect, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { OtherErrors, SchemaFields } from '../../components/schema-form.tsx'
import { type Draft, type Schema, getKind, listTypes, parseText, toText } from '../../components/schema.ts'
import { type Change, useChange } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { type AnyRecord, isRecord, singularize } from './labels.ts'

interface RecordDialogProps extends Pick<Change, 'error' | 'isBusy'> {
  readonly title: string
  /** The label of the button that submits. */
  readonly verb: string
  readonly schema: Schema
  readonly draft: Draft
  readonly set: (draft: Draft) => void
  readonly isReady: boolean
  readonly empty?: string
  readonly submit: () => unknown
  readonly onClose: () => void
}

/** Renders the fields of a record in a dialog; the first invalid one gets the focus. */
function RecordDialog({ title, verb, submit, onClose, isReady, isBusy, ...fields }: RecordDialogProps) {
  const { schema, error, empty = '' } = fields
  const names = Object.keys(schema.properties ?? {})
  useLayoutEffect(() => {
    document.querySelector<HTMLElement>('dialog[open] [aria-invalid=true]')?.focus()
  }, [error])
  const action = (
    <button type="submit" class="primary" disabled={isBusy || !isReady}>
      {verb}
    </button>
  )
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => void submit()} isWide actions={action}>
      {empty && <p class="hint">Empty fields are {empty} to match the others.</p>}
      <SchemaFields {...fields} />
      <OtherErrors error={error} names={names} />
    </Dialog>
  )
}

interface EditRecordProps {
  readonly operation: ListOperation
  readonly record: AnyRecord
  readonly onClose: () => void
}

/** Renders a dialog that changes fields of a record. */
export function EditRecord({ operation: { collection, item }, record: current, onClose }: EditRecordProps) {
  // The first version, so that updates do not overwrite edits.
  const [record] = useState(current)
  const schema = toFormSchema(item)
  const before = (name: string): string => toText(record[name])
  const names = Object.keys(schema.properties ?? {})
  const [draft, set] = useState<Draft>(() => Object.fromEntries(names.map((name) => [name, before(name)])))
  const { make, ...state } = useChange()
  const changed = names.filter((name) => draft[name] !== before(name))
  const param = { collection, id: String(record['id']) }
  const subject = `${singularize(collection)} ${param.id}`
  const json = parseFields(schema, draft, changed)
  const call = prepare('patch', routes.data[':collection'][':id'], { param, query: {}, json })
  const submit = async (): Promise<void> => {
    if (await make(call, `Changed ${subject}.`)) onClose()
  }
  const form = { schema, draft, set, submit, onClose, ...state }
  return <RecordDialog {...form} title={`Edit ${subject}`} verb="Save" isReady={changed.length > 0} />
}

interface NewRecordProps {
  readonly operation: ListOperation
  readonly member: CastMember
  /** The customer of the record, instead of the filters in the URL. */
  readonly given?: Draft
  readonly onClose: () => void
}

/** Renders a dialog that creates a record; missing fields are generated. */
export function NewRecord({
  operation,
  member: { id: memberId, organizationId },
  given,
  onClose,
}: NewRecordProps) {
  const { collection, item, pathNames } = operation
  const schema = toFormSchema(item, pathNames)
  const [draft, set] = useState<Draft>(() => ({
    ...(schema.properties?.['createdById'] && { createdById: `${memberId}` }),
    ...Object.fromEntries(pathNames.map((name) => [name, place.value.query.get(name) ?? ''])),
    ...given,
  }))
  const { make, ...state } = useChange()
  const filled = Object.keys(draft).filter((name) => draft[name] !== '')
  const json = parseFields(schema, draft, filled)
  const call = prepare('post', routes.data[':collection'], {
    param: { collection },
    query: { organizationId },
    json,
  })
  const submit = async (): Promise<void> => {
    let id: unknown
    const isMade = await make(call, (response) => {
      if (isRecord(response)) ({ id } = response)
      return `Created ${singularize(collection)} ${String(id)}.`
    })
    if (isMade) onClose()
    if (isMade && !given) show(linkTo('data', [collection, String(id)]))
  }
  const form = { schema, draft, set, submit, onClose, ...state }
  const title = `New ${singularize(collection)}`
  return <RecordDialog {...form} title={title} verb="Create" isReady empty="generated" />
}

/** Selects the fields that a form can edit, lists and objects as JSON; `others` are ids that the schema lacks. */
function toFormSchema({ properties = {} }: Schema, others: readonly string[] = []): Schema {
  const { id: _id, ...fields } = properties
  const ids = others.map((name): [string, Schema] => [name, { type: 'integer' }])
  const entries = Object.entries(fields)
  const simple = entries.filter((field) => !isNested(field))
  const nested = entries.filter(isNested).map(([name]): [string, Schema] => [name, { type: 'object' }])
  return { properties: Object.fromEntries([...ids, ...simple, ...nested]) }
}

const isNested = ([, schema]: readonly [string, Schema]): boolean =>
  listTypes(schema).some((type) => type === 'array' || type === 'object')

/** Converts the texts of some fields to values; an empty one that is not text becomes null. */
function parseFields({ properties = {} }: Schema, draft: Draft, names: readonly string[]): AnyRecord {
  const entries = names.map((name) => {
    const [text = '', schema = {}] = [draft[name], properties[name]]
    const isText = getKind(schema) === 'text' || getKind(schema) === 'choice'
    return [name, text === '' && !isText ? null : parseText(schema, text)]
  })
  return Object.fromEntries(entries)
}
