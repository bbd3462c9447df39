import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { RequestError, read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { classifyStatus } from '../../components/status.tsx'
import { requests } from '../../live.ts'
import { linkTo, place, session } from '../../place.ts'

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

/** The interval of searches. Units: milliseconds. */
const SEARCH_MS = 150

/** Searches the bodies of all requests for the text in the URL, and those of new requests as they arrive. */
export function useBodySearch(): void {
  const text = filter.value.text.trim()
  useEffect(() => {
    found.value = new Set()
    let searched: unknown
    let since = 0
    const controller = new AbortController()
    const search = async (): Promise<void> => {
      const entries = requests.peek()
      if (searched === entries || controller.signal.aborted) return
      searched = entries
      const last = entries.at(-1)?.id ?? 0
      // The ids start again after a reset.
      if (last < since) since = 0
      const query = { text, bodies: 'false', since: `${since}` } as const
      const { items } = await read(prepare('get', routes.requests, { query }), controller.signal)
      // Pending requests are searched again.
      since = (entries.find(({ status }) => status === 'pending')?.id ?? last + 1) - 1
      if (items.length > 0) found.value = new Set([...found.peek(), ...items.map(({ id }) => id)])
    }
    if (text !== '') void repeat(search, controller.signal)
    return () => controller.abort()
  }, [text, session.value])
}

/** Repeats a call, one at a time; the list still matches by URL and caller if it fails. */
async function repeat(call: () => Promise<void>, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- also delays the first call until the text is complete
    await new Promise((resolve) => setTimeout(resolve, SEARCH_MS))
    try {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await call()
    } catch (error) {
      if (!until.aborted && !(error instanceof RequestError)) throw error
    }
  }
}
