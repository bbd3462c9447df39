import type { CastMember } from '../../components/cast.ts'
import { formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { linkTo } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import { CustomerLogs } from './customer-logs.tsx'
import { CustomerSignals } from './customer-signals.tsx'
import { type AnyRecord, findCollection, pluralize, formatTitle } from './labels.ts'
import { PartList } from './part-list.tsx'
import { RecordsTable } from './records-table.tsx'
import { ServiceResponse, parseList, usePreview } from './service-response.tsx'

export interface RelatedProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** The number of records to show of each list. */
const SHOWN = 5

/** Renders the lists of records that belong to a record, as a member sees them. */
export function Related({ operation, operations, collections, member, record }: RelatedProps) {
  const { collection } = operation
  const isOwn = (name: string): boolean => findCollection(name, collections) === collection
  const common = { collections, member, record }
  const isCustomer = collection === 'customers'
  // A list belongs to the first parameter of its path.
  const lists = operations.filter(({ pathNames: [first = ''] }) => isOwn(first))
  const links = operations.flatMap((list) => {
    // Skips parameters that only work together with another one.
    const alone = list.parameters.filter(({ description = '' }) => !description.includes('together'))
    const names = [...list.pathNames.slice(1), ...alone.map(({ name }) => name)]
    return names.filter(isOwn).map((name) => ({ list, name }))
  })
  return (
    <>
      {isCustomer && <CustomerSignals {...common} operations={operations} />}
      {lists.map((list) =>
        list.pathNames.length > 1 ? (
          <PartList key={list.id} {...common} list={list} />
        ) : (
          <RelatedList key={list.id} {...common} list={list} />
        ),
      )}
      {isCustomer && <CustomerLogs {...common} />}
      {links.length > 0 && (
        <section class="card" aria-label="Lists">
          <h2>Related lists</h2>
          <ul class="data-links">
            {links.map(({ list, name }) => (
              <li key={`${list.id} ${name}`}>
                <a href={listAddress(list, name, record)}>
                  {formatTitle(list.collection)} with this {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const listAddress = ({ collection }: ListOperation, name: string, record: AnyRecord): string =>
  linkTo('data', [collection], new URLSearchParams({ [name]: String(record['id']) }))

interface RelatedListProps {
  readonly list: ListOperation
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly record: AnyRecord
}

function RelatedList({ list, collections, member, record }: RelatedListProps) {
  const { collection, path, pathNames } = list
  const { organizationId, token } = member
  const [own = ''] = pathNames
  const target = fillPath(path, { organizationId, [own]: String(record['id']) }) ?? ''
  const { value: response, error } = usePreview(target, member)
  const found = response && parseList(response.body)
  const title = formatTitle(collection)
  return (
    <section class="card data-response" aria-label={title}>
      <h2>
        {title} {found && <span class="data-count">{formatNumber(found.total)}</span>}
      </h2>
      <Problem error={error} />
      {response && (
        <ServiceResponse request={{ path: target, token }} response={response}>
          {found && found.items.length > 0 ? (
            <RecordsTable
              collection={collection}
              records={found.items.slice(0, SHOWN)}
              same={pathNames}
              source={{ collections, organizationId }}
              caption={title}
            />
          ) : (
            <p class="empty">None.</p>
          )}
          {found && found.total > SHOWN && (
            <p>
              <a href={listAddress(list, own, record)}>
                All {formatNumber(found.total)} {pluralize(collection)}
              </a>
            </p>
          )}
        </ServiceResponse>
      )}
    </section>
  )
}
