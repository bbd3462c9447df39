import type { Context } from 'hono'

import { toSortable } from '../contract/instants.ts'
import { findUnknownNames, splitAtCommas } from '../contract/query.ts'
import type { Call, Endpoint } from '../service/endpoint.ts'
import { commaText, futureCursorText, unknownParametersText } from '../testing/journal/warnings.ts'
import type { Env, Validated } from './env.ts'
import type { Result } from './serialise.ts'

/**
 * Warns of parameters that the endpoint does not have, of values with commas that match nothing although their parts would,
 * and of a cursor after the session's time, which silently matches nothing. Returns true if there is any of them.
 * Source: assumption A-15.
 */
export function warnOfParameters(
  c: Context<Env, string, Validated>,
  endpoint: Endpoint,
  commas?: Commas,
): boolean {
  if (!c.req.url.includes('?')) return false
  const entry = c.get('entry')
  const { query } = c.get('state').contract.bind(endpoint)
  const unknown = findUnknownNames(query, Object.keys(c.req.queries()))
  if (unknown.length > 0) {
    entry.warn('unknown_parameter', unknownParametersText(unknown, Object.keys(query.parameters)))
  }
  if (commas) entry.warn('comma_in_value', commaText(commas))
  const { updatedSince: cursor }: { readonly updatedSince?: unknown } = Object(c.req.valid('query'))
  const now = c.get('session').clock.now()
  const isFuture = typeof cursor === 'string' && toSortable(cursor) > toSortable(now)
  if (isFuture) entry.warn('future_cursor', futureCursorText(cursor, now))
  return unknown.length > 0 || commas !== undefined || isFuture
}

/** Values with commas that match nothing, although their parts would. Shape: the parts by parameter. */
type Commas = Parameters<typeof commaText>[0]

export function findMisreadCommas(endpoint: Endpoint, call: Call, result: Result): Commas | undefined {
  const split = 'page' in result && result.total === 0 ? splitAtCommas(call.query) : undefined
  const parts = split && endpoint.handle({ ...call, query: split.query })
  return parts && 'page' in parts && parts.total > 0 ? split?.lists : undefined
}
