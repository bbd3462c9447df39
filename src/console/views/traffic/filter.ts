import type { RequestSummary } from '../../../journal/view.ts'
import { classifyStatus } from '../../components/status.tsx'
import { linkTo, place } from '../../place.ts'

/** Filters by property instead of by value. */
export const onlyLabels = { warnings: 'With warnings', faults: 'With faults' } as const

/** The filters, as named in the URL. */
export const filterNames = ['text', 'method', 'status', 'operationId', 'caller', 'only'] as const
export type FilterName = (typeof filterNames)[number]

/** The filter of the list; "" for any. */
export type Filter = Readonly<Record<FilterName, string>>

/** The filter that matches everything. */
export const noFilter: Filter = { text: '', method: '', status: '', operationId: '', caller: '', only: '' }

/** Reads the filter from a URL's query. */
export function parseFilter(query: URLSearchParams): Filter {
  const filter: Record<FilterName, string> = { ...noFilter }
  for (const name of filterNames) filter[name] = query.get(name) ?? ''
  return filter
}

/** Creates a function that checks whether a request matches a filter. */
export function createMatcher(filter: Filter): (request: RequestSummary) => boolean {
  const { method, status, operationId, caller, only } = filter
  const text = filter.text.trim().toLowerCase()
  return (request) =>
    (method === '' || request.method === method) &&
    (status === '' || `${request.status}` === status || classifyStatus(request.status) === status) &&
    (operationId === '' || (request.operationId ?? 'none') === operationId) &&
    (caller === '' || `${request.caller?.id ?? 'none'}` === caller) &&
    (only !== 'warnings' || request.warnings.length > 0) &&
    (only !== 'faults' || request.fault !== undefined) &&
    (text === '' || getSearchText(request).includes(text))
}

/** Returns path and query as requested, from `/v1` on. */
export function getTarget({ path, url }: RequestSummary): string {
  const start = url.indexOf('?')
  return start === -1 ? path : path + url.slice(start)
}

function getSearchText(request: RequestSummary): string {
  const { operationId = '', caller } = request
  return `${decode(getTarget(request))} ${operationId} ${caller?.name ?? ''}`.toLowerCase()
}

function decode(text: string): string {
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
