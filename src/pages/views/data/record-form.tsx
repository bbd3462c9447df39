import { useRef, useState } from 'preact/hooks'

import { atRecord, prepare, prepareRecords, routes } from '../../client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { type Help, OtherErrors, SchemaFields, useFocusInvalid } from '../../components/form.tsx'
import { type Draft, type Schema, getKind, listTypes, parseText, toText } from '../../components/schema.ts'
import { useChange, useRead } from '../../components/use-calls.ts'
import { linkTo, param, show } from '../../place.ts'
import type { RecordProps } from './contract.ts'
import { type AnyRecord, isRecord, listKnownWords, singularize } from './labels.ts'

interface RecordFormProps extends Pick<RecordProps, 'operation' | 'member'> {
  /** The record to edit; undefined to create one. */
  readonly record?: AnyRecord
  /** The values of a new record, instead of the filters in the URL. */
  readonly given?: Draft
  readonly close: () => void
}

/** Renders a dialog that edits a record, or creates one, whose empty fields are generated. */
export function RecordForm({ operation, member, record, given, close }: RecordFormProps) {
  const { collection, item, pathNames } = operation
  const { organizationId } = member
  const schema = toFormSchema(item, record ? [] : ['id', ...pathNames])
  const names = Object.keys(schema.properties ?? {})
  // The first version, so that updates do not overwrite edits.
  const [initial] = useState((): Draft => {
    if (record) return Object.fromEntries(names.map((name) => [name, toText(record[name])]))
    const author = names.includes('createdById') && { createdById: `${member.id}` }
    return { ...author, ...Object.fromEntries(pathNames.map((name) => [name, param(name)])), ...given }
  })
  const [draft, set] = useState(initial)
  const others = useRead(prepareRecords(collection, { organizationId, limit: '250' })).value?.items ?? []
  const { make, isBusy, error } = useChange()
  const fields = useRef<HTMLDivElement>(null)
  useFocusInvalid(fields, error)
  const entered = names.filter((name) => (record ? draft[name] !== initial[name] : draft[name]))
  const json = parseFields(schema, draft, entered)
  const subject = singularize(collection)
  const edit = async (id: unknown): Promise<void> => {
    const call = prepare('patch', routes.data[':collection'][':id'], { ...atRecord(collection, id), json })
    if (await make(call, `Changed ${subject} ${String(id)}.`)) close()
  }
  const create = async (): Promise<void> => {
    let id = ''
    const isMade = await make(
      prepare('post', routes.data[':collection'], { param: { collection }, query: { organizationId }, json }),
      (made) => `Created ${subject} ${(id = isRecord(made) ? toText(made['id']) : '')}.`,
    )
    if (isMade) close()
    if (isMade && !given) show(linkTo('data', [collection, id]))
  }
  const help = names.map((name): readonly [string, Help] => {
    const kind = getKind(schema.properties?.[name] ?? {})
    // An example of the same shape, since JSON is hard to guess.
    const example = others.map((one) => one[name]).find((one) => isFilled(one))
    if (kind === 'json') return [name, { placeholder: `for example ${toText(example)}` }]
    return [name, kind === 'text' ? { proposals: listKnownWords(others, name) } : {}]
  })
  return (
    <Dialog
      title={record ? `Edit ${subject} ${toText(record['id'])}` : `New ${subject}`}
      onClose={close}
      onSubmit={() => (record ? edit(record['id']) : create())}
      verb={record ? 'Save' : 'Create'}
      isDisabled={isBusy || (record !== undefined && entered.length === 0)}
    >
      <div ref={fields}>
        {!record && <p class="hint">Empty fields are generated to match the others.</p>}
        <SchemaFields
          {...{ schema, names, draft, set, error }}
          help={Object.fromEntries(help)}
          empty={record ? '' : 'generated'}
        />
        <OtherErrors error={error} names={names} />
        {entered.map((name) => {
          const known = listKnownWords(others, name)
          const isUnusual = known.length > 0 && !known.includes(draft[name] ?? '')
          return (
            isUnusual && (
              <output key={name} class="warn">
                No {subject} has this {name} yet. Others have {known.join(', ')}.
              </output>
            )
          )
        })}
      </div>
    </Dialog>
  )
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const isNested = (schema: Schema): boolean =>
  listTypes(schema).some((type) => type === 'array' || type === 'object')

/** Selects the fields that a form can edit, lists and objects as JSON; `ids` are those that only new records take. */
function toFormSchema({ properties = {} }: Schema, ids: readonly string[]): Schema {
  const { id: _id, ...fields } = properties
  const entries = Object.entries(fields)
  const nested = entries.filter(([, schema]) => isNested(schema))
  return {
    properties: Object.fromEntries([
      ...ids.map((name) => [name, { type: 'integer' }] as const),
      ...entries.filter(([, schema]) => !isNested(schema)),
      ...nested.map(([name]) => [name, { type: 'object' }] as const),
    ]),
  }
}

/** Converts the texts of some fields to values; an empty one that is not text becomes null. */
function parseFields({ properties = {} }: Schema, draft: Draft, names: readonly string[]): AnyRecord {
  const entries = names.map((name) => {
    const [text = '', schema = {}] = [draft[name], properties[name]]
    const isText = getKind(schema) === 'text' || getKind(schema) === 'choice'
    return [name, text === '' && !isText ? null : parseText(schema, text)]
  })
  return Object.fromEntries(entries)
}
