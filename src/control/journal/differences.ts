import type { Entry } from './entry.ts'
import type { RequestPattern } from './pattern.ts'
import { withoutVersion } from './pattern.ts'
import { callerOf, outcomeText, queryOf, requestText } from './view.ts'

/** Something in which a request differs from a pattern. */
export interface Difference {
  readonly text: string
  /** The larger, the less the request is meant. */
  readonly weight: number
}

/** The weight of another operation. */
export const OTHER_OPERATION = 4

const MAX_TEXT = 80

/** A value as it stands in a message, cut at 80 characters. */
export function quoted(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** In what a request differs from a pattern; empty where it matches. */
export function differences(entry: Entry, pattern: RequestPattern): Difference[] {
  return [
    ...ofOperation(entry, pattern),
    ...ofPlace(entry, pattern),
    ...ofCaller(entry, pattern),
    ...ofStatus(entry, pattern),
    ...ofQuery(entry, pattern),
    ...(pattern.body === undefined ? [] : ofBody(entry, pattern.body)),
  ]
}

const differs = (what: string, is: unknown, wanted: unknown, weight = 1): Difference => ({
  text: `${what} is ${typeof is === 'string' ? is : quoted(is)}, not ${typeof wanted === 'string' ? wanted : quoted(wanted)}`,
  weight,
})

function ofOperation({ endpoint }: Entry, { operationId }: RequestPattern): Difference[] {
  if (operationId === undefined || endpoint?.id === operationId) return []
  return [differs('operationId', endpoint?.id ?? 'none', operationId, OTHER_OPERATION)]
}

function ofPlace(entry: Entry, { method, path }: RequestPattern): Difference[] {
  const found: Difference[] = []
  if (method !== undefined && entry.method !== method) found.push(differs('method', entry.method, method, 2))
  if (path === undefined || entry.endpoint?.path === path) return found
  const asked = withoutVersion(entry.path)
  if (asked !== path && decoded(asked) !== path) found.push(differs('path', asked, path, 3))
  return found
}

function ofCaller(entry: Entry, { caller }: RequestPattern): Difference[] {
  if (caller === undefined || (entry.caller?.id ?? 'none') === caller) return []
  const is = callerOf(entry)
  return [differs('caller', is ? `${is.id} (${is.name})` : 'none', caller)]
}

function ofStatus({ status }: Entry, { status: wanted }: RequestPattern): Difference[] {
  if (wanted === undefined || status === wanted) return []
  if (typeof status === 'number' && wanted === `${Math.floor(status / 100)}xx`) return []
  return [differs('status', outcomeText(status), wanted)]
}

function ofQuery(entry: Entry, { query }: RequestPattern): Difference[] {
  if (!query) return []
  const asked = queryOf(entry)
  return Object.entries(query).flatMap(([name, wanted]) => {
    const values = asked
      .filter((one) => folded(one.name) === name || one.name === name)
      .map((one) => one.value)
    const is = values.length > 1 ? values : values[0]
    if (wanted === null) return is === undefined ? [] : [differs(`query.${name}`, quoted(is), 'absent')]
    const texts = [wanted].flat().map(String)
    const fits = texts.every((text) => values.includes(text))
    return fits ? [] : [differs(`query.${name}`, quoted(is), quoted(texts.length > 1 ? texts : texts[0]))]
  })
}

/** `segment[]` and `segment[0]` are `segment`. Source: assumption A-13. */
const folded = (name: string): string => name.replace(/\[\d*\]$/, '')

function ofBody(entry: Entry, wanted: unknown): Difference[] {
  if (!entry.hasBodies) return [{ text: 'body is no longer kept', weight: 1 }]
  const text = requestText(entry)
  if (text === undefined) return [{ text: 'body is absent', weight: 1 }]
  try {
    return ofValue('body', JSON.parse(text), wanted)
  } catch {
    return [{ text: 'body is no JSON', weight: 1 }]
  }
}

function ofValue(at: string, is: unknown, wanted: unknown): Difference[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(is)) return [differs(at, quoted(is), quoted(wanted))]
    if (is.length !== wanted.length)
      return [{ text: `${at} has ${is.length} elements, not ${wanted.length}`, weight: 1 }]
    return wanted.flatMap((element, index) => ofValue(`${at}[${index}]`, is[index], element))
  }
  if (!isObject(wanted)) return Object.is(is, wanted) ? [] : [differs(at, quoted(is), quoted(wanted))]
  if (!isObject(is)) return [differs(at, quoted(is), quoted(wanted))]
  return Object.entries(wanted).flatMap(([key, value]) => ofValue(`${at}.${key}`, is[key], value))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
