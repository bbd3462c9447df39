import { linkTo } from '../../place.ts'
import { Cell } from './cell.tsx'
import { type AnyRecord, toText } from './labels.ts'
import { type Source, useNaming } from './use-records.ts'

export interface RecordsTableProps {
  readonly collection: string
  readonly records: readonly AnyRecord[]
  /** Fields with the same value in all records. */
  readonly same: readonly string[]
  readonly source: Source
  readonly caption: string
}

/** Renders linked records as a table, or as blocks on narrow screens. */
export function RecordsTable({ collection, records, same, source, caption }: RecordsTableProps) {
  const columns = selectColumns(collection, records, same)
  const naming = useNaming(columns, source)
  const isNumber = (column: string): boolean =>
    column === 'id' || records.some((record) => typeof record[column] === 'number' && !column.endsWith('Id'))
  const kinds = columns.map((column) => (isNumber(column) ? 'number' : ''))
  return (
    <table class="data-table data-wide">
      <caption class="data-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} class={kinds[index]} scope="col">
              <code>{column}</code>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={toText(record['id'])}>
            {columns.map((column, index) => (
              <td key={column} class={kinds[index]} data-label={column}>
                {column === 'id' ? (
                  <a href={linkTo('data', [collection, toText(record['id'])])}>{toText(record['id'])}</a>
                ) : (
                  <Cell field={column} value={record[column]} naming={naming} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The most important fields of collections that have many. */
const keyColumns: Readonly<Record<string, readonly string[]>> = {
  customers: ['id', 'name', 'segment', 'city', 'country', 'products', 'memberRoles', 'updatedDate'],
  signals: [
    'id',
    'customerId',
    'summary',
    'type',
    'category',
    'status',
    'severity',
    'ownerId',
    'updatedDate',
  ],
  meetings: ['id', 'customerId', 'topic', 'startDate', 'members', 'contacts', 'nextSteps', 'hasTranscript'],
}

/** Selects the columns of a table, without fields that are the same in all records. */
function selectColumns(
  collection: string,
  records: readonly AnyRecord[],
  same: readonly string[],
): readonly string[] {
  const fields = Object.keys(records[0] ?? {})
  const shown = keyColumns[collection]?.filter((field) => fields.includes(field)) ?? fields
  return shown.filter((field) => !same.includes(field))
}
