import type { RequestSummary } from '../../../journal/view.ts'

/** An idle time that starts a new stretch of the waterfall. Units: milliseconds. */
const IDLE_MS = 250

/** The time after which a stretch ends, so that short requests stay visible. Units: milliseconds. */
const LONG_MS = 1_000

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

/** A pattern of several requests that a warning is about. */
export interface Pattern {
  readonly label: string
  readonly message: string
  readonly startMs: number
  readonly endMs: number
  readonly firstId: number
}

/** Facts about a request that follow from the requests around it. Units: real milliseconds since the server started. */
export interface Context {
  readonly startMs: number
  /** The length of the waterfall's axis. */
  readonly scaleMs: number
  /** The idle time before the request; undefined if there was none. */
  readonly pauseMs: number | undefined
  /** The id of the failed request that this one repeats. */
  readonly retryOf: number | undefined
  readonly pattern: Pattern | undefined
}

/** Relates the requests of a journal to each other. It remembers stretches, so that evicted requests move no others. */
export class Timeline {
  #stretches = new Map<number, Stretch>()

  /** Relates requests. Order: by id ascending. */
  relate(entries: readonly RequestSummary[]): ReadonlyMap<number, Context> {
    const stretches = this.#measure(entries)
    const retries = findRetries(entries)
    const patterns = findPatterns(entries)
    return new Map(
      entries.map(({ id, startedMs }) => {
        const { startMs, endMs, pauseMs } = stretches.get(id) ?? { startMs: startedMs, endMs: startedMs }
        const isFirst = startMs === startedMs
        const context: Context = {
          startMs,
          scaleMs: roundUp(endMs - startMs),
          pauseMs: isFirst ? pauseMs : undefined,
          retryOf: retries.get(id),
          pattern: patterns.get(id),
        }
        return [id, context]
      }),
    )
  }

  #measure(entries: readonly RequestSummary[]): ReadonlyMap<number, Stretch> {
    const before = this.#stretches
    this.#stretches = new Map()
    let last: Stretch | undefined
    for (const { id, startedMs, durationMs = 0 } of entries) {
      const known = before.get(id)
      const idleMs = last ? startedMs - last.endMs : undefined
      const continues = last && startedMs - last.endMs < IDLE_MS && startedMs - last.startMs < LONG_MS
      const isKnown = known !== undefined && known.startMs <= startedMs && startedMs - known.startMs < LONG_MS
      const pauseMs = idleMs !== undefined && idleMs >= IDLE_MS ? idleMs : undefined
      const stretch: Stretch = isKnown
        ? known
        : continues && last
          ? last
          : { startMs: startedMs, endMs: startedMs, pauseMs }
      stretch.endMs = Math.max(stretch.endMs, startedMs + durationMs)
      this.#stretches.set(id, stretch)
      last = stretch
    }
    return this.#stretches
  }
}

/** Rounds up to the next of 50, 100, 200, 500 … so that an axis rarely changes. */
export function roundUp(ms: number): number {
  for (let scale = 50; ; scale *= 10) {
    for (const factor of [1, 2, 4, 10]) if (scale * factor >= ms) return scale * factor
  }
}

/** Finds the requests that repeat a failed one, with the id of that. */
function findRetries(entries: readonly RequestSummary[]): ReadonlyMap<number, number> {
  const failed = new Map<string, RequestSummary>()
  const retries = new Map<number, number>()
  for (const entry of entries) {
    const { id, method, url, caller, status, startedMs } = entry
    const key = `${method} ${url} ${caller?.id}`
    const first = failed.get(key)
    if (first && startedMs - first.startedMs < RETRY_MS) retries.set(id, first.id)
    failed.delete(key)
    const isFailed = typeof status === 'number' ? status === 429 || status >= 500 : status !== 'pending'
    if (isFailed) failed.set(key, entry)
  }
  return retries
}

/** Finds the requests that belong to a pattern. A warning is only at the later ones, but names the first. */
function findPatterns(entries: readonly RequestSummary[]): ReadonlyMap<number, Pattern> {
  const found = new Map<string, { ids: Set<number>; message: string; isDetails: boolean }>()
  for (const { id, warnings } of entries) {
    for (const { code, message, requestIds } of warnings) {
      if (code !== 'single_reads' && code !== 'repeated_page') continue
      const isDetails = code === 'single_reads'
      const key = `${code} ${requestIds[0]} ${requestIds[1]}`
      const { ids = new Set<number>() } = found.get(key) ?? {}
      // The first one is the list.
      for (const one of [...requestIds.slice(isDetails ? 1 : 0), id]) ids.add(one)
      found.set(key, { ids, message, isDetails })
    }
  }
  const byId = new Map(found.size === 0 ? [] : entries.map((entry) => [entry.id, entry]))
  const patterns = new Map<number, Pattern>()
  for (const { ids, message, isDetails } of found.values()) {
    const members = [...ids].flatMap((id) => byId.get(id) ?? [])
    const [first] = members
    if (!first) continue
    const label = isDetails ? `N+1: ${ids.size} details` : `Repeated: ${ids.size} times`
    const endMs = Math.max(...members.map(({ startedMs, durationMs = 0 }) => startedMs + durationMs))
    const pattern = { label, message, startMs: first.startedMs, endMs, firstId: first.id }
    for (const { id } of members) patterns.set(id, pattern)
  }
  return patterns
}

/** Measures how far the clock was moved between two requests; undefined if it was not. Units: milliseconds. */
export function measureMove(before: RequestSummary, after: RequestSummary): number | undefined {
  const movedMs = Date.parse(after.time) - Date.parse(before.time)
  const passedMs = after.startedMs - before.startedMs
  return movedMs !== 0 && Math.abs(movedMs - passedMs) >= MOVED_MS ? movedMs : undefined
}
