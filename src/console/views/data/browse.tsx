import { useState } from 'preact/hooks'

import type { CastMember } from '../../components/cast.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { Provenance } from '../../components/links.tsx'
import { Problem, Skeleton } from '../../components/problem.tsx'
import { linkTo, place, setQuery } from '../../place.ts'
import { type ListOperation, fillPath } from './contract.ts'
import { Filters } from './filters.tsx'
import { type AnyRecord, contains, formatTitle, pluralize, singularize } from './labels.ts'
import { NewRecord } from './record-form.tsx'
import { RecordsTable, type Sorting, sortRecords } from './records-table.tsx'
import { Outcome, RequestLine } from './service-response.tsx'
import { type List, type ServiceList, type StoredList, useList } from './use-list.ts'

interface BrowseProps {
  readonly operation: ListOperation
  readonly member: CastMember
}

/** The number of rows to show at once. */
const ROWS = 100

/** Renders a collection as a member sees it, through the service's own operation where that is possible. */
export function Browse({ operation, member }: BrowseProps) {
  const { collection, id, marks, pathNames } = operation
  const [isAdding, setAdding] = useState(false)
  const { query } = place.value
  const words = pluralize(collection)
  const { service, stored } = listSources(operation, member)
  const text = query.get('text')?.toLowerCase() ?? ''
  const whole = useList(service ?? stored)
  // Searches all records if the list is too long to load.
  const isPartial = text !== '' && service !== undefined && (whole.items?.length ?? 0) < whole.total
  const found = useList(isPartial ? stored : undefined)
  const list = isPartial ? found : whole
  const sorting = parseSorting(query.get('sort'))
  const items = list.items?.filter((record) => matches(record, operation, service ? text : ''))
  const isJson = query.get('as') === 'json'
  return (
    <>
      <div class="row data-head">
        <h1>{formatTitle(collection)}</h1>
        <p class="hint">{describeCount(list, items, query.has('limit') || query.has('offset'))}</p>
        <p>
          <code>{id}</code> <Provenance of={marks} subject={`the response of ${id}`} />
        </p>
        {collection === 'members' && <a href={linkTo('people')}>By manager</a>}
        <button type="button" onClick={() => setAdding(true)}>
          New {singularize(collection)}
        </button>
      </div>
      <div class="row data-bar">
        <input
          type="search"
          data-search
          aria-label={`Search ${words}`}
          placeholder={`Search ${words}`}
          value={query.get('text') ?? ''}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value, page: undefined })}
        />
        <Filters operation={operation} organizationId={member.organizationId} />
        <button
          type="button"
          class="small"
          aria-pressed={isJson}
          onClick={() => setQuery({ as: isJson ? undefined : 'json' })}
        >
          JSON
        </button>
        {service && whole.response && <RequestLine {...service} response={whole.response} />}
      </div>
      {!service && (
        <p class="hint">
          {pathNames.length > 0
            ? `All of ${member.organizationName}, as stored: ${id} needs ${pathNames.join(' and ')}. Add filters for its path to see its response.`
            : `As stored, for any member: the service cannot filter ${words} by customerId.`}
        </p>
      )}
      {isPartial && <p class="hint">Found among all of {member.organizationName}, regardless of filters.</p>}
      <Problem error={list.error} />
      {whole.response && <Outcome response={whole.response} />}
      {isJson ? (
        <Json value={list.response?.body ?? list.items} />
      ) : items ? (
        <Rows operation={operation} member={member} items={sortRecords(items, sorting)} sorting={sorting} />
      ) : (
        !list.error && !list.response && <Skeleton />
      )}
      {isAdding && <NewRecord operation={operation} member={member} onClose={() => setAdding(false)} />}
    </>
  )
}

interface RowsProps extends BrowseProps {
  readonly items: readonly AnyRecord[]
  readonly sorting: Sorting | undefined
}

/** Renders one page of the loaded records. */
function Rows({ operation: { collection, pathNames }, member, items, sorting }: RowsProps) {
  const { query } = place.value
  const page = Number(query.get('page') ?? 0)
  const sort = (column: string): void => {
    const next = sorting?.by !== column ? column : sorting.isDescending ? undefined : `-${column}`
    setQuery({ sort: next, page: undefined })
  }
  if (items.length === 0) {
    return (
      <p class="empty">
        No {pluralize(collection)} match for {member.name}. Remove a filter, widen the scope, or choose
        another member.
      </p>
    )
  }
  const first = page * ROWS
  const last = Math.min(first + ROWS, items.length)
  return (
    <>
      <RecordsTable
        collection={collection}
        records={items.slice(first, last)}
        same={[...pathNames, 'customerId'].filter((name) => query.has(name))}
        sorting={sorting}
        sort={sort}
        caption={`${formatTitle(collection)} visible to ${member.name}`}
      />
      {items.length > ROWS && (
        <p class="row">
          <output>
            {formatNumber(first + 1)} to {formatNumber(last)} of {formatNumber(items.length)}
          </output>
          <button type="button" class="small" disabled={page === 0} onClick={() => turn(page - 1)}>
            Previous page
          </button>
          <button type="button" class="small" disabled={last >= items.length} onClick={() => turn(page + 1)}>
            Next page
          </button>
        </p>
      )}
    </>
  )
}

function turn(page: number): void {
  setQuery({ page: page > 0 ? `${page}` : undefined })
  document.querySelector('main')?.scrollTo(0, 0)
}

/** Builds the request of the service's operation, if it can list what the URL says, and the list of stored records. */
function listSources(
  { collection, path, pathNames, parameters }: ListOperation,
  { organizationId, token }: CastMember,
): { readonly service: ServiceList | undefined; readonly stored: StoredList } {
  const { query } = place.value
  const values = Object.fromEntries(pathNames.map((name) => [name, query.get(name) ?? undefined]))
  const isForCustomer = query.has('customerId') && !pathNames.includes('customerId')
  const address = isForCustomer ? undefined : fillPath(path, { ...values, organizationId })
  const sent = new URLSearchParams(
    parameters.flatMap(({ name }) => query.getAll(name).map((value) => [name, value])),
  )
  const isPaged = parameters.some(({ name }) => name === 'limit')
  const [customerId, text] = [query.get('customerId'), query.get('text')]
  return {
    service:
      address === undefined
        ? undefined
        : {
            path: `${address}${sent.size > 0 ? `?${sent}` : ''}`,
            token,
            hasPages: isPaged && !sent.has('limit') && !sent.has('offset'),
          },
    stored: {
      collection,
      query: { organizationId, ...(customerId && { customerId }), ...(text && { text }) },
    },
  }
}

/** Reports whether a record contains a text, and the values of the path in the URL. */
function matches(record: AnyRecord, { pathNames }: ListOperation, text: string): boolean {
  const { query } = place.value
  const isOfPath = pathNames.every(
    (name) => !query.has(name) || !(name in record) || String(record[name]) === query.get(name),
  )
  return isOfPath && contains(record, text)
}

/** Describes how many records are shown, as in `12 of 300`. */
function describeCount(
  { items: loaded = [], total }: List,
  shown: readonly AnyRecord[] | undefined,
  isOnePage: boolean,
) {
  if (!shown) return ''
  const count = `${shown.length === total ? '' : `${formatNumber(shown.length)} of `}${formatNumber(total)}`
  if (isOnePage || loaded.length >= total) return count
  return `${count}; the first ${formatNumber(loaded.length)} are loaded, to sort and search`
}

function parseSorting(text: string | null): Sorting | undefined {
  if (!text) return undefined
  return text.startsWith('-') ? { by: text.slice(1), isDescending: true } : { by: text, isDescending: false }
}
