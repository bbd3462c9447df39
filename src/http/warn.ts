import { toSortable } from '../contract/fields.ts'
import { findArrayNames, splitAtCommas, withoutIndex } from '../contract/query.ts'
import { nearest } from '../core/nearest.ts'
import { enumerate } from '../core/words.ts'
import type { Operation } from '../service/contract.ts'
import { type Call, readRecords, type Result } from '../service/endpoint.ts'
import type { Warning } from '../testing/journal/warnings.ts'
import type { RouteContext } from './env.ts'

/**
 * Warns of parameters that the endpoint does not have, of values with commas that match nothing although their parts would,
 * and of a cursor after the session's time, which silently matches nothing. Source: assumption A-15.
 * @param call looks an empty list up again; a request that creates a record has none
 */
export function findWarnings(
  c: RouteContext,
  operation: Operation,
  result: Result,
  call: Call | undefined,
): Warning[] {
  const warnings: Warning[] = []
  const requestIds = [c.get('entry').id]
  const { query } = operation
  const unknown = findUnknownNames(query, Object.keys(c.req.queries()))
  if (unknown.length > 0) {
    const message = unknownParametersText(unknown, Object.keys(query.shape))
    warnings.push({ code: 'unknown_parameter', message, requestIds })
  }
  const split = call && 'page' in result && result.total === 0 ? splitAtCommas(call.query) : undefined
  const parts = split && call && readRecords(operation, { ...call, query: split.query })
  if (split && parts && 'page' in parts && parts.total > 0) {
    warnings.push({ code: 'comma_in_value', message: commaText(split.lists), requestIds })
  }
  const { updatedSince: cursor }: { readonly updatedSince?: unknown } = Object(c.req.valid('query'))
  const now = c.get('session').clock.now()
  if (typeof cursor === 'string' && toSortable(cursor) > toSortable(now)) {
    const message = `updatedSince ${encode(cursor)} is after the present, ${now}, so nothing matches: use the Date of an earlier response as a cursor, or move the clock`
    warnings.push({ code: 'future_cursor', message, requestIds })
  }
  return warnings
}

export function findUnknownNames(query: Operation['query'], names: readonly string[]): string[] {
  const others = names.filter((name) => !Object.hasOwn(query.shape, name))
  // Only a name like `segment[0]` may be that of an array.
  if (!others.some((name) => name.endsWith(']'))) return others
  const arrays = findArrayNames(query)
  return others.filter((name) => !arrays.has(withoutIndex(name, arrays)))
}

const NOT_PRINTABLE = /[^\x20-\x7e]/gu
const MAX_NAMES = 5
const MAX_NAME_LENGTH = 60
const MAX_MESSAGE_LENGTH = 500
const MAX_HEADER_LENGTH = 2_000

/** Names unknown query parameters, the first five with the nearest known one. Source: assumption A-15. */
function unknownParametersText(names: readonly string[], parameters: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => {
    const suggestion = nearest(name.slice(0, MAX_NAME_LENGTH), parameters)
    return suggestion === undefined ? encode(name) : `${encode(name)} (did you mean ${suggestion}?)`
  })
  return `unknown query parameters ignored: ${enumerate([...shown, ...names.slice(MAX_NAMES)], MAX_NAMES)}`
}

/** Explains that a list is empty because a comma does not separate values. Source: assumption A-13. */
function commaText(lists: Readonly<Record<string, readonly string[]>>): string {
  const pairs = Object.entries(lists).flatMap(([name, values]) =>
    values.map((value) => `${name}=${encode(value)}`),
  )
  const repeated = enumerate(pairs, MAX_NAMES, '&')
  return `a value with a comma matches nothing, but its parts do: repeat the parameter, as in ${repeated}`
}

/** Percent-encodes a text, cut at 60 characters. */
const encode = (text: string): string => encodeURIComponent(text).slice(0, MAX_NAME_LENGTH)

/** Renders warnings as the value of a header: printable ASCII, 2,000 characters at most. */
export function renderWarningHeader(warnings: readonly Warning[]): string {
  return warnings
    .map(({ message }) => message.replaceAll(NOT_PRINTABLE, '?').slice(0, MAX_MESSAGE_LENGTH))
    .join('; ')
    .slice(0, MAX_HEADER_LENGTH)
}
