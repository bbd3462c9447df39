import type { CastMember } from '../../parts/cast.ts'
import { numberText } from '../../parts/number.ts'
import { Problem } from '../../parts/problem.tsx'
import { addressOf } from '../../place.ts'
import { Answered } from './answered.tsx'
import { filledPath, type ListOperation } from './contract.ts'
import { CustomerLogs } from './customer-logs.tsx'
import { CustomerSignals } from './customer-signals.tsx'
import { PartList } from './part-list.tsx'
import { RecordsTable } from './records-table.tsx'
import { listOf, useService } from './use-service.ts'
import { type AnyRecord, collectionOf, plural, titleOf } from './words.ts'

export interface RelatedProps {
  readonly operation: ListOperation
  readonly operations: readonly ListOperation[]
  readonly collections: readonly string[]
  readonly member: CastMember
  readonly record: AnyRecord
}

/** How many records of a list a page shows. */
const SHOWN = 5

/** The lists of what belongs to a record, as a member gets them. */
export function Related({ operation, operations, collections, member, record }: RelatedProps) {
  const { collection } = operation
  const isOwn = (name: string): boolean => collectionOf(name, collections) === collection
  const common = { collections, member, record }
  const isCustomer = collection === 'customers'
  // What its path names first, a list is of.
  const lists = operations.filter(({ pathNames: [first = ''] }) => isOwn(first))
  const links = operations.flatMap((list) => {
    // A parameter that needs another one is no way to look something up.
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
          <h2>Lists of it</h2>
          <ul class="data-links">
            {links.map(({ list, name }) => (
              <li key={`${list.id} ${name}`}>
                <a href={listAddress(list, name, record)}>
                  {titleOf(list.collection)} with this {name}
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
  addressOf('data', [collection], new URLSearchParams({ [name]: String(record['id']) }))

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
  const asked = filledPath(path, { organizationId, [own]: String(record['id']) }) ?? ''
  const { value: answer, error } = useService(asked, member)
  const found = answer && listOf(answer.body)
  const title = titleOf(collection)
  return (
    <section class="card data-answer" aria-label={title}>
      <h2>
        {title} {found && <span class="data-count">{numberText(found.total)}</span>}
      </h2>
      <Problem error={error} />
      {answer && (
        <Answered asked={{ path: asked, token }} answer={answer}>
          {found && found.items.length > 0 ? (
            <RecordsTable
              collection={collection}
              records={found.items.slice(0, SHOWN)}
              same={pathNames}
              source={{ collections, organizationId }}
              caption={title}
            />
          ) : (
            <p class="empty">There are none.</p>
          )}
          {found && found.total > SHOWN && (
            <p>
              <a href={listAddress(list, own, record)}>
                All {numberText(found.total)} {plural(collection)}
              </a>
            </p>
          )}
        </Answered>
      )}
    </section>
  )
}
