import { addressOf } from '../../place.ts'
import { Cell } from './cell.tsx'
import { columnsOf } from './columns.ts'
import { type Source, useNaming } from './use-naming.ts'
import { type AnyRecord, textOf } from './words.ts'

export interface RecordsTableProps {
  readonly collection: string
  readonly records: readonly AnyRecord[]
  /** The fields that are the same in all of them. */
  readonly same: readonly string[]
  readonly source: Source
  readonly caption: string
}

/** Records of a collection as a table, each linked; where it is narrow, a record stands as a block. */
export function RecordsTable({ collection, records, same, source, caption }: RecordsTableProps) {
  const columns = columnsOf(collection, records, same)
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
          <tr key={textOf(record['id'])}>
            {columns.map((column, index) => (
              <td key={column} class={kinds[index]} data-label={column}>
                {column === 'id' ? (
                  <a href={addressOf('data', [collection, textOf(record['id'])])}>{textOf(record['id'])}</a>
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
