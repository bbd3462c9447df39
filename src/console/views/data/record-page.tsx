import { useState } from 'preact/hooks'

import { atRecord, castResponse, prepare, routes } from '../../client.ts'
import { Json } from '../../components/json.tsx'
import { useEscape } from '../../components/keys.ts'
import { toWords } from '../../components/schema.ts'
import { Outcome, RequestLine } from '../../components/service.tsx'
import { Act, Button, Card, Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import { Fields } from './cell.tsx'
import { Difference, History, Undo, useRecordChange } from './changes.tsx'
import { type RecordProps, fillPath, listPathNames } from './contract.ts'
import { type AnyRecord, formatCounts, getLabel, isRecord, pluralize, singularize } from './labels.ts'
import { RecordForm } from './record-form.tsx'
import { Related } from './related.tsx'
import { WhoSees } from './who-sees.tsx'

/** Renders a record as a member sees it, who else sees it, related records and actions. */
export function RecordPage({ id, ...props }: Omit<RecordProps, 'record'> & { readonly id: string }) {
  const { collection } = props.operation
  const back = linkTo('data', [collection], place.value.query)
  const call = prepare('get', routes.data[':collection'][':id'], atRecord(collection, id))
  const state = useRead(castResponse<AnyRecord>(call))
  const record = state.value
  useEscape(() => show(back))
  return (
    <>
      <p>
        <a href={back}>← {toWords(collection)}</a>
      </p>
      <div class="row data-head">
        <h1>{record ? getLabel(record) : `${toWords(singularize(collection))} ${id}`}</h1>
        {record && (
          <>
            <p class="hint">
              {singularize(collection)} {id} of {String(record['organizationId'])}
            </p>
            <Actions {...props} record={record} />
          </>
        )}
      </div>
      <Loaded state={state}>{(loaded) => <Content {...props} record={loaded} />}</Loaded>
      <History collection={collection} id={id} />
    </>
  )
}

function Content(props: RecordProps) {
  const { operation, record } = props
  const change = useRecordChange(operation.collection, record['id'])
  return (
    <div class="data-record">
      <div>
        {change && (
          <Card title={`${toWords(change.kind)} in this session`}>
            <Difference change={change} />
          </Card>
        )}
        <Read {...props} />
      </div>
      <WhoSees {...props} />
      <div>
        <Related {...props} />
      </div>
    </div>
  )
}

/** Renders the service's response for a record, or the stored record if no operation reads it. */
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

/** Renders the buttons that change a record. */
function Actions({ operation, operations, member, record }: RecordProps) {
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
        class="danger"
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
