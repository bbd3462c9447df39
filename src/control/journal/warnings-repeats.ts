import { answerHeader, type Entry } from './entry.ts'
import { Recent } from './warnings-recent.ts'
import { GrowingWarning } from './warnings.ts'

/** What the detectors look at beside the requests. */
export interface Surroundings {
  readonly clock: {
    now(): string
    /** Another value once the clock was moved. */
    readonly state: unknown
  }
  /** `bytes` differs once something was written, arranged or reset. */
  readonly data: { readonly bytes: number }
}

/** Requests that follow one another more quickly are made by a program. Units: milliseconds. */
export const BURST_MS = 2_000

/** How many things a detector remembers. */
export const REMEMBERED = 100

/** Identical reads of a page are told of from this one on. */
const REPEATS = 3

interface Streak {
  readonly changes: number
  readonly clock: unknown
  ids: number[]
  count: number
  lastMs: number
  warning?: GrowingWarning
}

/** Finds the same page fetched again and again, although nothing was written and the clock stood between. */
export class Repeats {
  readonly #around: Surroundings
  readonly #streaks = new Recent<Streak>(REMEMBERED)

  constructor(around: Surroundings) {
    this.#around = around
  }

  opened(entry: Entry): void {
    if (!readsPage(entry)) return
    const streak = this.#streak(entry)
    streak.count += 1
    if (streak.ids.length < REPEATS) streak.ids.push(entry.id)
    if (streak.count < REPEATS) return
    const text = `${entry.method} ${entry.path} was asked for ${streak.count} times in a row, though nothing changed between; keep its answer`
    if (streak.warning) streak.warning.grow(text, entry.id)
    else streak.warning = new GrowingWarning('repeated_page', text, streak.ids)
    entry.add(streak.warning)
  }

  /** An answer other than 200 does not count: the request may well be made again. */
  completed(entry: Entry, nowMs: number): void {
    const streak = readsPage(entry) ? this.#streaks.get(entry.identity) : undefined
    if (!streak) return
    if (entry.status === 200) streak.lastMs = nowMs
    else if (!streak.warning && streak.ids.includes(entry.id)) {
      streak.ids = streak.ids.filter((id) => id !== entry.id)
      streak.count -= 1
    }
  }

  #streak(entry: Entry): Streak {
    const { clock, data } = this.#around
    const key = entry.identity
    const known = this.#streaks.get(key)
    const goesOn =
      known &&
      known.changes === data.bytes &&
      known.clock === clock.state &&
      entry.startedMs - known.lastMs < BURST_MS
    const streak = goesOn
      ? known
      : { changes: data.bytes, clock: clock.state, ids: [], count: 0, lastMs: entry.startedMs }
    streak.lastMs = entry.startedMs
    this.#streaks.set(key, streak)
    return streak
  }
}

const readsPage = ({ method, endpoint }: Entry): boolean =>
  method === 'GET' && endpoint !== undefined && endpoint.returns !== 'one'

interface Refusal {
  readonly id: number
  readonly status: number
  readonly at: string
  readonly atMs: number
  readonly waitMs: number
}

/** What a 429 without Retry-After asks for at the least. Units: milliseconds. */
const LEAST_WAIT_MS = 100

/** How much too early a timer may fire. Units: milliseconds. */
const TOLERANCE_MS = 20

/** Finds a retry that does not wait, neither on the stopwatch nor on the session's clock. */
export class HastyRetries {
  readonly #around: Surroundings
  readonly #refusals = new Recent<Refusal>(REMEMBERED)

  constructor(around: Surroundings) {
    this.#around = around
  }

  opened(entry: Entry): void {
    if (this.#refusals.isEmpty) return
    const key = entry.identity
    const refusal = this.#refusals.get(key)
    if (!refusal) return
    this.#refusals.delete(key)
    const elapsedMs = Math.max(0, entry.startedMs - refusal.atMs)
    const movedMs = Date.parse(entry.time) - Date.parse(refusal.at)
    if (Math.max(elapsedMs, movedMs) + TOLERANCE_MS >= refusal.waitMs) return
    const what = `${entry.method} ${entry.path} was retried ${Math.round(elapsedMs)} ms after a ${refusal.status}`
    entry.add({
      code: 'hasty_retry',
      message: `${what} that asked for a wait of ${Math.ceil(refusal.waitMs)} ms; wait, or advance the session's clock`,
      requestIds: [refusal.id, entry.id],
    })
  }

  completed(entry: Entry, nowMs: number): void {
    const { id, status } = entry
    if (status !== 429 && status !== 503) return
    const at = this.#around.clock.now()
    const waitMs = waitOf(answerHeader(entry, 'retry-after'), at) ?? (status === 429 ? LEAST_WAIT_MS : 0)
    if (waitMs > 0) this.#refusals.set(entry.identity, { id, status, at, atMs: nowMs, waitMs })
  }
}

/** What a Retry-After asks for, in either of its two forms. Units: milliseconds. */
function waitOf(header: string | undefined, now: string): number | undefined {
  if (header === undefined) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const until = Date.parse(header)
  return Number.isNaN(until) ? undefined : until - Date.parse(now)
}
