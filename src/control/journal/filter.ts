import * as z from 'zod'

import { invalidRequest } from '../../contract/errors.ts'
import { integerParameter, MAX_INTEGER } from '../../contract/fields.ts'
import { bodyErrors } from '../../contract/issues.ts'
import { differences } from './differences.ts'
import type { Entry } from './entry.ts'
import type { Journal } from './journal.ts'
import { caller, method, operationId, outcome, path, pattern } from './pattern.ts'

const whole = (least: number, most: number) =>
  z
    .int('must be a whole number in decimal digits, given once')
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)

const paging = {
  /** Only requests with a larger id. */
  since: whole(0, MAX_INTEGER).optional(),
  offset: whole(0, MAX_INTEGER).default(0),
  limit: whole(1, 1_000).default(1_000),
}

/** Which requests of a journal are listed. */
export const RequestFilter = z.strictObject({ ...pattern, ...paging })
export type RequestFilter = z.input<typeof RequestFilter>

/** The same as parameters of a query; `bodies=false` leaves out headers and bodies. */
export const FilterParameters = z.strictObject({
  operationId: operationId.optional(),
  method: method.optional(),
  path: path.optional(),
  status: integerParameter(outcome.optional()),
  caller: integerParameter(caller.optional()),
  since: integerParameter(paging.since),
  offset: integerParameter(paging.offset),
  limit: integerParameter(paging.limit),
  bodies: z.enum(['true', 'false']).default('true'),
})

/** Matching entries of a page, and how many there are before pagination. */
export interface Found {
  readonly entries: readonly Entry[]
  readonly totalCount: number
}

/** The entries that a filter lets through. Order: by id ascending. */
export function found(journal: Journal, filter: z.output<typeof RequestFilter>): Found {
  const { since, offset, limit, ...wanted } = filter
  const entries = journal.entries(since).filter((entry) => differences(entry, wanted).length === 0)
  return { entries: entries.slice(offset, offset + limit), totalCount: entries.length }
}

/** A filter as it may be used. Errors: invalid_request that names each field, with the nearest known one. */
export function parsedFilter(filter: RequestFilter): z.output<typeof RequestFilter> {
  const parsed = RequestFilter.safeParse(filter)
  if (parsed.success) return parsed.data
  throw invalidRequest(bodyErrors(parsed.error.issues, Object.keys(RequestFilter.shape)))
}
