import { computed, signal } from '@preact/signals'

import type { RequestSummary } from '../../../journal/view.ts'
import { requests } from '../../live.ts'
import { place } from '../../place.ts'
import { foundIds } from './body-search.ts'
import { createMatcher, parseFilter } from './filter.ts'
import { type Context, type Pattern, Timeline, measureMove } from './timeline.ts'

/** The number of requests to keep while the rows must not move. */
const MAX_KEPT = 3_000

/** Whether rows must not move: requests that leave the journal then stay in the list. */
export const isHeld = signal(false)

let kept: readonly RequestSummary[] = []

const entries = computed((): readonly RequestSummary[] => {
  const now = requests.value
  const first = now[0]
  const gone = isHeld.value && first ? kept.filter(({ id }) => id < first.id) : []
  kept = gone.length === 0 ? now : [...gone, ...now].slice(-MAX_KEPT)
  return kept
})

const timeline = new Timeline()

/** The relations between the requests of the journal. */
const contexts = computed(() => timeline.relate(entries.value))

const matches = computed(() => createMatcher(parseFilter(place.value.query), foundIds.value))

/** The requests that match the filter. Order: as they arrived. */
export const shown = computed(() => entries.value.filter(matches.value))

/** A row of the list. */
export type Item =
  | { readonly kind: 'request'; readonly request: RequestSummary; readonly context: Context }
  | { readonly kind: 'pattern'; readonly pattern: Pattern; readonly context: Context }
  | { readonly kind: 'move'; readonly movedMs: number; readonly request: RequestSummary }
  | { readonly kind: 'group'; readonly group: Group }

/** The requests of an operation. */
export interface Group {
  /** `none` for paths without an operation. */
  readonly name: string
  readonly requests: readonly RequestSummary[]
  readonly isOpen: boolean
}

/** Lists requests in time, with moves of the clock and patterns between them. */
export const items = computed(() => {
  const list: Item[] = []
  const named = new Set<number>()
  let before: RequestSummary | undefined
  for (const request of shown.value) {
    const context = contexts.value.get(request.id)
    if (!context) continue
    const movedMs = before && measureMove(before, request)
    if (movedMs !== undefined) list.push({ kind: 'move', movedMs, request })
    const { pattern } = context
    if (pattern && !named.has(pattern.firstId)) {
      named.add(pattern.firstId)
      list.push({ kind: 'pattern', pattern, context })
    }
    list.push({ kind: 'request', request, context })
    before = request
  }
  return list
})

/** Lists requests by operation; those of a closed group are hidden. Order: by name. */
export function groupItems(open: ReadonlySet<string>): readonly Item[] {
  const groups = new Map<string, RequestSummary[]>()
  for (const request of shown.value) {
    const { operationId = 'none' } = request
    groups.set(operationId, [...(groups.get(operationId) ?? []), request])
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, own]): Item[] => [
      { kind: 'group', group: { name, requests: own, isOpen: open.has(name) } },
      ...(open.has(name) ? own : []).flatMap((request): Item[] => {
        const context = contexts.value.get(request.id)
        return context ? [{ kind: 'request', request, context: { ...context, pauseMs: undefined } }] : []
      }),
    ])
}
