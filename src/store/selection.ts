import { lowerBound } from '../core/lower-bound.ts'
import { comparison, getKeys, type IndexName, type Row, type TableName } from './tables.ts'
import type { Key } from './tables/define.ts'

/** A range of an index that has one key a row; both ends belong to it. */
export interface Range {
  readonly from?: Key
  readonly to?: Key
}

/** Tests a key of a row in an index. Tests of the same name are the same condition. */
export interface Test<T extends TableName = TableName> {
  readonly name: string
  holds(key: Key, row: Row<T>): boolean
}

/** A key, one of several, a range, or a test. */
export type Wanted<T extends TableName = TableName> = Key | readonly Key[] | Range | Test<T>

/**
 * A condition on a field or another index; an undefined condition is ignored.
 * Explanations name its source: the parameters that it follows from, or the rule of the list in words.
 */
export type Clause<T extends TableName> = readonly [
  index: IndexName<T>,
  wanted: Wanted<T> | undefined,
  source?: readonly string[] | string,
]

export type Clauses<T extends TableName> = readonly Clause<T>[]

export function meets<T extends TableName>(table: T, row: Row<T>, clauses: Clauses<T>): boolean {
  return clauses.every(([index, wanted]) => {
    if (wanted === undefined) return true
    const keys = getKeys(table, index, row)
    if (isKey(wanted)) return keys.includes(wanted)
    if (isTest(wanted)) return keys.some((key) => wanted.holds(key, row))
    return keys.some((key) => (isRange(wanted) ? isInRange(key, wanted) : wanted.includes(key)))
  })
}

export const isKey = (wanted: Wanted<never>): wanted is Key => typeof wanted !== 'object'

export const isTest = <T extends TableName>(wanted: Wanted<T>): wanted is Test<T> =>
  typeof wanted === 'object' && 'holds' in wanted

export const isRange = (wanted: Wanted<never>): wanted is Range =>
  typeof wanted === 'object' && !Array.isArray(wanted) && !isTest(wanted)

/** Creates a condition on rows as a whole. @param name tells it from other conditions */
export function testRow<T extends TableName>(name: string, holds: (row: Row<T>) => boolean): Clause<T> {
  return ['id', { name, holds: (_, row) => holds(row) }]
}

export const isInRange = (key: Key, { from, to }: Range): boolean =>
  (from === undefined || key >= from) && (to === undefined || key <= to)

/** Selects all rows of an organization; the index of members leaves out those who have left. */
export const inOrganization = <T extends TableName>(id: string): Clause<T> =>
  testRow(`organization ${id}`, (row) => row.organizationId === id)

/** Places of rows in a table. Order: ascending. */
export type Positions = readonly number[]

export interface Selection<R> {
  readonly total: number
  /** Returns at most `limit` rows from `offset` on; by default all. Order: the table's. */
  readonly page: (offset?: number, limit?: number) => R[]
}

export function selectList<R>(rows: readonly R[]): Selection<R> {
  return { total: rows.length, page: (offset = 0, limit = Infinity) => rows.slice(offset, offset + limit) }
}

/**
 * Selects rows of a table by their positions, merged with changed rows. A page costs only its own rows.
 * @param outdated the indexes of the positions whose rows are not shown; ascending
 */
export function selectRows<T extends TableName>(
  { name, rows }: { readonly name: T; readonly rows: readonly Row<T>[] },
  positions: Positions,
  outdated: readonly number[] = [],
  changed: readonly Row<T>[] = [],
): Selection<Row<T>> {
  const compare = comparison(name)
  const own = changed.toSorted(compare)
  const places = own.map((row, before) => {
    const end = lowerBound(positions.length, (at) => {
      const other = rows[positions[at] ?? -1]
      return other === undefined || compare(other, row) >= 0
    })
    return before + end - lowerBound(outdated.length, (at) => (outdated[at] ?? 0) >= end)
  })
  const isUnchanged = own.length === 0 && outdated.length === 0
  const find = (place: number): Row<T> | undefined => {
    if (isUnchanged) return rows[positions[place] ?? -1]
    const before = lowerBound(places.length, (at) => (places[at] ?? 0) >= place)
    if (places[before] === place) return own[before]
    const rest = place - before
    const skipped = lowerBound(outdated.length, (at) => (outdated[at] ?? 0) - at > rest)
    return rows[positions[rest + skipped] ?? -1]
  }
  const total = positions.length - outdated.length + own.length
  return {
    total,
    page: (offset = 0, limit = Infinity) => {
      const page: Row<T>[] = []
      for (let place = offset; place < Math.min(offset + limit, total); place += 1) {
        const row = find(place)
        if (row) page.push(row)
      }
      return page
    },
  }
}
