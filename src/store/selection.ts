import { getKeys, type IndexName, type Row, type TableName } from './tables.ts'
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
