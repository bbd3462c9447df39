import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import type { RequestSummary } from '../../../testing/journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { classifyStatus } from '../../components/status.tsx'
import { useRead } from '../../components/use-calls.ts'
import { getTarget } from '../../curl.ts'
import { MAX_REQUESTS, requests } from '../../live.ts'
import { decode, linkTo, param, place } from '../../place.ts'
import { journalRevision } from '../../shell/overview.ts'

/** The latest request when the rows were last held in place; undefined while new ones may move them. */
export const heldAt = signal<number | undefined>()

export const isFiltered = computed(() => param('text') + param('status') !== '')

const found = signal<ReadonlySet<number>>(new Set())

/** Finds the requests whose bodies contain the text of the filter, which only the server has. */
export function useBodySearch(): void {
  const text = param('text').trim()
  const call = prepare('get', routes.requests, { query: { text, bodies: 'false' } })
  const { value } = useRead(text === '' ? undefined : call, journalRevision.value)
  useEffect(() => {
    found.value = new Set(value?.items.map(({ id }) => id))
  }, [value])
}

/** The requests that match the filter. Order: the latest first. */
const matching = computed((): readonly RequestSummary[] => {
  const [status, text] = [param('status'), param('text').trim().toLowerCase()]
  const ids = found.value
  const isMeant = (request: RequestSummary): boolean =>
    (status === '' || `${request.status}` === status || classifyStatus(request.status) === status) &&
    (text === '' || ids.has(request.id) || getSearchText(request).includes(text))
  return requests.value.filter(isMeant).toReversed()
})

function getSearchText(request: RequestSummary): string {
  const { method, operationId, caller, fault, warnings, problem, scenarios = [] } = request
  const parts = [
    method,
    decode(getTarget(request).replaceAll('+', ' ')),
    operationId,
    caller?.name,
    fault && `fault ${fault}`,
    problem,
    ...scenarios.map(({ name, did }) => `scenario ${name} ${did}`),
  ]
  return [...parts, ...warnings.map(({ code }) => `warning ${code}`)].join(' ').toLowerCase()
}

/** The rows of the list: while they are held in place, without those that arrived since. */
export const shown = computed(() => {
  const last = heldAt.value ?? Infinity
  return matching.value.filter(({ id }) => id <= last)
})

/** The number of requests since the rows were held in place. */
export const unseen = computed(() => matching.value.length - shown.value.length)

/** Whether the journal has dropped requests that are older than the first one. */
export const hasDropped = computed(
  () => requests.value.length >= MAX_REQUESTS && (requests.value[0]?.id ?? 1) > 1,
)

/** Builds the link to a request that keeps the list's filter; without an id, to the list. */
export function linkToRequest(id?: number, query = place.value.query): string {
  const kept = Array.from(query).filter(([name]) => !['record', 'as'].includes(name))
  return linkTo('traffic', id === undefined ? [] : [`${id}`], new URLSearchParams(kept))
}
