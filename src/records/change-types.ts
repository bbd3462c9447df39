import * as z from 'zod'

import { MAX_INTEGER, utcDateTime } from '../contract/fields.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { RecordChange } from './types.ts'

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
  since: ChangesSince.optional(),
  by: z.enum(authors).optional(),
}))

/** Which changes to list. */
export interface ChangeFilter {
  /**
   * Only changes after the request with this id in the journal, or at this instant of the session's clock and later.
   * Default: 0, the start of the session: when it was opened, reset or restored, or when the server was started.
   * @example 3
   */
  readonly since?: number | string | undefined
  /**
   * Only changes by this author: `service` for requests to `/v1`, `control` for arranged records and undone changes,
   * `scenario`, or `clock` for what time changes in living data. Default: all.
   * @example 'service'
   */
  readonly by?: (typeof authors)[number] | undefined
}

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
