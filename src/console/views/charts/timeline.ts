import type { RequestSummary } from '../../../journal/view.ts'
import { type StatusClass, classifyStatus } from '../../components/status.tsx'

/** The number of columns of a window. */
const COLUMNS = 60

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** The lengths of window to choose from. Units: milliseconds. */
export const windows = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const

/** The longest window that is chosen automatically. */
const LONGEST = 15 * MINUTE

/** The number of requests by outcome. */
export type ByClass = Readonly<Partial<Record<StatusClass, number>>>

/** The requests within a span of time. */
export interface Bucket {
  /** The distance from the end of the window. Units: milliseconds. */
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
  /** The requests within the window. */
  readonly count: number
  readonly byClass: ByClass
}

/**
 * Counts the requests of a window that ends with the latest one, by real time.
 * @param lengthMs the length of the window; by default long enough for all, up to a quarter of an hour
 */
export function buildTimeline(requests: readonly RequestSummary[], lengthMs: number | undefined): Timeline {
  const times = requests.map(({ startedMs }) => startedMs)
  const latest = times.reduce((a, b) => Math.max(a, b), 0)
  const length = lengthMs ?? chooseLength(latest - times.reduce((a, b) => Math.min(a, b), latest))
  const bucketMs = length / COLUMNS
  // Aligned to the clock instead of the latest request, so that columns stay in place as requests arrive.
  const end = (Math.floor(latest / bucketMs) + 1) * bucketMs
  const held: RequestSummary[][] = Array.from({ length: COLUMNS }, () => [])
  for (const request of requests)
    held[COLUMNS - Math.ceil((end - request.startedMs) / bucketMs)]?.push(request)
  const buckets = held.map((some, at) => ({
    beforeMs: (COLUMNS - at) * bucketMs,
    count: some.length,
    byClass: countByClass(some),
  }))
  const shown = held.flat()
  return { lengthMs: length, bucketMs, buckets, count: shown.length, byClass: countByClass(shown) }
}

/** Counts requests by outcome. */
export function countByClass(requests: readonly RequestSummary[]): ByClass {
  const counts: Partial<Record<StatusClass, number>> = {}
  for (const { status } of requests) {
    const name = classifyStatus(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** Chooses the shortest window that contains a span. */
function chooseLength(spanMs: number): number {
  return windows.find((length) => length >= spanMs && length <= LONGEST) ?? LONGEST
}
