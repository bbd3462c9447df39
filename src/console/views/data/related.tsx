import { prepare, routes } from '../../client.ts'
import type { CastMember } from '../../components/cast.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Card } from '../../components/layout.tsx'
import { Loaded } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { type AnyRecord, findCollection, formatTitle, getLabel, pluralize } from './labels.ts'
import { RecordsTable } from './records-table.tsx'

/** The number of records to show of each list. */
const SHOWN = '5'

interface RelatedProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** Renders the records that belong to a customer, or links to the lists that belong to another record. */
export function Related({ operation: { collection }, operations, record }: RelatedProps) {
  const id = String(record['id'])
  if (collection === 'customers') {
    const parts = operations.filter(({ item }) => item.properties?.['customerId'] !== undefined)
    return (
      <>
        {parts.map((part) => (
          <RelatedList
            key={part.id}
            collection={part.collection}
            record={record}
            filter={{ customerId: id }}
          />
        ))}
        {['triggerLogs', 'actionLogs'].map((logs) => (
          <RelatedList key={logs} collection={logs} record={record} filter={{ text: getLabel(record) }} />
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
          <li key={`${other} ${name}`}>
            <a href={linkTo('data', [other], { [name]: id })}>
              {formatTitle(other)} with this {name}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

interface RelatedListProps {
  readonly collection: string
  /** The customer. */
  readonly record: AnyRecord
  readonly filter: Readonly<Record<string, string>>
}

/** Renders the first records of a list, with a link to all of them. */
function RelatedList({ collection, record, filter }: RelatedListProps) {
  const organizationId = String(record['organizationId'])
  const query = { ...filter, organizationId, limit: SHOWN }
  const state = useRead(prepare('get', routes.data[':collection'], { param: { collection }, query }))
  const count = state.value?.totalCount
  const words = pluralize(collection)
  return (
    <Card
      title={
        <>
          {formatTitle(collection)} <span class="hint">{count !== undefined && formatNumber(count)}</span>
        </>
      }
    >
      <Loaded state={state}>
        {({ items, totalCount }) =>
          totalCount === 0 ? (
            <p class="empty">{filter['text'] === undefined ? 'None.' : 'None mention this customer.'}</p>
          ) : (
            <>
              <RecordsTable collection={collection} records={items} same={['customerId']} caption={words} />
              <p>
                <a href={linkTo('data', [collection], filter)}>
                  All {formatNumber(totalCount)} {words}
                </a>
              </p>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
