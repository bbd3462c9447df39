import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'
import { RecordCounts } from '../../testing/records/types.ts'

export const EventsQuery = lazyStrictObject(() => ({
  from: utcDateTime.optional().describe('The first day. Default: that of the dataset.'),
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
