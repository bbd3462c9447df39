import * as z from 'zod'

import { invalidRequest } from '../contract/errors.ts'
import { utcDateTime } from '../contract/fields.ts'
import { addDuration, LAST_MS } from '../contract/instants.ts'
import { systemTime } from '../contract/system-clock.ts'

/** The time of a session. */
export const SessionTime = z.object({ now: utcDateTime })
export type SessionTime = z.infer<typeof SessionTime>

/** The initial state of a clock: frozen at `now`, or running with the machine's time. */
export interface ClockStart {
  readonly clock: 'frozen' | 'system'
  readonly now: string
}

/** The move of a clock: to an instant, or ahead of the machine's time; undefined if it was not moved. */
export type ClockState = { readonly at: string } | { readonly aheadMs: number } | undefined

/** The clock of a session: frozen at the dataset's `now` or running with the machine's time, until it is moved. */
export class SessionClock {
  readonly #start: () => ClockStart
  #state: ClockState

  constructor(start: () => ClockStart) {
    this.#start = start
  }

  /** The last move of the clock. */
  get state(): ClockState {
    return this.#state
  }

  /** True if the clock runs with the machine's time. */
  get isRunning(): boolean {
    return this.#start().clock === 'system'
  }

  /** Returns the session's time. Units: an instant in UTC with milliseconds. */
  now(): string {
    const state = this.#state
    if (state && 'at' in state) return state.at
    const { clock, now } = this.#start()
    if (clock === 'frozen') return now
    if (!state) return systemTime()
    return new Date(Math.min(Date.parse(systemTime()) + state.aheadMs, LAST_MS)).toISOString()
  }

  /** Moves the clock to an instant; a running clock continues from there. */
  set(instant: string): void {
    const at = new Date(instant).toISOString()
    this.#state = this.isRunning ? { aheadMs: Date.parse(at) - Date.parse(systemTime()) } : { at }
  }

  /** Moves the clock forward. @throws SandboxError `invalid_request` if it is not a duration or leads past the year 9999 */
  advance(duration: string): void {
    const instant = addDuration(this.now(), duration)
    if (instant !== undefined) return this.set(instant)
    const message = 'must be an ISO 8601 duration like P1DT2H that leads no further than the year 9999'
    throw invalidRequest([{ in: 'body', name: 'by', message }])
  }

  /** Restores an earlier state; undefined resets the clock. */
  restore(state: ClockState): void {
    this.#state = state
  }
}
