import * as z from 'zod'

import { recordId, MAX_INTEGER, utcDateTime } from '../../contract/fields.ts'
import type { Input } from '../../core/input.ts'
import { lazyStrictObject, lazyObject } from '../../core/lazy-schema.ts'
import { type TableName, tableNames } from '../../store/tables.ts'

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

/** Options for new records. */
export interface ArrangeOptions {
  /** The organization of records without a customer. Default: the first organization. @example 'quill' */
  readonly organizationId?: string | undefined
}

export const RecordCounts = z.partialRecord(z.enum(tableNames), z.int())
export type RecordCounts = z.infer<typeof RecordCounts>

const Version = lazyObject(() => ({
  /** Absent for a change of the session whose time is not known. */
  at: utcDateTime.optional(),
  change: z.enum(['created', 'changed', 'deleted']),
  bySession: z.literal(true).optional(),
  /** The fields that differ from the version before; none for a record that is created or deleted. */
  fields: z.array(
    z.object({
      name: z.string(),
      before: z.unknown().optional().describe('Absent if the field did not exist'),
      after: z.unknown().optional().describe('Absent if the field exists no more'),
    }),
  ),
}))

/** The changes of a record since the dataset. Order: by time; at most the last 250. */
export const RecordHistory = lazyObject(() => ({ items: z.array(Version), totalCount: z.int() }))
export type RecordHistory = z.infer<typeof RecordHistory>

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
  by: z.string(),
  /**
   * Order: the most frequent value first, then by value; months in order. Each different element of a list counts as a
   * value. At most 1,000 items: if there are more values, the last item counts the rest.
   */
  items: z.array(CountItem),
  totalCount: z.int(),
  recordCount: z.int(),
}))
export type Counts = z.infer<typeof Counts>

export type Batch = Readonly<Partial<Record<TableName, readonly unknown[]>>>

export type Created = Readonly<Partial<Record<TableName, readonly object[]>>>

/** The authors of changes: requests to the service, the control plane, scenarios, and the time that has passed. */
export const authors = ['service', 'control', 'scenario', 'clock'] as const

const sinceText =
  'must be the id of a request, 0 for the start of the session, or an instant like 2026-01-15T12:00Z'

export const ChangesSince = z.union(
  [
    z.int(sinceText).nonnegative(sinceText).max(MAX_INTEGER, sinceText),
    z
      .string()
      .refine((text) => utcDateTime.safeParse(text).success, sinceText)
      .meta({ format: 'date-time' }),
  ],
  sinceText,
)

export const ChangeFilter = lazyStrictObject(() => ({
  since: ChangesSince.optional().describe(
    'Only changes after the request with this id in the journal, or at this instant of the session’s clock and later. Default: 0, the start of the session: when it was opened, reset or restored, or when the server was started. Example: `3`.',
  ),
  by: z
    .enum(authors)
    .optional()
    .describe(
      'Only changes by this author: `service` for requests to `/v1`, `control` for arranged records and undone changes, `scenario`, or `clock` for what time changes in living data. Default: all. Example: `service`.',
    ),
}))

/** Which changes to list. */
export interface ChangeFilter extends Input<typeof ChangeFilter> {}

/** A record that was changed: by whom, and its versions before and after. */
export const WrittenChange = RecordChange.extend({
  by: z.enum(authors).describe('Who has changed it last'),
  at: utcDateTime
    .optional()
    .describe(
      'The time of the last change on the session’s clock; absent for `clock` if the record does not say it',
    ),
  request: z.int().optional().describe('The id of the request that has changed it'),
  scenario: z.string().optional().describe('The name of the scenario that has changed it'),
  fields: z.array(z.string()).optional().describe('The fields that differ, if it is replaced'),
  before: z.record(z.string(), z.unknown()).nullable().describe('Null if it is created'),
  after: z.record(z.string(), z.unknown()).nullable().describe('Null if it is deleted'),
})
export type WrittenChange = z.infer<typeof WrittenChange>

/** Which of the latest changes to list. */
export interface LatestFilter extends ChangeFilter {
  readonly kind?: WrittenChange['kind'] | undefined
}
