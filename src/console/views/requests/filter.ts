import type { RequestSummary } from '../../../control/journal/view.ts'
import { statusClassOf } from '../../parts/status.ts'

/** What the list may be narrowed to besides by values. */
export const onlies = { warnings: 'With warnings', faults: 'Answered by a fault' } as const

/** By what requests are chosen, as the address names it. */
export const filterNames = ['text', 'method', 'status', 'operationId', 'caller', 'only'] as const
export type FilterName = (typeof filterNames)[number]

/** Which requests are listed; "" for any. */
export type Filter = Readonly<Record<FilterName, string>>

/** Lets everything through. */
export const noFilter: Filter = { text: '', method: '', status: '', operationId: '', caller: '', only: '' }

/** The filter of an address. */
export function filterOf(query: URLSearchParams): Filter {
  const filter: Record<FilterName, string> = { ...noFilter }
  for (const name of filterNames) filter[name] = query.get(name) ?? ''
  return filter
}

/** Says of a request whether a filter lets it through. */
export function letThroughBy(filter: Filter): (request: RequestSummary) => boolean {
  const { method, status, operationId, caller, only } = filter
  const text = filter.text.trim().toLowerCase()
  return (request) =>
    (method === '' || request.method === method) &&
    (status === '' || `${request.status}` === status || statusClassOf(request.status) === status) &&
    (operationId === '' || (request.operationId ?? 'none') === operationId) &&
    (caller === '' || `${request.caller?.id ?? 'none'}` === caller) &&
    (only !== 'warnings' || request.warnings.length > 0) &&
    (only !== 'faults' || request.fault !== undefined) &&
    (text === '' || textOf(request).includes(text))
}

/** Path and query as they were asked for, from `/v1` on. */
export function targetOf({ path, url }: RequestSummary): string {
  const start = url.indexOf('?')
  return start === -1 ? path : path + url.slice(start)
}

function textOf(request: RequestSummary): string {
  const { operationId = '', caller } = request
  return `${decoded(targetOf(request))} ${operationId} ${caller?.name ?? ''}`.toLowerCase()
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
