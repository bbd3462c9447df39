import { moveFocus } from '../../components/keys.ts'
import { linkTo, place, setQuery } from '../../place.ts'
import { renderValue } from './cell.tsx'
import { type AnyRecord, getLabel, singularize, summarize } from './labels.ts'

interface RecordsTableProps {
  readonly collection: string
  readonly records: readonly AnyRecord[]
  readonly caption: string
  readonly same: readonly string[]
  /** The field that the records are sorted by, as in `name`, or `-name` to descend; absent if the order is fixed. */
  readonly sorting?: string
}

/** Renders records as a table, or as blocks on narrow screens; the whole row opens the record. */
export function RecordsTable({ collection, records, caption, same, sorting }: RecordsTableProps) {
  const columns = selectColumns(collection, records[0] ?? {}).filter((column) => !same.includes(column))
  const kinds = columns.map((column) => getKind(column, records))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move between the links in it
    <table class="data-table is-stacked" onKeyDown={move}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} class={kinds[index]} scope="col" aria-sort={getOrder(column, sorting)}>
              {sorting === undefined ? (
                column
              ) : (
                <button type="button" onClick={() => sort(column, sorting)}>
                  {column}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={String(record['id'])}>
            {columns.map((column, index) => (
              <td
                key={column}
                class={kinds[index]}
                data-label={kinds[index]?.endsWith('is-number') ? column : undefined}
                title={getTitle(record[column])}
              >
                {column === 'id' ? (
                  <OpeningLink collection={collection} record={record} />
                ) : (
                  renderValue(column, record[column], true)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void =>
  void moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>('.data-open')])

/** Renders a link over the whole row; it keeps the filters of a list for the way back. */
function OpeningLink({ collection, record }: { collection: string; record: AnyRecord }) {
  const id = String(record['id'])
  const [listed = 'customers', opened] = place.value.path
  const isList = opened === undefined && listed === collection
  const label = getLabel(record)
  return (
    <a
      class="data-open"
      href={linkTo('data', [collection, id], isList ? place.value.query : {})}
      aria-label={`${id}${label === id ? '' : ` ${label}`}, ${singularize(collection)}`}
    >
      {id}
    </a>
  )
}

const getTitle = (value: unknown): string | undefined =>
  value === null || typeof value === 'number' ? undefined : summarize(value ?? '')

function sort(column: string, sorting: string): void {
  const next = sorting === column ? `-${column}` : sorting === `-${column}` ? '' : column
  setQuery({ sort: next, page: '' })
}

function getOrder(column: string, sorting: string | undefined): 'ascending' | 'descending' | undefined {
  if (sorting === column) return 'ascending'
  return sorting === `-${column}` ? 'descending' : undefined
}

/** Sorts records by a field; empty values come last. */
export function sortRecords(records: readonly AnyRecord[], sorting: string): readonly AnyRecord[] {
  if (sorting === '') return records
  const isDescending = sorting.startsWith('-')
  const by = sorting.slice(isDescending ? 1 : 0)
  const sign = isDescending ? -1 : 1
  return records.toSorted(({ [by]: a }, { [by]: b }) => {
    if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b))
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
    const [one, other] = [summarize(a).toLowerCase(), summarize(b).toLowerCase()]
    return one === other ? 0 : one < other ? -sign : sign
  })
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

const longFields = 'name summary topic content message description nextSteps options'.split(' ')

function getKind(column: string, records: readonly AnyRecord[]): string {
  const value = records.map((record) => record[column]).find((one) => !isEmpty(one))
  if (column === 'id') return 'number is-id'
  if (column.endsWith('Date')) return 'is-date'
  if (longFields.includes(column)) return 'is-long'
  return typeof value === 'number' && !column.endsWith('Id') ? 'number is-number' : ''
}

/** The most important fields of collections that have many. */
const keyColumns: Readonly<Record<string, readonly string[]>> = {
  customers: ['id', 'name', 'segment', 'city', 'country', 'products', 'memberRoles', 'updatedDate'],
  signals: ['id', 'customerId', 'summary', 'type', 'status', 'severity', 'ownerId', 'updatedDate'],
  meetings: ['id', 'customerId', 'topic', 'startDate', 'members', 'contacts', 'nextSteps'],
}

const selectColumns = (collection: string, record: AnyRecord): readonly string[] =>
  keyColumns[collection]?.filter((field) => field in record) ??
  Object.keys(record).filter((field) => field !== 'organizationId')
