import { after, LAST_MS } from '../contract/duration.ts'
import { invalidRequest } from '../contract/errors.ts'

/** The machine's time. The only place that reads it. Units: an instant in UTC with milliseconds. */
export function systemTime(): string {
  return new Date().toISOString()
}

/** A reading of the machine's stopwatch, which never goes back. Units: milliseconds since some moment. */
export function stopwatch(): number {
  return performance.now()
}

/** What a clock starts from: a moment at which it stands, or the machine's time. */
export interface ClockStart {
  readonly clock: 'frozen' | 'system'
  readonly now: string
}

/** How a clock was moved: to a moment, or by so many milliseconds from the machine's. */
export type ClockState = { readonly at: string } | { readonly aheadMs: number } | undefined

/** The clock of a session: stands at the dataset's `now`, or runs with the machine's; can be set and advanced. */
export class SessionClock {
  readonly #start: () => ClockStart
  #state: ClockState

  constructor(start: () => ClockStart, state?: ClockState) {
    this.#start = start
    this.#state = state
  }

  /** How it was moved; undefined where it was not. */
  get state(): ClockState {
    return this.#state
  }

  /** The session's time. Units: an instant in UTC with milliseconds. */
  now(): string {
    const state = this.#state
    if (state && 'at' in state) return state.at
    const { clock, now } = this.#start()
    if (clock === 'frozen') return now
    if (!state) return systemTime()
    return new Date(Math.min(Date.parse(systemTime()) + state.aheadMs, LAST_MS)).toISOString()
  }

  /** Whether it runs with the machine's time; otherwise it stands until it is moved. */
  get isRunning(): boolean {
    return this.#start().clock === 'system'
  }

  /** Moves the clock to an instant; one that runs goes on from there. */
  set(instant: string): void {
    const at = new Date(instant).toISOString()
    this.#state = this.isRunning ? { aheadMs: Date.parse(at) - Date.parse(systemTime()) } : { at }
  }

  /** Puts back how it was moved; undefined for not at all. */
  restore(state: ClockState): void {
    this.#state = state
  }
}

/** An instant moved on. Errors: 400 for what is no duration, or leads past the year 9999. */
export function advanced(now: string, by: string): string {
  const then = after(now, by)
  if (then !== undefined) return then
  const message = 'must be an ISO 8601 duration like P1DT2H that leads no further than the year 9999'
  throw invalidRequest([{ in: 'body', name: 'by', message }])
}
