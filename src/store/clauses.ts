import { getKeys, type IndexName, type Row, type TableName } from './tables.ts'
import type { Key } from './tables/define.ts'

export interface Range {
  readonly from?: string
  readonly to?: string
}

/**
 * A condition on a field or another index: one of several keys, or a range; an undefined condition is ignored.
 * Explanations name its source: the parameters that it follows from, or the rule of the list in words.
 */
export type Clause<T extends TableName> = readonly [
  index: IndexName<T>,
  wanted: Key | readonly Key[] | Range | undefined,
  source?: readonly string[] | string,
]

export type Clauses<T extends TableName> = readonly Clause<T>[]

export function meets<T extends TableName>(table: T, row: Row<T>, clauses: Clauses<T>): boolean {
  return clauses.every(([index, wanted]) => {
    if (wanted === undefined) return true
    const keys = getKeys(table, index, row)
    if (isRange(wanted)) return keys.some((key) => isInRange(`${key}`, wanted))
    return keys.some((key) => (typeof wanted === 'object' ? wanted.includes(key) : wanted === key))
  })
}

export function isRange(wanted: Key | readonly Key[] | Range): wanted is Range {
  return typeof wanted === 'object' && !Array.isArray(wanted)
}

const isInRange = (key: string, { from = '', to }: Range): boolean =>
  key >= from && (to === undefined || key <= to)
