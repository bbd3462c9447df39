import type { RequestSummary } from '../../../control/journal/view.ts'
import { type StatusClass, statusClassOf } from '../../parts/status.ts'

/** How many columns a window has. */
const COLUMNS = 60

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** How long the windows to choose from are. Units: milliseconds. */
export const windows = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const

/** How long the window is that nobody chose, at most. */
const LONGEST = 15 * MINUTE

/** How many requests ended in each way. */
export type ByClass = Readonly<Partial<Record<StatusClass, number>>>

/** Requests of a span of time. */
export interface Bucket {
  /** Before the end of the window. Units: milliseconds. */
  readonly beforeMs: number
  readonly count: number
  readonly byClass: ByClass
}

/** Requests over the last minutes. */
export interface Timeline {
  /** Units: milliseconds. */
  readonly lengthMs: number
  readonly bucketMs: number
  /** Order: by time. */
  readonly buckets: readonly Bucket[]
  /** Those of the window. */
  readonly count: number
  readonly byClass: ByClass
}

/**
 * The requests of a window that ends with the latest one, by the real time at which they came.
 * @param lengthMs how long it is; as long as it takes to show all, up to a quarter of an hour, where undefined
 */
export function timelineOf(requests: readonly RequestSummary[], lengthMs: number | undefined): Timeline {
  const times = requests.map(({ startedMs }) => startedMs)
  const latest = times.reduce((a, b) => Math.max(a, b), 0)
  const length = lengthMs ?? lengthFor(latest - times.reduce((a, b) => Math.min(a, b), latest))
  const bucketMs = length / COLUMNS
  // Spans of the clock rather than of the latest request, so that columns stay as they are while others arrive.
  const end = (Math.floor(latest / bucketMs) + 1) * bucketMs
  const held: RequestSummary[][] = Array.from({ length: COLUMNS }, () => [])
  for (const request of requests)
    held[COLUMNS - Math.ceil((end - request.startedMs) / bucketMs)]?.push(request)
  const buckets = held.map((some, at) => ({
    beforeMs: (COLUMNS - at) * bucketMs,
    count: some.length,
    byClass: byClassOf(some),
  }))
  const shown = held.flat()
  return { lengthMs: length, bucketMs, buckets, count: shown.length, byClass: byClassOf(shown) }
}

/** How many requests ended in each way. */
export function byClassOf(requests: readonly RequestSummary[]): ByClass {
  const counts: Partial<Record<StatusClass, number>> = {}
  for (const { status } of requests) {
    const name = statusClassOf(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** The shortest window that shows a span. */
function lengthFor(spanMs: number): number {
  return windows.find((length) => length >= spanMs && length <= LONGEST) ?? LONGEST
}
