import { useState } from 'preact/hooks'

import { useChange, useRead } from '../../calls.ts'
import { atRecord, prepare, prepareRecords, routes } from '../../client.ts'
import { type Help, OtherErrors, SchemaFields } from '../../components/form.tsx'
import { type Draft, type Schema, getKind, isScalar, parseDraft, toText } from '../../components/schema.ts'
import { Button, Dialog } from '../../components/ui.tsx'
import { linkTo, param, place, show } from '../../place.ts'
import { type AnyRecord, type RecordProps, isRecord, listKnownWords, singularize } from './collections.ts'

interface RecordFormProps extends Pick<RecordProps, 'operation' | 'member'> {
  readonly record?: AnyRecord
  readonly close: () => void
}

export function RecordForm({ operation, member, record, close }: RecordFormProps) {
  const { collection, item, pathNames } = operation
  const { organizationId } = member
  const schema = toFormSchema(item, record ? [] : pathNames, record ? [] : ['id'])
  const names = Object.keys(schema.properties ?? {})
  // The first version, so that updates do not overwrite edits.
  const [initial] = useState((): Draft => {
    if (record) return Object.fromEntries(names.map((name) => [name, toText(record[name])]))
    const author = names.includes('createdById') && { createdById: `${member.id}` }
    // A new record matches the list from which it was opened.
    const filters = names.filter((name) => param(name) !== '').map((name) => [name, param(name)] as const)
    return { ...author, ...Object.fromEntries(filters) }
  })
  const [draft, set] = useState(initial)
  const [latest, setLatest] = useState('')
  const others = useRead(prepareRecords(collection, { organizationId, limit: '250' })).value?.items ?? []
  const { make, isBusy, error } = useChange()
  const entered = names.filter((name) => (record ? draft[name] !== initial[name] : draft[name]))
  const texts = Object.fromEntries(entered.map((name) => [name, draft[name] ?? '']))
  const json = parseDraft(schema, texts, entered)
  const subject = singularize(collection)
  const edit = async (id: unknown): Promise<void> => {
    const call = prepare('patch', routes.data[':collection'][':id'], { ...atRecord(collection, id), json })
    if (await make(call, `Changed ${subject} ${String(id)}.`)) close()
  }
  const create = async (isLast: boolean): Promise<void> => {
    let id = ''
    const isMade = await make(
      prepare('post', routes.data[':collection'], { param: { collection }, query: { organizationId }, json }),
      (made) => `Created ${subject} ${(id = isRecord(made) ? toText(made['id']) : '')}.`,
    )
    if (!isMade) return
    setLatest(id)
    set({ ...draft, id: '' })
    if (!isLast) return
    close()
    // With the filters of the list, for the way back.
    show(linkTo('data', [collection, id], place.peek().query))
  }
  const help = names.map((name): readonly [string, Help] => {
    const kind = getKind(schema.properties?.[name] ?? {})
    // An example of the same shape, since JSON is hard to guess.
    const example = others.map((one) => one[name]).find((value) => Object.keys(Object(value)).length > 0)
    if (kind === 'json') return [name, { placeholder: `for example ${toText(example)}` }]
    return [name, kind === 'text' ? { proposals: listKnownWords(others, name) } : {}]
  })
  return (
    <Dialog
      title={record ? `Edit ${subject} ${toText(record['id'])}` : `New ${subject}`}
      verb={record ? 'Save' : 'Create'}
      isDisabled={isBusy || (record !== undefined && entered.length === 0)}
      submit={() => (record ? edit(record['id']) : create(true))}
      more={!record && <Button run={() => create(false)}>Create and add another</Button>}
      {...{ error, close }}
    >
      {!record && (
        <output class="hint">
          {latest && `Created ${subject} ${latest}. `}Empty fields are generated to match the others.
        </output>
      )}
      <SchemaFields
        {...{ schema, names, draft, set, error }}
        help={Object.fromEntries(help)}
        empty={record ? '' : 'generated'}
      />
      <OtherErrors error={error} names={names} />
    </Dialog>
  )
}

const toIds = (names: readonly string[]) => names.map((name) => [name, { type: 'integer' }] as const)

/** Selects the fields that a form can edit, lists and objects as JSON, between ids that only new records take. */
function toFormSchema(
  { properties = {} }: Schema,
  first: readonly string[],
  last: readonly string[],
): Schema {
  const { id: _id, ...fields } = properties
  const all = Object.entries(fields)
  const flat = all.filter(([, schema]) => isScalar(schema))
  const nested = all
    .filter(([, schema]) => !isScalar(schema))
    .map(([name]) => [name, { type: 'object' }] as const)
  return { properties: Object.fromEntries([...toIds(first), ...flat, ...nested, ...toIds(last)]) }
}
