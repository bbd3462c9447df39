import * as z from 'zod'

import { recordId } from '../contract/fields.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { type TableName, tableNames } from '../store/tables.ts'

/** A page of a collection. */
export interface ListOptions {
  /** The number of records to skip. Default: 0. @example 10 */
  readonly offset?: number | undefined
  /** The maximum number of records. Default: all records. @example 10 */
  readonly limit?: number | undefined
  /** The organization whose records to return. Default: all organizations. @example 'quill' */
  readonly organizationId?: string | undefined
  /** Only the records of this customer. */
  readonly customerId?: number | undefined
  /** Only records that contain this text, in any field and case. */
  readonly text?: string | undefined
}

export const RecordChange = lazyObject(() => ({
  collection: z.enum(tableNames),
  id: recordId,
  kind: z.enum(['created', 'replaced', 'deleted']),
}))
export type RecordChange = z.infer<typeof RecordChange>

const CountItem = lazyObject(() => ({
  /** The id of a lookup object, or the month of a date-time, as in `2026-03`; null if absent. */
  value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  /** The value in words: the name of a lookup object, `none` if absent, `others` for the remaining values. */
  label: z.string(),
  count: z.int(),
  /** The number of values in `others`. */
  valueCount: z.int().optional(),
}))
export type CountItem = z.infer<typeof CountItem>

/** The number of records of a collection with each value of a field. */
export const Counts = lazyObject(() => ({
  /** The field, as GET returns it. */
  by: z.string(),
  /**
   * Order: the most frequent value first, then by value; months in order. Each different element of a list counts as a
   * value. At most 1,000 items: if there are more values, the last item counts the rest.
   */
  items: z.array(CountItem),
  /** The number of different values. */
  totalCount: z.int(),
  /** The number of records. */
  recordCount: z.int(),
}))
export type Counts = z.infer<typeof Counts>

/** Records to create, by collection. */
export type Batch = Readonly<Partial<Record<TableName, readonly unknown[]>>>

/** Created records, by collection. Order: as given. */
export type Created = Readonly<Partial<Record<TableName, readonly object[]>>>
