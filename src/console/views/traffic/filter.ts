import type { RequestSummary } from '../../../journal/view.ts'
import { classifyStatus } from '../../components/status.tsx'
import { linkTo, place } from '../../place.ts'

/** The filters, as named in the URL; `from` and `to` limit the real start time, in milliseconds. */
export const filterNames = ['text', 'status', 'operationId', 'caller', 'only', 'from', 'to'] as const
export type FilterName = (typeof filterNames)[number]

/** The filter of the list; "" for any. */
export type Filter = Readonly<Record<FilterName, string>>

/** The filter that matches everything. */
export const noFilter: Filter = {
  text: '',
  status: '',
  operationId: '',
  caller: '',
  only: '',
  from: '',
  to: '',
}

/** Reads the filter from a URL's query. */
export function parseFilter(query: URLSearchParams): Filter {
  const filter: Record<FilterName, string> = { ...noFilter }
  for (const name of filterNames) filter[name] = query.get(name) ?? ''
  return filter
}

/**
 * Creates a function that checks whether a request matches a filter.
 * @param found the ids of the requests with the text in a body
 */
export function createMatcher(
  filter: Filter,
  found: ReadonlySet<number>,
): (request: RequestSummary) => boolean {
  const { status, operationId, caller, only, from, to } = filter
  const text = filter.text.trim().toLowerCase()
  return (request) =>
    (status === '' || `${request.status}` === status || classifyStatus(request.status) === status) &&
    (operationId === '' || (request.operationId ?? 'none') === operationId) &&
    (caller === '' || `${request.caller?.id ?? 'none'}` === caller) &&
    (only !== 'warnings' || request.warnings.length > 0) &&
    (only !== 'faults' || request.fault !== undefined) &&
    (from === '' || request.startedMs >= Number(from)) &&
    (to === '' || request.startedMs < Number(to)) &&
    (text === '' || getSearchText(request).includes(text) || found.has(request.id))
}

/** Returns path and query as requested, from `/v1` on. */
export function getTarget({ path, url }: Pick<RequestSummary, 'path' | 'url'>): string {
  const start = url.indexOf('?')
  return start === -1 ? path : path + url.slice(start)
}

function getSearchText(request: RequestSummary): string {
  const { method, operationId = '', caller } = request
  return `${method} ${decode(getTarget(request))} ${operationId} ${caller?.name ?? ''}`.toLowerCase()
}

/** Decodes a part of a URL for people; returns invalid text unchanged. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Builds the link to a request that keeps the list's filter; without an id, to the list. */
export function linkToRequest(id?: number): string {
  return linkTo('traffic', id === undefined ? [] : [`${id}`], place.value.query)
}
