import { useState } from 'preact/hooks'

import { useRead } from '../../calls.ts'
import { atRecord, prepare, preparePreview, routes } from '../../client.ts'
import { toText, toWords } from '../../components/schema.ts'
import { Previewed } from '../../components/service.tsx'
import { useEscape } from '../../components/table.tsx'
import { Act, Button, Card, Loaded } from '../../components/ui.tsx'
import { linkTo, place, show } from '../../place.ts'
import { Fields } from './cell.tsx'
import { History } from './changes.tsx'
import {
  type RecordProps,
  fillPath,
  references,
  formatCounts,
  getLabel,
  isRecord,
  listPathNames,
  pluralize,
  singularize,
} from './collections.ts'
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
  const state = useRead(path ? preparePreview(path, token) : undefined)
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
          <Previewed {...{ path, token, response, collection }}>
            {response.status < 300 && isRecord(response.body) && <Fields record={response.body} />}
          </Previewed>
        )}
      </Loaded>
    </Card>
  )
}

function Actions(props: RecordProps) {
  const { operation, member, record } = props
  const { collection } = operation
  const [isEdited, setEdited] = useState(false)
  const id = String(record['id'])
  return (
    <div class="row">
      <Button run={() => setEdited(true)}>Edit</Button>
      <Act
        class="bad"
        call={prepare('delete', routes.data[':collection'][':id'], atRecord(collection, id))}
        done={({ deleted }) => `Deleted ${formatCounts(deleted)}.`}
        after={() => show(linkTo('data', [collection]), 'replace')}
        ask={{
          verb: `Delete ${singularize(collection)} ${id}`,
          text: `This deletes ${getLabel(record)} in this session, with all that belongs to it. You can undo this under Changes.`,
        }}
      >
        Delete
      </Act>
      {isEdited && <RecordForm {...{ operation, member, record }} close={() => setEdited(false)} />}
    </div>
  )
}

function Related({ operation: { collection }, operations, record }: RecordProps) {
  const id = String(record['id'])
  const links = operations.flatMap(({ collection: other, pathNames, parameters, item }) => {
    // Skips parameters that only work together with another one.
    const alone = parameters.filter(({ description = '' }) => !description.includes('together'))
    const own = item.properties?.['customerId'] === undefined ? [] : ['customerId']
    // A path with several ids takes more than this record.
    const ofPath = pathNames.length === 1 ? pathNames : []
    const names = new Set([...ofPath, ...own, ...alone.map(({ name }) => name)])
    return [...names].filter((name) => references.get(name) === collection).map((name) => ({ other, name }))
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
