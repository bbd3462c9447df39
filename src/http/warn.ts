import type { Context } from 'hono'

import { toSortable } from '../contract/instants.ts'
import { findUnknownNames, splitAtCommas } from '../contract/query.ts'
import type { Call, Endpoint } from '../service/endpoint.ts'
import {
  commaText,
  futureCursorText,
  unknownParametersText,
  type WarningCode,
} from '../testing/journal/warnings.ts'
import type { Env, Validated } from './env.ts'
import type { Result } from './serialise.ts'

/**
 * Warns of parameters that the endpoint does not have, of values with commas that match nothing although their parts would,
 * and of a cursor after the session's time, which silently matches nothing. Source: assumption A-15.
 * @param found the list that the request has found, which only an empty one is looked up again for
 */
export function findWarnings(
  c: Context<Env, string, Validated>,
  endpoint: Endpoint,
  found?: { readonly call: Call; readonly result: Result },
): (readonly [WarningCode, string])[] {
  const warnings: (readonly [WarningCode, string])[] = []
  const { query } = c.get('state').contract.bind(endpoint)
  const unknown = findUnknownNames(query, Object.keys(c.req.queries()))
  if (unknown.length > 0) {
    warnings.push(['unknown_parameter', unknownParametersText(unknown, Object.keys(query.parameters))])
  }
  const isEmpty = found && 'page' in found.result && found.result.total === 0
  const split = isEmpty ? splitAtCommas(found.call.query) : undefined
  const parts = split && found && endpoint.handle({ ...found.call, query: split.query })
  if (split && parts && 'page' in parts && parts.total > 0) {
    warnings.push(['comma_in_value', commaText(split.lists)])
  }
  const { updatedSince: cursor }: { readonly updatedSince?: unknown } = Object(c.req.valid('query'))
  const now = c.get('session').clock.now()
  if (typeof cursor === 'string' && toSortable(cursor) > toSortable(now)) {
    warnings.push(['future_cursor', futureCursorText(cursor, now)])
  }
  return warnings
}
