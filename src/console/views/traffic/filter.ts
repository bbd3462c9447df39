import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { classifyStatus } from '../../components/status.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place } from '../../place.ts'
import { journalRevision } from '../../shell/overview.ts'

/** The filter in the URL; "" for any. */
export const filter = computed(() => {
  const { query } = place.value
  return { text: query.get('text') ?? '', status: query.get('status') ?? '' }
})

/** Whether the list is filtered. */
export const isFiltered = computed(() => filter.value.text + filter.value.status !== '')

/** The ids of the requests that have the searched text in a body. */
const found = signal<ReadonlySet<number>>(new Set())

/** Checks whether a request matches the filter. */
export const matches = computed(() => {
  const { status } = filter.value
  const text = filter.value.text.trim().toLowerCase()
  const ids = found.value
  return (request: RequestSummary): boolean =>
    (status === '' || `${request.status}` === status || classifyStatus(request.status) === status) &&
    (text === '' || ids.has(request.id) || getSearchText(request).includes(text))
})

/** Returns path and query as requested, from `/v1` on. */
export function getTarget({ path, url }: Pick<RequestSummary, 'path' | 'url'>): string {
  const start = url.indexOf('?')
  return start === -1 ? path : path + url.slice(start)
}

function getSearchText(request: RequestSummary): string {
  const { method, operationId, caller, fault, warnings } = request
  const parts = [method, decode(getTarget(request)), operationId, caller?.name, fault && `fault ${fault}`]
  return [...parts, ...warnings.map(({ code }) => `warning ${code}`)].join(' ').toLowerCase()
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

/** Searches the bodies of all requests for the text in the URL, again after new ones. */
export function useBodySearch(): void {
  const text = filter.value.text.trim()
  const call = prepare('get', routes.requests, { query: { text, bodies: 'false' } })
  const { value } = useRead(text === '' ? undefined : call, journalRevision.value)
  useEffect(() => {
    found.value = new Set(value?.items.map(({ id }) => id))
  }, [value])
}
