import { useState } from 'preact/hooks'

import { atRecord, prepare, routes } from '../../client.ts'
import { Json } from '../../components/json.tsx'
import { useEscape } from '../../components/keys.ts'
import { toText, toWords } from '../../components/schema.ts'
import { PreviewHead } from '../../components/service.tsx'
import { Act, Button, Card, Folded, Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import { Fields } from './cell.tsx'
import { Undo, useRecordChange } from './changes.tsx'
import { fillPath, listPathNames, type RecordProps } from './contract.ts'
import { findCollection, formatCounts, getLabel, isRecord, pluralize, singularize } from './labels.ts'
import { RecordForm } from './record-form.tsx'

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
            <Folded title="JSON">{() => <Json value={response.body} />}</Folded>
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
