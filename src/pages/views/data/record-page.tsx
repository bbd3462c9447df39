import { useState } from 'preact/hooks'

import { useRead, useChange } from '../../calls.ts'
import { atRecord, prepare, routes, prepareRecords } from '../../client.ts'
import { type Help, OtherErrors, SchemaFields } from '../../components/form.tsx'
import {
  toText,
  toWords,
  type Draft,
  type Schema,
  getKind,
  listTypes,
  parseDraft,
} from '../../components/schema.ts'
import { PreviewHead } from '../../components/service.tsx'
import { useEscape } from '../../components/table.tsx'
import { Tree } from '../../components/tree.tsx'
import { Dialog, Act, Button, Card, Folded, Loaded } from '../../components/ui.tsx'
import { linkTo, place, show, param } from '../../place.ts'
import { Fields } from './cell.tsx'
import { Undo, useRecordChange } from './changes.tsx'
import {
  fillPath,
  listPathNames,
  type RecordProps,
  findCollection,
  formatCounts,
  getLabel,
  isRecord,
  pluralize,
  singularize,
  type AnyRecord,
  listKnownWords,
} from './collections.ts'
import { History } from './history.tsx'

export function RecordPage({ id, ...props }: Omit<RecordProps, 'record'> & { id: string }) {
  const { collection } = props.operation
  const back = linkTo('data', [collection], place.value.query)
  const call = prepare('get', routes.data[':collection'][':id'], atRecord(collection, id))
  const state = useRead(call)
  const record = state.value
  useEscape(() => show(back))
  return (
    <>
      <p>
        <a href={back}>← {toWords(collection)}</a>
      </p>
      <div class="row is-apart">
        <span class="row">
          <h1>{record ? getLabel(record) : `${toWords(singularize(collection))} ${id}`}</h1>
          {record && (
            <span class="hint">
              {singularize(collection)} {id} of {toText(record['organizationId'])}
            </span>
          )}
        </span>
        {record && <Actions {...props} record={record} />}
      </div>
      <Loaded state={state}>
        {(loaded) => (
          <>
            <Read {...props} record={loaded} />
            <Related {...props} record={loaded} />
            <History collection={collection} id={id} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Read({ operation: { collection, reader = '' }, member, record }: RecordProps) {
  const { token, organizationId } = member
  const own = listPathNames(reader).at(-1) ?? ''
  const path = fillPath(reader, { ...record, [own]: record['id'], organizationId })
  const state = useRead(path ? prepare('post', routes.preview, { json: { path, token } }) : undefined)
  if (!path) {
    return (
      <Card title="As stored">
        <p class="hint">The service lists {pluralize(collection)}, but cannot read a single one.</p>
        <Fields record={record} />
      </Card>
    )
  }
  return (
    <Card title={`As seen by ${member.name}`}>
      <Loaded state={state}>
        {(response) => (
          <>
            <PreviewHead path={path} token={token} response={response} />
            {response.status < 300 && isRecord(response.body) && <Fields record={response.body} />}
            <Folded title="JSON">
              {() => <Tree value={response.body} subject="the response" collection={collection} />}
            </Folded>
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** The parts of a record that are deleted with it. */
const parts: Readonly<Record<string, string>> = {
  customers: 'signals, meetings, notes and brief contents',
  automations: 'child automations and logs',
  briefs: 'contents',
  products: 'metrics',
}

function Actions(props: RecordProps) {
  const { operation, operations, member, record } = props
  const { collection } = operation
  const [doing, setDoing] = useState<'edit' | 'note'>()
  const id = String(record['id'])
  const change = useRecordChange(collection, record['id'])
  const notes = operations.find((other) => other.collection === 'notes')
  const close = (): void => setDoing(undefined)
  const also = parts[collection] === undefined ? '' : `, together with its ${parts[collection]}`
  return (
    <div class="row">
      {change && <Undo change={change} />}
      {collection === 'customers' && <Button run={() => setDoing('note')}>Add note</Button>}
      <Button run={() => setDoing('edit')}>Edit</Button>
      <Act
        class="bad"
        call={prepare('delete', routes.data[':collection'][':id'], atRecord(collection, id))}
        done={({ deleted }) => `Deleted ${formatCounts(deleted)}.`}
        after={() => show(linkTo('data', [collection]), 'replace')}
        ask={{
          verb: `Delete ${singularize(collection)} ${id}`,
          text: `This deletes ${getLabel(record)} in this session${also}. You can undo this under Changes.`,
        }}
      >
        Delete
      </Act>
      {doing === 'edit' && <RecordForm operation={operation} member={member} record={record} close={close} />}
      {doing === 'note' && notes && (
        <RecordForm operation={notes} member={member} given={{ customerId: id }} close={close} />
      )}
    </div>
  )
}

/** Links the lists of what belongs to a record. */
function Related({ operation: { collection }, operations, record }: RecordProps) {
  const id = String(record['id'])
  const links = operations.flatMap(({ collection: other, pathNames, parameters, item }) => {
    // Skips parameters that only work together with another one.
    const alone = parameters.filter(({ description = '' }) => !description.includes('together'))
    const own = item.properties?.['customerId'] === undefined ? [] : ['customerId']
    // A path with several ids takes more than this record.
    const ofPath = pathNames.length === 1 ? pathNames : []
    const names = new Set([...ofPath, ...own, ...alone.map(({ name }) => name)])
    return [...names].filter((name) => findCollection(name) === collection).map((name) => ({ other, name }))
  })
  if (links.length === 0) return null
  return (
    <Card title="Related">
      <p class="row">
        {links.map(({ other, name }) => (
          <a key={other + name} href={linkTo('data', [other], { [name]: id })}>
            {toWords(other)} with this {name}
          </a>
        ))}
      </p>
    </Card>
  )
}

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
  const schema = toFormSchema(item, record ? [] : pathNames, record ? [] : ['id'])
  const names = Object.keys(schema.properties ?? {})
  // The first version, so that updates do not overwrite edits.
  const [initial] = useState((): Draft => {
    if (record) return Object.fromEntries(names.map((name) => [name, toText(record[name])]))
    const author = names.includes('createdById') && { createdById: `${member.id}` }
    // A new record matches the list from which it was opened.
    const filters = names.filter((name) => param(name) !== '').map((name) => [name, param(name)] as const)
    return { ...author, ...Object.fromEntries(filters), ...given }
  })
  const [draft, set] = useState(initial)
  /** The id of the record that was created last. */
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
    if (!given) show(linkTo('data', [collection, id], place.peek().query))
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

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const toIds = (names: readonly string[]) => names.map((name) => [name, { type: 'integer' }] as const)

const isNested = (schema: Schema): boolean =>
  listTypes(schema).some((type) => type === 'array' || type === 'object')

/** Selects the fields that a form can edit, lists and objects as JSON, between ids that only new records take. */
function toFormSchema(
  { properties = {} }: Schema,
  first: readonly string[],
  last: readonly string[],
): Schema {
  const { id: _id, ...fields } = properties
  const entries = Object.entries(fields)
  const nested = entries.filter(([, schema]) => isNested(schema))
  return {
    properties: Object.fromEntries([
      ...toIds(first),
      ...entries.filter(([, schema]) => !isNested(schema)),
      ...nested.map(([name]) => [name, { type: 'object' }] as const),
      ...toIds(last),
    ]),
  }
}
