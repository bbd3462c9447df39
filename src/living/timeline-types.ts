import * as z from 'zod'

import { pagination, recordId, utcDateTime } from '../contract/fields.ts'
import { lazyObject, lazyStrictObject } from '../core/lazy-schema.ts'
import { type TableName, tableNames } from '../store/tables.ts'

const collection = z.enum(tableNames)
const change = z.enum(['created', 'changed', 'deleted'])

export const RecordCounts = z.partialRecord(z.enum(tableNames), z.int())
export type RecordCounts = z.infer<typeof RecordCounts>

export const ChangesQuery = lazyStrictObject(() => ({
  since: utcDateTime.optional().describe('The earlier instant. Default: the time of the dataset.'),
  until: utcDateTime.optional().describe('The later instant. Default: the session’s now.'),
  collection: collection.optional().describe('Only records of this collection'),
  ...pagination,
}))

/** Which changes to list. Units: instants in UTC. */
export interface ChangesOptions {
  /** The earlier instant. Default: the dataset's `now`. @example '2026-01-20T00:00Z' */
  readonly since?: string | undefined
  /** The later instant. Default: the session's now. @example '2026-01-27T00:00Z' */
  readonly until?: string | undefined
  /** Only records of this collection. @example 'customers' */
  readonly collection?: TableName | undefined
  /** The number of records to skip. Default: 0. @example 100 */
  readonly offset?: number | undefined
  /** The maximum number of records, up to 250. Default: 100. @example 250 */
  readonly limit?: number | undefined
}

export const ChangedRecord = lazyObject(() => ({
  collection,
  id: recordId,
  /** The name of the record, or the beginning of its text. */
  name: z.string(),
  change,
  /** The time of its last change; absent for a change of the session whose time is not known. */
  at: utcDateTime.optional(),
  /** True if the session has made the change, and not time. */
  bySession: z.literal(true).optional(),
  /** The fields that differ, if the record has changed. */
  fields: z.array(z.string()).optional(),
}))
export type ChangedRecord = z.infer<typeof ChangedRecord>

export const ChangedRecords = lazyObject(() => ({
  since: utcDateTime,
  until: utcDateTime,
  counts: RecordCounts,
  /** Order: by collection, then as the service lists them. */
  items: z.array(ChangedRecord),
  totalCount: z.int(),
}))
export type ChangedRecords = z.infer<typeof ChangedRecords>

export const Version = lazyObject(() => ({
  /** Absent for a change of the session whose time is not known. */
  at: utcDateTime.optional(),
  change,
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
export type Version = z.infer<typeof Version>

/** The changes of a record since the dataset. Order: by time; at most the last 250. */
export const RecordHistory = lazyObject(() => ({ items: z.array(Version), totalCount: z.int() }))
export type RecordHistory = z.infer<typeof RecordHistory>

export const EventsQuery = lazyStrictObject(() => ({
  from: utcDateTime.optional().describe('The first day. Default: that of the dataset.'),
  to: utcDateTime.optional().describe('The last day, at most 400 days later. Default: 30 days later.'),
}))

/** The days whose events to count. Units: instants in UTC. */
export interface EventsOptions {
  /** The first day. Default: that of the dataset. @example '2026-02-01T00:00Z' */
  readonly from?: string | undefined
  /** The last day, at most 400 days later. Default: 30 days later. @example '2026-03-01T00:00Z' */
  readonly to?: string | undefined
}

export const Events = lazyObject(() => ({
  from: utcDateTime,
  to: utcDateTime,
  /** The first instant after the session's now at which a record changes, if it is within 31 days. */
  next: utcDateTime.optional(),
  /** Order: by day. Days without changes are left out. */
  items: z.array(z.object({ day: z.iso.date(), counts: RecordCounts })),
  totalCount: z.int(),
}))
export type Events = z.infer<typeof Events>
