import { place, linkTo } from '../../place.ts'
import { Cell } from './cell.tsx'
import { type AnyRecord, getLabel, singularize, summarize } from './labels.ts'

/** The field that a table is sorted by. */
export interface Sorting {
  readonly by: string
  readonly isDescending: boolean
}

export interface RecordsTableProps {
  readonly collection: string
  readonly records: readonly AnyRecord[]
  readonly caption: string
  /** Fields with the same value in all records. */
  readonly same?: readonly string[]
  readonly sorting?: Sorting | undefined
  /** Sorts by a column; absent if the order is fixed. */
  readonly sort?: (column: string) => void
}

/** Renders records as a table, or as blocks on narrow screens; the whole row opens the record. */
export function RecordsTable({ collection, records, caption, same, sorting, sort }: RecordsTableProps) {
  const columns = selectColumns(collection, records).filter((column) => !same?.includes(column))
  const kinds = columns.map((column) => getKind(column, records))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move between the links in it
    <table class="data-table" onKeyDown={moveFocus}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} class={kinds[index]} scope="col" aria-sort={getOrder(column, sorting)}>
              {sort ? (
                <button type="button" onClick={() => sort(column)}>
                  {column}
                </button>
              ) : (
                column
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={String(record['id'])}>
            {columns.map((column, index) => (
              <td key={column} class={kinds[index]} data-label={column} title={getTitle(record[column])}>
                {column === 'id' ? (
                  <OpeningLink collection={collection} record={record} />
                ) : (
                  <Cell field={column} value={record[column]} isBrief />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Renders a link over the whole row; it keeps the filters of a list for the way back. */
function OpeningLink({ collection, record }: { readonly collection: string; readonly record: AnyRecord }) {
  const id = String(record['id'])
  const isList = place.value.path.length < 2 && (place.value.path[0] ?? 'customers') === collection
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

/** Moves the focus between rows. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const links = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('.data-open'))
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  const targets = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }
  const to = Object.entries(targets).find(([key]) => key === event.key)?.[1]
  if (to === undefined || at === -1) return
  event.preventDefault()
  links[to]?.focus()
}

const getTitle = (value: unknown): string | undefined =>
  value === null || typeof value === 'number' ? undefined : summarize(value ?? '')

const getOrder = (column: string, sorting: Sorting | undefined) =>
  sorting?.by !== column ? undefined : sorting.isDescending ? 'descending' : 'ascending'

const longFields = new Set([
  'name',
  'summary',
  'topic',
  'content',
  'message',
  'description',
  'nextSteps',
  'options',
])

/** Decides the width of a column. */
function getKind(column: string, records: readonly AnyRecord[]): string {
  const value = records.map((record) => record[column]).find((one) => one !== null && one !== '')
  if (column === 'id') return 'number is-id'
  if (column.endsWith('Date')) return 'is-date'
  if (longFields.has(column)) return 'is-long'
  return typeof value === 'number' && !column.endsWith('Id') ? 'number is-number' : ''
}

/** The most important fields of collections that have many. */
const keyColumns: Readonly<Record<string, readonly string[]>> = {
  customers: ['id', 'name', 'segment', 'city', 'country', 'products', 'memberRoles', 'updatedDate'],
  signals: ['id', 'customerId', 'summary', 'type', 'status', 'severity', 'ownerId', 'updatedDate'],
  meetings: ['id', 'customerId', 'topic', 'startDate', 'members', 'contacts', 'nextSteps'],
}

/** Selects the columns of a table. */
function selectColumns(collection: string, records: readonly AnyRecord[]): readonly string[] {
  const fields = Object.keys(records[0] ?? {}).filter((field) => field !== 'organizationId')
  return keyColumns[collection]?.filter((field) => fields.includes(field)) ?? fields
}

/** Sorts records by a field; empty values come last. */
export function sortRecords(
  records: readonly AnyRecord[],
  sorting: Sorting | undefined,
): readonly AnyRecord[] {
  if (!sorting) return records
  const { by, isDescending } = sorting
  const sign = isDescending ? -1 : 1
  return records.toSorted(({ [by]: a }, { [by]: b }) => {
    if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b))
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
    const [one, other] = [summarize(a).toLowerCase(), summarize(b).toLowerCase()]
    return one === other ? 0 : one < other ? -sign : sign
  })
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''
