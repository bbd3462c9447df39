import { isObject } from '../../core/json.ts'
import type { Steps } from '../../core/slices.ts'
import { isAtPath } from '../request-target.ts'
import type { ParsedFilter, RequestPattern } from './pattern.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { maskUrl, parseQuery, readRequestBody, readResponseBody, toCaller } from './view.ts'

export interface Difference {
  readonly text: string
  readonly weight: number
}

export const OPERATION_WEIGHT = 4

const MAX_TEXT = 80

/** Finds the requests that match a filter, each in a step. */
export function* findEntries(
  all: readonly RecordedRequest[],
  filter: ParsedFilter & { readonly text?: string | undefined },
): Steps<{ readonly entries: readonly RecordedRequest[]; readonly totalCount: number }> {
  const { since = 0, offset, limit, text = '', ...pattern } = filter
  const entries: RecordedRequest[] = []
  const searched = text.toLowerCase()
  const hasText = (entry: RecordedRequest): boolean =>
    [maskUrl(entry.url), readRequestBody(entry), readResponseBody(entry)].some((part) =>
      part?.toLowerCase().includes(searched),
    )
  for (const entry of all) {
    const matches = entry.id > since && compare(entry, pattern).length === 0
    if (matches && (searched === '' || hasText(entry))) entries.push(entry)
    yield
  }
  return { entries: entries.slice(offset, offset + limit), totalCount: entries.length }
}

export function quote(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

/** Compares a request with a pattern. Returns an empty list if it matches. */
export function compare(entry: RecordedRequest, pattern: RequestPattern): Difference[] {
  const { operationId, method, path, caller, status, query, body } = pattern
  const differences: Difference[] = []
  const add = (subject: string, actual: string, expected: string | number, weight = 1): void => {
    differences.push({ text: `${subject} is ${actual}, not ${expected}`, weight })
  }
  if (operationId !== undefined && entry.endpoint?.id !== operationId)
    add('operationId', entry.endpoint?.id ?? 'none', operationId, OPERATION_WEIGHT)
  if (method !== undefined && entry.method !== method) add('method', entry.method, method, 2)
  if (path !== undefined && !isAtPath(entry.path, path))
    add('path', withoutVersion(entry.path), withoutVersion(path), 3)
  if (caller !== undefined && (entry.caller?.id ?? 'none') !== caller) {
    const actual = toCaller(entry)
    add('caller', actual ? `${actual.id} (${actual.name})` : 'none', caller)
  }
  const isInClass = typeof entry.status === 'number' && status === `${Math.floor(entry.status / 100)}xx`
  if (status !== undefined && status !== entry.status && !isInClass)
    add('status', describeOutcome(entry), status)
  if (query) differences.push(...compareQuery(entry, query))
  if (body !== undefined) differences.push(...compareBody(entry, body))
  return differences
}

export function describeOutcome({ status }: RecordedRequest): string {
  return status === 'pending' ? 'no response yet' : String(status)
}

const withoutVersion = (path: string): string => path.replace(/^\/v1(?=\/)/, '')

const createDifferences = (subject: string, actual: unknown, expected: unknown): Difference[] => [
  { text: `${subject} is ${quote(actual)}, not ${quote(expected)}`, weight: 1 },
]

function compareQuery(entry: RecordedRequest, query: NonNullable<RequestPattern['query']>): Difference[] {
  const parameters = parseQuery(entry)
  return Object.entries(query).flatMap(([name, expected]) => {
    const values = parameters
      // `segment[]` and `segment[0]` are `segment` as well. Source: assumption A-13.
      .filter((parameter) => parameter.name.replace(/\[\d*\]$/, '') === name || parameter.name === name)
      .map(({ value }) => value)
    const actual = values.length > 1 ? values : values[0]
    if (expected === null)
      return actual === undefined ? [] : createDifferences(`query.${name}`, actual, undefined)
    const texts = [expected].flat().map(String)
    if (texts.every((text) => values.includes(text))) return []
    return createDifferences(`query.${name}`, actual, texts.length > 1 ? texts : texts[0])
  })
}

function compareBody(entry: RecordedRequest, expected: unknown): Difference[] {
  if (!entry.hasBodies) return [{ text: 'body is no longer kept', weight: 1 }]
  const text = readRequestBody(entry)
  if (text === undefined) return [{ text: 'body is absent', weight: 1 }]
  try {
    return compareValue('body', JSON.parse(text), expected)
  } catch {
    return [{ text: 'body is not JSON', weight: 1 }]
  }
}

/** Compares a value with a part of it: objects may have other members, but lists must match completely. */
export function compareValue(at: string, actual: unknown, expected: unknown): Difference[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return createDifferences(at, actual, expected)
    if (actual.length !== expected.length)
      return [{ text: `${at} has ${actual.length} elements, not ${expected.length}`, weight: 1 }]
    return expected.flatMap((element, index) => compareValue(`${at}[${index}]`, actual[index], element))
  }
  if (!isObject(expected)) return Object.is(actual, expected) ? [] : createDifferences(at, actual, expected)
  if (!isObject(actual)) return createDifferences(at, actual, expected)
  return Object.entries(expected).flatMap(([key, value]) => compareValue(`${at}.${key}`, actual[key], value))
}
