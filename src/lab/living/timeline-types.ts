import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { tableNames } from '../../store/tables.ts'

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

export const EventsQuery = lazyStrictObject(() => ({
  /** The first day. Default: that of the dataset. @example '2026-02-01T00:00Z' */
  from: utcDateTime.optional().describe('The first day. Default: that of the dataset.'),
  /** The last day, at most 400 days later. Default: 30 days later. @example '2026-03-01T00:00Z' */
  to: utcDateTime.optional().describe('The last day, at most 400 days later. Default: 30 days later.'),
}))
/** The days whose events to count. Units: instants in UTC. */
export type EventsOptions = z.input<typeof EventsQuery>

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
