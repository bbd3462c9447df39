import type { RequestSummary } from '../../../testing/journal/view.ts'

/** An idle time that starts a new stretch of the waterfall. Units: milliseconds. */
const IDLE_MS = 250

/** The time after which a stretch ends, so that short requests stay visible. Units: milliseconds. */
const LONG_MS = 1_000

/** The axes of short stretches; few, because all requests of a stretch are drawn again at each. Units: milliseconds. */
const scales = [100, 400, LONG_MS]

/** The time within which the same request counts as a retry of a failed one. Units: milliseconds. */
const RETRY_MS = 60_000

/** The difference from the real time by which a clock has been moved. Units: milliseconds. */
const MOVED_MS = 500

/** Requests that follow each other closely; the waterfall shows them on the same time axis. */
interface Stretch {
  readonly startMs: number
  endMs: number
  /** The idle time before; undefined if there was none. */
  readonly pauseMs: number | undefined
}

interface Pattern {
  readonly pattern?: string
  /** The length of the pattern, at its first request. Units: milliseconds. */
  readonly patternMs?: number
}

/** Facts about a request that follow from the requests around it. Units: real milliseconds since the server started. */
export interface Context extends Pattern {
  readonly startMs: number
  readonly scaleMs: number
  /** The idle time before the request; undefined if there was none. */
  readonly pauseMs: number | undefined
  /** The id of the failed request that this one repeats. */
  readonly retryOf: number | undefined
}

/** The stretches of the last call, so that evicted requests move no others. */
let stretches: ReadonlyMap<number, Stretch> = new Map()

/** Relates requests to each other. Order: by id ascending. */
export function relate(entries: readonly RequestSummary[]): ReadonlyMap<number, Context> {
  stretches = findStretches(entries, stretches)
  const retries = findRetries(entries)
  const patterns = findPatterns(entries)
  const contexts = new Map<number, Context>()
  for (const { id, startedMs } of entries) {
    const { startMs, endMs, pauseMs } = stretches.get(id) ?? { startMs: startedMs, endMs: startedMs }
    contexts.set(id, {
      startMs,
      scaleMs: scales.find((ms) => endMs - startMs <= ms) ?? roundUp(endMs - startMs),
      pauseMs: startMs === startedMs ? pauseMs : undefined,
      retryOf: retries.get(id),
      ...patterns.get(id),
    })
  }
  return contexts
}

function findStretches(
  entries: readonly RequestSummary[],
  before: ReadonlyMap<number, Stretch>,
): ReadonlyMap<number, Stretch> {
  const found = new Map<number, Stretch>()
  let last: Stretch | undefined
  for (const { id, startedMs, durationMs = 0 } of entries) {
    const isNear = (stretch: Stretch): boolean =>
      stretch.startMs <= startedMs && startedMs - stretch.startMs < LONG_MS
    const idleMs = last ? startedMs - last.endMs : 0
    const known = before.get(id)
    const stretch: Stretch =
      known && isNear(known)
        ? known
        : last && isNear(last) && idleMs < IDLE_MS
          ? last
          : { startMs: startedMs, endMs: startedMs, pauseMs: idleMs < IDLE_MS ? undefined : idleMs }
    stretch.endMs = Math.max(stretch.endMs, startedMs + durationMs)
    found.set(id, stretch)
    last = stretch
  }
  return found
}

/** Rounds up to the next of 50, 100, 200, 500 …. */
function roundUp(ms: number): number {
  for (let scale = 50; ; scale *= 10) {
    for (const factor of [1, 2, 4, 10]) if (scale * factor >= ms) return scale * factor
  }
}

function findRetries(entries: readonly RequestSummary[]): ReadonlyMap<number, number> {
  const failed = new Map<string, RequestSummary>()
  const retries = new Map<number, number>()
  for (const entry of entries) {
    const { id, method, url, caller, status, startedMs } = entry
    const isFailed = typeof status === 'number' ? status === 429 || status >= 500 : status !== 'pending'
    if (!isFailed && failed.size === 0) continue
    const key = `${method} ${url} ${caller?.id}`
    const first = failed.get(key)
    if (first && startedMs - first.startedMs < RETRY_MS) retries.set(id, first.id)
    failed.delete(key)
    if (isFailed) failed.set(key, entry)
  }
  return retries
}

function findPatterns(entries: readonly RequestSummary[]): ReadonlyMap<number, Pattern> {
  const found = new Map<string, Set<number>>()
  for (const { id, warnings } of entries) {
    for (const { code, requestIds } of warnings) {
      if (code !== 'single_reads' && code !== 'repeated_page') continue
      const key = `${code} ${requestIds[0]} ${requestIds[1]}`
      const ids = found.get(key) ?? new Set()
      // The first one of single reads is the list.
      for (const one of [...requestIds.slice(code === 'single_reads' ? 1 : 0), id]) ids.add(one)
      found.set(key, ids)
    }
  }
  const byId = new Map(found.size === 0 ? [] : entries.map((entry) => [entry.id, entry]))
  const patterns = new Map<number, Pattern>()
  for (const [key, ids] of found) {
    const members = [...ids].flatMap((id) => byId.get(id) ?? [])
    const [first] = members
    if (!first) continue
    const pattern = key.startsWith('single') ? `N+1: ${ids.size} details` : `Repeated: ${ids.size}×`
    const endMs = Math.max(...members.map(({ startedMs, durationMs = 0 }) => startedMs + durationMs))
    for (const { id } of members) patterns.set(id, { pattern })
    patterns.set(first.id, { pattern, patternMs: endMs - first.startedMs })
  }
  return patterns
}

/** Measures how far the clock was moved between two requests; undefined if it was not. Units: milliseconds. */
export function measureMove(before: RequestSummary, after: RequestSummary): number | undefined {
  if (before.time === after.time) return undefined
  const movedMs = Date.parse(after.time) - Date.parse(before.time)
  const passedMs = after.startedMs - before.startedMs
  return Math.abs(movedMs - passedMs) >= MOVED_MS ? movedMs : undefined
}
