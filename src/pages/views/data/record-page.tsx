import { useState } from 'preact/hooks'

import { atRecord, prepare, prepareRecords, routes } from '../../client.ts'
import { formatNumber } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { useEscape } from '../../components/keys.ts'
import { toText, toWords } from '../../components/schema.ts'
import { Outcome, RequestLine } from '../../components/service.tsx'
import { Act, Button, Card, Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import { Fields } from './cell.tsx'
import { History, Undo, useRecordChange } from './changes.tsx'
import { fillPath, listPathNames, type RecordProps } from './contract.ts'
import {
  findCollection,
  formatCounts,
  getLabel,
  isRecord,
  pluralize,
  singularize,
  type AnyRecord,
} from './labels.ts'
import { RecordForm } from './record-form.tsx'
import { RecordsTable } from './records-table.tsx'

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
      <div class="row view-head">
        <h1>{record ? getLabel(record) : `${toWords(singularize(collection))} ${id}`}</h1>
        {record && (
          <>
            <p class="hint">
              {singularize(collection)} {id} of {toText(record['organizationId'])}
            </p>
            <Actions {...props} record={record} />
          </>
        )}
      </div>
      <Loaded state={state}>
        {(loaded) => (
          <>
            <Read {...props} record={loaded} />
            <Related {...props} record={loaded} />
          </>
        )}
      </Loaded>
      <History collection={collection} id={id} />
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
            <RequestLine path={path} token={token} response={response} />
            <Outcome response={response} />
            {response.status < 300 && isRecord(response.body) && <Fields record={response.body} />}
            <details>
              <summary>JSON</summary>
              <Json value={response.body} />
            </details>
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
  const text = (
    <>
      <p>
        This deletes <strong>{getLabel(record)}</strong> in this session
        {parts[collection] === undefined ? '.' : `, together with its ${parts[collection]}.`}
      </p>
      <p class="hint">You can undo this under Changes.</p>
    </>
  )
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
        ask={{ title: `Delete ${singularize(collection)} ${id}?`, verb: 'Delete', text }}
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

function Related({ operation: { collection }, operations, record }: RecordProps) {
  const id = String(record['id'])
  if (collection === 'customers') {
    const lists = operations.filter(({ item }) => item.properties?.['customerId'] !== undefined)
    return (
      <>
        {lists.map((list) => (
          <RelatedList key={list.id} name={list.collection} record={record} filter={{ customerId: id }} />
        ))}
        {['triggerLogs', 'actionLogs'].map((logs) => (
          <RelatedList key={logs} name={logs} record={record} filter={{ text: getLabel(record) }} />
        ))}
      </>
    )
  }
  const links = operations.flatMap(({ collection: other, pathNames, parameters }) => {
    // Skips parameters that only work together with another one.
    const alone = parameters.filter(({ description = '' }) => !description.includes('together'))
    const names = [...pathNames, ...alone.map(({ name }) => name)]
    return names.filter((name) => findCollection(name) === collection).map((name) => ({ other, name }))
  })
  if (links.length === 0) return null
  return (
    <Card title="Related">
      <ul>
        {links.map(({ other, name }) => (
          <li key={other + name}>
            <a href={linkTo('data', [other], { [name]: id })}>
              {toWords(other)} with this {name}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface RelatedListProps {
  readonly name: string
  readonly record: AnyRecord
  readonly filter: Readonly<Record<string, string>>
}

function RelatedList({ name, record, filter }: RelatedListProps) {
  const organizationId = String(record['organizationId'])
  const state = useRead(prepareRecords(name, { ...filter, organizationId, limit: '5' }))
  const { totalCount } = state.value ?? {}
  const count = totalCount === undefined ? '' : formatNumber(totalCount)
  const title = (
    <>
      {toWords(name)} <span class="hint">{count}</span>
    </>
  )
  return (
    <Card title={title}>
      <Loaded state={state}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{filter['text'] === undefined ? 'None.' : 'None mention this customer.'}</p>
          ) : (
            <>
              <RecordsTable
                collection={name}
                records={items}
                same={['customerId']}
                caption={pluralize(name)}
              />
              <p>
                <a href={linkTo('data', [name], filter)}>
                  All {count} {pluralize(name)}
                </a>
              </p>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
