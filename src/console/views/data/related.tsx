import { prepareRecords } from '../../client.ts'
import { formatNumber } from '../../components/format.tsx'
import { toWords } from '../../components/schema.ts'
import { Card, Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'
import type { RecordProps } from './contract.ts'
import { type AnyRecord, findCollection, getLabel, pluralize } from './labels.ts'
import { RecordsTable } from './records-table.tsx'

/** Renders the records that belong to a customer, or links to the lists that belong to another record. */
export function Related({ operation: { collection }, operations, record }: RecordProps) {
  const id = String(record['id'])
  if (collection === 'customers') {
    const parts = operations.filter(({ item }) => item.properties?.['customerId'] !== undefined)
    return (
      <>
        {parts.map((part) => (
          <RelatedList key={part.id} name={part.collection} record={record} filter={{ customerId: id }} />
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
  /** The customer. */
  readonly record: AnyRecord
  readonly filter: Readonly<Record<string, string>>
}

/** Renders the first records of a list, with a link to all of them. */
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
