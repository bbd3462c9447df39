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
import { type Context, measureMove, relate } from './timeline.ts'

const MAX_KEPT = 3_000

/** The latest request when the rows were last held in place; undefined while they may move. */
export const heldAt = signal<number | undefined>()

export const openGroups = signal<ReadonlySet<string>>(new Set())

export const isGrouped = computed(() => param('group') === 'operation')

export const isFiltered = computed(() => param('text') + param('status') !== '')

const found = signal<ReadonlySet<number>>(new Set())

export function useBodySearch(): void {
  const text = param('text').trim()
  const call = prepare('get', routes.requests, { query: { text, bodies: 'false' } })
  const { value } = useRead(text === '' ? undefined : call, journalRevision.value)
  useEffect(() => {
    found.value = new Set(value?.items.map(({ id }) => id))
  }, [value])
}

const matches = computed(() => {
  const [status, text] = [param('status'), param('text').trim().toLowerCase()]
  const ids = found.value
  return (request: RequestSummary): boolean =>
    (status === '' || `${request.status}` === status || classifyStatus(request.status) === status) &&
    (text === '' || ids.has(request.id) || getSearchText(request).includes(text))
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

/** Builds the link to a request that keeps the list's filter; without an id, to the list. */
export function linkToRequest(id?: number, query = place.value.query): string {
  const kept = Array.from(query).filter(([name]) => !['record', 'as'].includes(name))
  return linkTo('traffic', id === undefined ? [] : [`${id}`], new URLSearchParams(kept))
}

export const readRequest = (id: number) => prepare('get', routes.requests[':id'], { param: { id: `${id}` } })

let kept: readonly RequestSummary[] = []

/** The requests of the journal; those that leave it while the rows must not move stay. */
const entries = computed((): readonly RequestSummary[] => {
  const now = requests.value
  const first = now[0]
  const gone = heldAt.value !== undefined && first ? kept.filter(({ id }) => id < first.id) : []
  kept = gone.length === 0 ? now : [...gone, ...now].slice(-MAX_KEPT)
  return kept
})

const contexts = computed(() => relate(entries.value))

/** The requests that match the filter. Order: as they arrived. */
export const shown = computed(() => entries.value.filter(matches.value))

/** The number of requests since the rows were held in place. */
export const unseen = computed(() => {
  const last = heldAt.value
  if (last === undefined) return 0
  // The ids start again after a reset.
  const isNew = (shown.value.at(-1)?.id ?? 0) < last
  return shown.value.filter(({ id }) => isNew || id > last).length
})

export type Item =
  | RequestItem
  | GroupItem
  | { readonly kind: 'move'; readonly movedMs: number; readonly request: RequestSummary }
export interface RequestItem extends Context {
  readonly kind: 'request'
  readonly request: RequestSummary
}
export interface GroupItem {
  readonly kind: 'group'
  /** `none` for paths without an operation. */
  readonly name: string
  readonly requests: readonly RequestSummary[]
  readonly patterns: readonly string[]
  readonly isOpen: boolean
}

/** The rows of the list. Order: from top to bottom. */
export const items = computed((): readonly Item[] =>
  isGrouped.value ? listGroups() : listRequests(shown.value, false),
)

export const getKey = (item: Item): string =>
  item.kind === 'group' ? item.name : `${item.kind} ${item.request.id}`

/** Whether the journal has dropped requests that are older than the first one. */
export const hasDropped = computed(
  () => requests.value.length >= MAX_REQUESTS && (requests.value[0]?.id ?? 1) > 1,
)

function listRequests(own: readonly RequestSummary[], isInGroup: boolean): readonly Item[] {
  let before: RequestSummary | undefined
  const rows: Item[] = []
  for (const request of own) {
    const context = contexts.value.get(request.id)
    if (!context) continue
    const movedMs = before && measureMove(before, request)
    if (movedMs !== undefined) rows.push({ kind: 'move', movedMs, request })
    rows.push({ kind: 'request', request, ...context, pauseMs: isInGroup ? undefined : context.pauseMs })
    before = request
  }
  return rows
}

/** Lists operations by name; groups do not grow while the rows must not move. */
function listGroups(): readonly Item[] {
  const last = heldAt.value ?? Infinity
  const listed = shown.value.filter(({ id }) => id <= last)
  const groups = Map.groupBy(listed, ({ operationId = 'none' }) => operationId)
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, own]): readonly Item[] => {
      const isOpen = openGroups.value.has(name)
      const patterns = [...new Set(own.flatMap(({ id }) => contexts.value.get(id)?.pattern ?? []))]
      const group = { kind: 'group', name, requests: own, patterns, isOpen } as const
      return [group, ...(isOpen ? listRequests(own, true) : [])]
    })
}
