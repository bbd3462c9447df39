import { getOrCreate, MAX_REMEMBERED, RecentMap } from '../../core/maps.ts'
import type { Resource } from '../../service/endpoint.ts'
import type { Entry, Streak } from './entry.ts'
import { createWarning, type Warning, type WarningCode } from './warnings.ts'

export interface Surroundings {
  readonly clock: {
    now(): string
    /** Changes when the clock is moved. */
    readonly state: unknown
  }
  /** `bytes` changes when something is written, arranged or reset. */
  readonly data: { readonly bytes: number }
}

/** Requests within this time of each other are assumed to come from a program. Units: milliseconds. */
const BURST_MS = 2_000

export class Detectors {
  readonly #surroundings: Surroundings
  readonly #repeats = new RepeatedPages()
  readonly #retries = new HastyRetries()
  readonly #singleReads = new SingleReads()
  readonly #unread = new UnreadPages()

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  onRequest(entry: Entry): void {
    this.#retries.onRequest(entry)
    this.#repeats.onRequest(entry, this.#surroundings)
    this.#singleReads.onRequest(entry)
  }

  onResponse(entry: Entry, nowMs: number): Entry[] {
    this.#retries.onResponse(entry, nowMs, this.#surroundings)
    this.#repeats.onResponse(entry, nowMs)
    this.#singleReads.onResponse(entry, nowMs)
    return this.#unread.onResponse(entry)
  }

  /** Returns warnings about lists that are incomplete at the moment. The client may still read the rest. */
  unreadPages(): Warning[] {
    return this.#unread.warnings()
  }
}

const MAX_REPEATS = 3

/** Detects a page that is requested repeatedly although nothing was written and the clock did not move. */
class RepeatedPages {
  readonly #streaks = new RecentMap<Streak>()

  onRequest(entry: Entry, { data, clock }: Surroundings): void {
    const { endpoint, identity, startedMs } = entry
    if (entry.method !== 'GET' || !endpoint || endpoint.returns === 'one') return
    const state = { changes: data.bytes, clock: clock.state }
    const last = this.#streaks.get(identity)
    const isUnchanged = last?.changes === state.changes && last.clock === state.clock
    const continues = isUnchanged && startedMs - last.lastMs < BURST_MS
    const streak = continues ? last : { ...state, ids: [], count: 0, lastMs: 0 }
    streak.lastMs = startedMs
    this.#streaks.set(identity, streak)
    entry.streak = streak
    streak.count += 1
    if (streak.ids.length < MAX_REPEATS) streak.ids.push(entry.id)
    if (streak.count < MAX_REPEATS) return
    warnOnce(entry, streak, 'repeated_page', streak.ids, () => {
      return `${entry.method} ${entry.path} was requested ${streak.count} times in a row although nothing changed; cache the response`
    })
  }

  /** Ignores responses other than 200, because a client may repeat such a request. */
  onResponse(entry: Entry, nowMs: number): void {
    const { streak } = entry
    if (!streak) return
    if (entry.status === 200) streak.lastMs = nowMs
    else if (!streak.warning && streak.ids.includes(entry.id)) {
      streak.ids = streak.ids.filter((id) => id !== entry.id)
      streak.count -= 1
    }
  }
}

function warnOnce(
  entry: Entry,
  cause: { warning?: Warning },
  code: WarningCode,
  ids: readonly number[],
  describe: () => string,
): void {
  if (cause.warning) return entry.extendWarning(cause.warning)
  cause.warning = createWarning(code, describe, ids)
  entry.addWarning(cause.warning)
}

interface Rejection {
  readonly id: number
  readonly status: number
  readonly time: string
  readonly nowMs: number
  readonly waitMs: number
}

/** The wait after a 429 without Retry-After. Units: milliseconds. */
const MIN_WAIT_MS = 100

/** The time by which a timer may fire too early. Units: milliseconds. */
const TOLERANCE_MS = 20

/** Detects a retry that waits neither in real time nor by the session's clock. */
class HastyRetries {
  readonly #rejections = new RecentMap<Rejection>()

  onRequest(entry: Entry): void {
    if (this.#rejections.size === 0) return
    const rejection = this.#rejections.get(entry.identity)
    if (!rejection) return
    this.#rejections.delete(entry.identity)
    const { id, status, time, nowMs, waitMs } = rejection
    const elapsedMs = Math.max(0, entry.startedMs - nowMs)
    const movedMs = Date.parse(entry.time) - Date.parse(time)
    if (Math.max(elapsedMs, movedMs) + TOLERANCE_MS >= waitMs) return
    const retry = `${entry.method} ${entry.path} was retried ${Math.round(elapsedMs)} ms after a ${status}`
    const advice = "wait, or advance the session's clock"
    const message = `${retry} that requested a wait of ${Math.ceil(waitMs)} ms; ${advice}`
    entry.addWarning(createWarning('hasty_retry', () => message, [id, entry.id]))
  }

  onResponse(entry: Entry, nowMs: number, { clock }: Surroundings): void {
    const { id, status } = entry
    if (status !== 429 && status !== 503) return
    const time = clock.now()
    const waitMs = parseRetryAfter(entry, time) ?? (status === 429 ? MIN_WAIT_MS : 0)
    if (waitMs > 0) this.#rejections.set(entry.identity, { id, status, time, nowMs, waitMs })
  }
}

/** Reads the wait from Retry-After, in seconds or as a date. Units: milliseconds. */
function parseRetryAfter({ response }: Entry, now: string): number | undefined {
  const value = response?.headers['retry-after']
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const until = Date.parse(value)
  return Number.isNaN(until) ? undefined : until - Date.parse(now)
}

const MAX_SINGLE_READS = 5

interface Burst {
  list: Entry
  readonly urls: Set<string>
  readonly ids: number[]
  lastMs: number
  warning?: Warning
}

/** Detects reads of single records right after a list that had all their fields. */
class SingleReads {
  readonly #bursts = new RecentMap<Map<Resource, Burst>>()

  onRequest(entry: Entry): void {
    const { endpoint } = entry
    if (this.#bursts.size === 0 || entry.method !== 'GET') return
    if (endpoint?.returns !== 'one' || !endpoint.path.endsWith('}')) return
    const bursts = this.#bursts.get(entry.credential)
    const burst = bursts?.get(endpoint.resource)
    if (!burst) return
    if (entry.startedMs - burst.lastMs > BURST_MS) {
      bursts?.delete(endpoint.resource)
      return
    }
    burst.lastMs = entry.startedMs
    if (burst.urls.has(entry.url)) return
    if (burst.urls.size < MAX_REMEMBERED) burst.urls.add(entry.url)
    if (burst.ids.length < MAX_SINGLE_READS) burst.ids.push(entry.id)
    if (burst.ids.length < MAX_SINGLE_READS) return
    const { urls, list } = burst
    warnOnce(entry, burst, 'single_reads', [list.id, ...burst.ids], () => {
      return `${endpoint.id} was called for ${urls.size} records right after ${list.endpoint?.id}, whose response has the same fields`
    })
  }

  onResponse(entry: Entry, nowMs: number): void {
    const { endpoint } = entry
    if (entry.method !== 'GET' || entry.status !== 200 || !endpoint) return
    const bursts = this.#bursts.get(entry.credential)
    const burst = bursts?.get(endpoint.resource)
    if (endpoint.returns === 'one') {
      if (burst) burst.lastMs = nowMs
      return
    }
    // Most lists are read without any single record in between.
    if (burst?.urls.size === 0) {
      burst.list = entry
      burst.lastMs = nowMs
    } else {
      const started = { list: entry, urls: new Set<string>(), ids: [], lastMs: nowMs }
      const own = getOrCreate(this.#bursts, entry.credential, () => new Map<Resource, Burst>())
      own.set(endpoint.resource, started)
    }
  }
}

interface Page {
  readonly list: string
  readonly offset: number
  readonly end: number
  readonly total: number
}

interface Reading {
  readonly entry: Entry
  readonly list: string
  /** The number of matches that were fetched without a gap from the first on. */
  seen: number
  ahead: Pick<Page, 'offset' | 'end'>[]
  total: number
  warning: Warning | undefined
}

/** Detects lists that are read only in part: `totalCount` reports more matches than the client fetches. */
class UnreadPages {
  readonly #readings = new RecentMap<Reading>()
  #current: Reading[] = []

  onResponse(entry: Entry): Entry[] {
    const page = readPage(entry)
    const changed = this.#leave(entry, page?.list)
    if (!page) return changed
    const { list, offset, end, total } = page
    const reading = this.#readings.get(list)
    if (reading) return [...changed, ...this.#readOn(reading, page)]
    if (offset > 0 || end >= total) return changed
    const started: Reading = { entry, list, seen: end, ahead: [], total, warning: undefined }
    this.#readings.set(list, started)
    this.#current = [...this.#current, started].slice(-MAX_REMEMBERED)
    return changed
  }

  warnings(): Warning[] {
    return Array.from(this.#readings.values(), (reading) => reading.warning ?? createUnreadWarning(reading))
  }

  #leave({ credential }: Entry, list: string | undefined): Entry[] {
    if (this.#current.length === 0) return []
    const left = this.#current.filter(
      (reading) => reading.entry.credential === credential && reading.list !== list,
    )
    if (left.length > 0) this.#current = this.#current.filter((reading) => !left.includes(reading))
    return left.map((reading) => {
      reading.warning = createUnreadWarning(reading)
      reading.entry.addWarning(reading.warning)
      return reading.entry
    })
  }

  #readOn(reading: Reading, page: Page): Entry[] {
    const { seen, total } = reading
    addPage(reading, page)
    if (reading.seen === seen && reading.total === total) return []
    const isComplete = reading.seen >= reading.total
    if (isComplete) {
      this.#readings.delete(reading.list)
      this.#current = this.#current.filter((one) => one !== reading)
    }
    const { warning, entry } = reading
    if (!warning) return []
    entry.removeWarning(warning)
    reading.warning = isComplete ? undefined : createUnreadWarning(reading)
    if (reading.warning) entry.addWarning(reading.warning)
    return [entry]
  }
}

function addPage(reading: Reading, page: Page): void {
  reading.total = page.total
  reading.ahead = [...reading.ahead, page].slice(-MAX_REMEMBERED).toSorted((a, b) => a.offset - b.offset)
  for (const { offset, end } of reading.ahead) {
    if (offset <= reading.seen) reading.seen = Math.max(reading.seen, end)
  }
  reading.ahead = reading.ahead.filter(({ end }) => end > reading.seen)
}

function createUnreadWarning({ entry, seen, total }: Reading): Warning {
  const fact = `${entry.endpoint?.id} has ${total} matches (totalCount), but only the first ${seen} were fetched`
  return createWarning('unread_pages', () => `${fact}; fetch the rest with offset=${seen}`, [entry.id])
}

function readPage(entry: Entry): Page | undefined {
  const page = entry.response?.page
  if (!page || entry.method !== 'GET' || entry.status !== 200) return undefined
  const { list, offset, limit, total } = page
  return { list: `${entry.credential} ${list}`, offset, end: offset + limit, total }
}
