import type { Context } from 'hono'

import { toSortable } from '../contract/fields.ts'
import { findUnknownNames, splitAtCommas } from '../contract/query.ts'
import { type Call, type Endpoint, readRecords } from '../service/endpoint.ts'
import {
  commaText,
  futureCursorText,
  unknownParametersText,
  type Warning,
} from '../testing/journal/warnings.ts'
import type { Env, Validated } from './env.ts'
import type { Result } from './serialise.ts'

/**
 * Warns of parameters that the endpoint does not have, of values with commas that match nothing although their parts would,
 * and of a cursor after the session's time, which silently matches nothing. Source: assumption A-15.
 * @param call looks an empty list up again; a request that creates a record has none
 */
export function findWarnings(
  c: Context<Env, string, Validated>,
  endpoint: Endpoint,
  result: Result,
  call: Call | undefined,
): Warning[] {
  const warnings: Warning[] = []
  const requestIds = [c.get('entry').id]
  const { query } = c.get('contract').bind(endpoint)
  const unknown = findUnknownNames(query, Object.keys(c.req.queries()))
  if (unknown.length > 0) {
    const message = unknownParametersText(unknown, Object.keys(query.shape))
    warnings.push({ code: 'unknown_parameter', message, requestIds })
  }
  const split = call && 'page' in result && result.total === 0 ? splitAtCommas(call.query) : undefined
  const parts = split && call && readRecords(endpoint, { ...call, query: split.query })
  if (split && parts && 'page' in parts && parts.total > 0) {
    warnings.push({ code: 'comma_in_value', message: commaText(split.lists), requestIds })
  }
  const { updatedSince: cursor }: { readonly updatedSince?: unknown } = Object(c.req.valid('query'))
  const now = c.get('session').clock.now()
  if (typeof cursor === 'string' && toSortable(cursor) > toSortable(now)) {
    warnings.push({ code: 'future_cursor', message: futureCursorText(cursor, now), requestIds })
  }
  return warnings
}
