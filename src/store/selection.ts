import { lowerBound, type Positions } from './positions.ts'
import type { Table } from './table.ts'
import type { Row, TableName } from './tables.ts'

/** The rows that a query found, before pagination. */
export interface Selection<R> {
  readonly total: number
  /** The rows from `offset` on, `limit` at most. Order: the table's. */
  readonly page: (offset: number, limit: number) => R[]
}

/** Rows of a table at positions. */
export function selected<T extends TableName>(table: Table<T>, positions: Positions): Selection<Row<T>> {
  return {
    total: positions.size,
    page: (offset, limit) => table.at(positions.page(offset, limit)),
  }
}

/** The same rows from the last to the first. */
export function reversed<R>({ total, page }: Selection<R>): Selection<R> {
  return {
    total,
    page: (offset, limit) => {
      const end = Math.max(0, total - offset)
      const start = Math.max(0, end - limit)
      return page(start, end - start).toReversed()
    },
  }
}

/** Rows that are at hand. */
export function listed<R>(rows: readonly R[]): Selection<R> {
  return { total: rows.length, page: (offset, limit) => rows.slice(offset, offset + limit) }
}

/**
 * Rows of a table at positions, and a session's own between them; a page costs what is in it.
 * @param own in the table's order
 */
export function merged<T extends TableName>(
  table: Table<T>,
  positions: Positions,
  own: readonly Row<T>[],
): Selection<Row<T>> {
  const total = positions.size + own.length
  const indexOf = (at: number): number => {
    const row = own[at]
    return row === undefined ? total : at + positions.rank(table.placeOf(row))
  }
  return {
    total,
    page: (offset, limit) => {
      const end = Math.min(offset + limit, total)
      let at = lowerBound(own.length, (index) => indexOf(index) >= offset)
      let before = offset - at
      const rows: Row<T>[] = []
      while (offset + rows.length < end) {
        const gap = Math.min(indexOf(at), end) - (offset + rows.length)
        rows.push(...table.at(positions.page(before, gap)))
        before += gap
        const row = own[at]
        if (row !== undefined && offset + rows.length < end) {
          rows.push(row)
          at += 1
        }
      }
      return rows
    },
  }
}
