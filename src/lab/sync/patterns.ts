import { getOrCreate } from '../../core/maps.ts'
import type { Resource } from '../../service/endpoint.ts'
import type { RecordedRequest } from '../../testing/journal/recorded-request.ts'
import { nameEntry } from '../../testing/journal/view.ts'
import type { Warning } from '../../testing/journal/warnings.ts'

/** Requests within this time of each other are assumed to come from a program. Units: milliseconds. */
const BURST_MS = 2_000

/** The time by which a timer may fire too early. Units: milliseconds. */
const TOLERANCE_MS = 20

/** The wait after a 429 without Retry-After. Units: milliseconds. */
const MIN_WAIT_MS = 100

/** Finds retries that wait neither in real time nor by the session's clock. */
export function findHastyRetries(entries: readonly RecordedRequest[]): Warning[] {
  const rejections = new Map<string, RecordedRequest>()
  return entries.flatMap((entry): Warning[] => {
    const { id, identity, status, startedMs, time } = entry
    const rejection = rejections.get(identity)
    const elapsedMs = rejection ? startedMs - rejection.endedMs : -1
    // A request sent before the response came is no retry.
    if (elapsedMs >= 0) rejections.delete(identity)
    if (status === 429 || status === 503) rejections.set(identity, entry)
    if (!rejection || elapsedMs < 0) return []
    const movedMs = Date.parse(time) - Date.parse(rejection.time)
    const early = describeEarlyRetry(rejection, startedMs, movedMs)
    if (early === undefined) return []
    const message = `${nameEntry(entry)}, was retried ${early}; wait, or advance the session's clock`
    return [{ code: 'hasty_retry', message, requestIds: [rejection.id, id] }]
  })
}

/** Describes a retry that has waited too short; undefined if it was not too early. */
export function describeEarlyRetry(
  rejection: RecordedRequest,
  startedMs: number,
  movedMs = 0,
): string | undefined {
  const { id, status, endedMs } = rejection
  const waitMs = readRetryAfterMs(rejection) ?? (status === 429 ? MIN_WAIT_MS : 0)
  const elapsedMs = startedMs - endedMs
  if (Math.max(elapsedMs, movedMs) + TOLERANCE_MS >= waitMs) return undefined
  const wait = waitMs < 1_000 ? `${Math.ceil(waitMs)} ms` : `${Math.ceil(waitMs / 100) / 10} s`
  return `${Math.round(elapsedMs)} ms after request ${id} was answered with a ${status} that asked for ${wait}`
}

/** Reads the wait from Retry-After, in seconds or as a date. Units: milliseconds. */
function readRetryAfterMs({ response, time }: RecordedRequest): number | undefined {
  const value = response?.headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const until = Date.parse(value)
  return Number.isNaN(until) ? undefined : until - Date.parse(time)
}

const MIN_REPEATS = 3

/**
 * Finds pages that are requested repeatedly although nothing was written and the clock was not moved.
 * @param rate how fast the session's clock runs; 0 if it stands still
 */
export function findRepeatedPages(entries: readonly RecordedRequest[], rate: number): Warning[] {
  const streaks: RecordedRequest[][] = []
  const latest = new Map<string, RecordedRequest[]>()
  for (const entry of entries) {
    const { method, endpoint, identity, status } = entry
    // A client may repeat a request that was not answered.
    if (method !== 'GET' || !endpoint || endpoint.returns === 'one' || status !== 200) continue
    const streak = latest.get(identity)
    const last = streak?.at(-1)
    if (streak && last && isRepeated(last, entry, rate)) streak.push(entry)
    else {
      const started = [entry]
      latest.set(identity, started)
      streaks.push(started)
    }
  }
  return streaks.flatMap((streak): Warning[] => {
    const [first] = streak
    if (!first || streak.length < MIN_REPEATS) return []
    const message = `${first.method} ${first.path} was requested ${streak.length} times in a row although nothing changed; cache the response`
    return [{ code: 'repeated_page', message, requestIds: streak.map(({ id }) => id) }]
  })
}

function isRepeated(before: RecordedRequest, after: RecordedRequest, rate: number): boolean {
  if (before.moment?.revision !== after.moment?.revision) return false
  if (after.startedMs - before.endedMs >= BURST_MS) return false
  const ranMs = (after.startedMs - before.startedMs) * rate
  const movedMs = Date.parse(after.time) - Date.parse(before.time)
  return Math.abs(movedMs - ranMs) <= TOLERANCE_MS * rate
}

const MIN_SINGLE_READS = 5

interface Burst {
  readonly list: RecordedRequest
  /** The first read of each URL. */
  readonly reads: Map<string, RecordedRequest>
  lastMs: number
}

/** Finds reads of single records right after a list that had all their fields. */
export function findSingleReads(entries: readonly RecordedRequest[]): Warning[] {
  const bursts: Burst[] = []
  const latest = new Map<string, Map<Resource, Burst>>()
  for (const entry of entries) {
    const { method, endpoint, credential, status, url, startedMs } = entry
    if (method !== 'GET' || !endpoint) continue
    const ofCaller = getOrCreate(latest, credential, () => new Map<Resource, Burst>())
    if (endpoint.returns !== 'one') {
      if (status !== 200) continue
      const burst = { list: entry, reads: new Map<string, RecordedRequest>(), lastMs: entry.endedMs }
      ofCaller.set(endpoint.resource, burst)
      bursts.push(burst)
      continue
    }
    const burst = ofCaller.get(endpoint.resource)
    if (!burst || !endpoint.path.endsWith('}') || startedMs < burst.list.endedMs) continue
    if (startedMs - burst.lastMs > BURST_MS) {
      ofCaller.delete(endpoint.resource)
      continue
    }
    burst.lastMs = Math.max(burst.lastMs, entry.endedMs)
    getOrCreate(burst.reads, url, () => entry)
  }
  return bursts.flatMap(({ list, reads }): Warning[] => {
    const [first] = reads.values()
    if (!first || reads.size < MIN_SINGLE_READS) return []
    const message = `${first.endpoint?.id} was called for ${reads.size} records right after ${list.endpoint?.id}, whose response has the same fields`
    return [{ code: 'single_reads', message, requestIds: [list, ...reads.values()].map(({ id }) => id) }]
  })
}
