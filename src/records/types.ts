import type { TableName } from '../store/tables.ts'

/** A page of a collection. */
export interface ListOptions {
  readonly offset?: number | undefined
  /** Default: all records. */
  readonly limit?: number | undefined
  /** Default: the records of all organizations. */
  readonly organizationId?: string | undefined
}

/** A record that a session has changed. */
export interface RecordChange {
  readonly collection: TableName
  readonly id: number
  readonly kind: 'created' | 'replaced' | 'deleted'
}

/** The number of records of each collection that a call has deleted or restored. */
export type RecordCounts = Readonly<Partial<Record<TableName, number>>>

/** The number of records with a value. */
export interface CountItem {
  /** The id of a lookup object, or the month of a date-time, as in `2026-03`; null if absent. */
  readonly value: string | number | boolean | null
  /** The value in words: the name of a lookup object, `none` if absent, `others` for the remaining values. */
  readonly label: string
  readonly count: number
  /** The number of values in `others`. */
  readonly valueCount?: number
}

/** The number of records of a collection with each value of a field. */
export interface Counts {
  /** The field, as GET returns it. */
  readonly by: string
  /**
   * Order: the most frequent value first, then by value; months in order. Each different element of a list counts as a
   * value. At most 1,000 items: if there are more values, the last item counts the rest.
   */
  readonly items: readonly CountItem[]
  /** The number of different values. */
  readonly totalCount: number
  /** The number of records. */
  readonly recordCount: number
}

/** Records to create, by collection. */
export type Batch = Readonly<Partial<Record<TableName, readonly unknown[]>>>

/** Created records, by collection. Order: as given. */
export type Created = Readonly<Partial<Record<TableName, readonly object[]>>>
