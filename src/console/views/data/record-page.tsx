import { useEffect, useState } from 'preact/hooks'

import { castResponse, prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Json } from '../../components/json.tsx'
import { Card } from '../../components/layout.tsx'
import { Loaded, Problem } from '../../components/problem.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import { Fields } from './cell.tsx'
import { Difference, Undo, useRecordChange } from './changes.tsx'
import { type ListOperation, fillPath, listPathNames } from './contract.ts'
import { History } from './history.tsx'
import {
  type AnyRecord,
  formatCounts,
  formatTitle,
  getLabel,
  isRecord,
  pluralize,
  singularize,
} from './labels.ts'
import { EditRecord, NewRecord } from './record-form.tsx'
import { Related } from './related.tsx'
import { Outcome, RequestLine } from './service-response.tsx'
import { WhoSees } from './who-sees.tsx'

interface RecordPageProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly member: CastMember
  readonly id: string
}

/** Renders a record as a member sees it, who else sees it, related records and actions. */
export function RecordPage(props: RecordPageProps) {
  const { collection } = props.operation
  const { id } = props
  const back = linkTo('data', [collection], place.value.query)
  const state = useRead(
    castResponse<AnyRecord>(
      prepare('get', routes.data[':collection'][':id'], { param: { collection, id }, query: {} }),
    ),
  )
  const record = state.value
  useEscape(back)
  return (
    <>
      <p>
        <a href={back}>← {formatTitle(collection)}</a>
      </p>
      <div class="row data-head">
        <h1>{record ? getLabel(record) : `${formatTitle(singularize(collection))} ${id}`}</h1>
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

/** Leads back to the list on Escape, unless that closes something. */
function useEscape(back: string): void {
  useEffect(() => {
    const press = ({ key, defaultPrevented }: KeyboardEvent): void => {
      const isOver = document.querySelector('dialog[open], :popover-open') !== null
      if (key === 'Escape' && !defaultPrevented && !isOver) show(back)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [back])
}

interface ShownRecordProps extends RecordPageProps {
  readonly record: AnyRecord
}

function Content(props: ShownRecordProps) {
  const { operation, member, record } = props
  const change = useRecordChange(operation.collection, record['id'])
  return (
    <div class="data-record">
      <div>
        {change && (
          <Card title={`${formatTitle(change.kind)} in this session`}>
            <Difference change={change} />
          </Card>
        )}
        <Read {...props} />
      </div>
      <WhoSees operation={operation} member={member} record={record} />
      <div>
        <Related {...props} />
      </div>
    </div>
  )
}

/** Renders the service's response for a record, or the stored record if no operation reads it. */
function Read({ operation: { collection, reader }, member, record }: ShownRecordProps) {
  const own = listPathNames(reader ?? '').at(-1) ?? ''
  const values = { ...record, [own]: record['id'], organizationId: member.organizationId }
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)])
  const path = reader && fillPath(reader, Object.fromEntries(texts))
  const { token } = member
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
function Actions({ operation, operations, member, record }: ShownRecordProps) {
  const { collection } = operation
  const [doing, setDoing] = useState<'edit' | 'delete' | 'note'>()
  const { make, isBusy, error } = useChange()
  const change = useRecordChange(collection, record['id'])
  const notes = operations.find((other) => other.collection === 'notes')
  const close = (): void => setDoing(undefined)
  const id = String(record['id'])
  const remove = async (): Promise<void> => {
    const call = prepare('delete', routes.data[':collection'][':id'], {
      param: { collection, id },
      query: {},
    })
    const isGone = await make(call, ({ deleted }) => `Deleted ${formatCounts(deleted)}.`)
    if (isGone) show(linkTo('data', [collection]), 'replace')
  }
  return (
    <div class="row data-actions">
      {change && <Undo change={change} />}
      {collection === 'customers' && (
        <button type="button" onClick={() => setDoing('note')}>
          Add note
        </button>
      )}
      <button type="button" onClick={() => setDoing('edit')}>
        Edit
      </button>
      <button type="button" class="danger" disabled={isBusy} onClick={() => setDoing('delete')}>
        Delete
      </button>
      <Problem error={error} />
      {doing === 'edit' && <EditRecord operation={operation} record={record} onClose={close} />}
      {doing === 'delete' && (
        <Confirm
          title={`Delete ${singularize(collection)} ${id}?`}
          verb="Delete"
          confirm={remove}
          close={close}
        >
          <p>
            This deletes <strong>{getLabel(record)}</strong> in this session
            {parts[collection] === undefined ? '.' : `, together with its ${parts[collection]}.`}
          </p>
          <p class="hint">You can undo this under Changes.</p>
        </Confirm>
      )}
      {doing === 'note' && notes && (
        <NewRecord operation={notes} member={member} given={{ customerId: id }} onClose={close} />
      )}
    </div>
  )
}
