import { lowerBound } from '../core/lower-bound.ts'
import type { Positions, Table } from './table.ts'
import { comparison, type Row, type TableName } from './tables.ts'

export interface Selection<R> {
  readonly total: number
  /** Returns at most `limit` rows from `offset` on; by default all. Order: the table's. */
  readonly page: (offset?: number, limit?: number) => R[]
}

export function selectList<R>(rows: readonly R[]): Selection<R> {
  return { total: rows.length, page: (offset = 0, limit = Infinity) => rows.slice(offset, offset + limit) }
}

/** Merges rows of a table with rows of a session. A page costs only its own rows. */
export function mergeRows<T extends TableName>(
  { name, rows }: Table<T>,
  positions: Positions,
  changed: readonly Row<T>[],
): Selection<Row<T>> {
  const compare = comparison(name)
  const own = changed.toSorted(compare)
  const places = own.map((row, before) => {
    const isBehind = (at: number): boolean => {
      const other = rows[positions[at] ?? -1]
      return other === undefined || compare(other, row) >= 0
    }
    return before + lowerBound(positions.length, isBehind)
  })
  const total = positions.length + own.length
  return {
    total,
    page: (offset = 0, limit = Infinity) => {
      const page: Row<T>[] = []
      let before = lowerBound(places.length, (at) => (places[at] ?? 0) >= offset)
      for (let place = offset; place < Math.min(offset + limit, total); place += 1) {
        const row = places[before] === place ? own[before++] : rows[positions[place - before] ?? -1]
        if (row) page.push(row)
      }
      return page
    },
  }
}
