import { lowerBound } from '../core/lower-bound.ts'
import type { RowSet } from './row-set.ts'
import type { Table } from './table.ts'
import type { Row, TableName } from './tables.ts'

export interface Selection<R> {
  readonly total: number
  /** Returns at most `limit` rows from `offset` on; by default all. Order: the table's. */
  readonly page: (offset?: number, limit?: number) => R[]
}

export function selectList<R>(rows: readonly R[]): Selection<R> {
  return { total: rows.length, page: (offset = 0, limit = Infinity) => rows.slice(offset, offset + limit) }
}

/** Merges rows of a table with sorted rows of a session. A page costs only its own rows. @param own sorted as the table */
export function mergeRows<T extends TableName>(
  table: Table<T>,
  positions: RowSet,
  own: readonly Row<T>[],
): Selection<Row<T>> {
  const total = positions.size + own.length
  const resultIndex = (at: number): number => {
    const row = own[at]
    return row === undefined ? total : at + positions.rank(table.insertionPoint(row))
  }
  return {
    total,
    page: (offset = 0, limit = Infinity) => {
      const end = Math.min(offset + limit, total)
      let at = lowerBound(own.length, (index) => resultIndex(index) >= offset)
      let before = offset - at
      const rows: Row<T>[] = []
      while (offset + rows.length < end) {
        const gap = Math.min(resultIndex(at), end) - (offset + rows.length)
        for (const position of positions.page(before, gap)) {
          const row = table.rows[position]
          if (row) rows.push(row)
        }
        before += gap
        const next = own[at]
        if (next !== undefined && offset + rows.length < end) {
          rows.push(next)
          at += 1
        }
      }
      return rows
    },
  }
}
