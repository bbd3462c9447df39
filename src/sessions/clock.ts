import * as z from 'zod'

import { recordId, utcDateTime } from '../contract/fields.ts'
import { addDuration, FIRST_MS, LAST_MS } from '../core/durations.ts'
import { invalidField } from '../core/errors.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { systemTime } from '../core/system-clock.ts'
import type { ClockMove } from '../store/change.ts'
import type { DatasetKey } from '../store/dataset-key.ts'

export const SessionTime = lazyObject(() => ({ now: utcDateTime }))

/** The records that a move of the clock has changed, by table. */
export const MoveChanges = lazyObject(() => ({
  changed: z.record(z.string(), z.int().positive()).describe('The number of records'),
  first: z
    .record(
      z.string(),
      z.array(z.object({ id: recordId, change: z.enum(['created', 'changed', 'deleted']) })),
    )
    .describe('The first ten records in the order of the table'),
}))
export type MoveChanges = z.infer<typeof MoveChanges>

/** The time of a session after a move, and what that has changed if its data lives. */
export const Advanced = lazyObject(() => ({ ...SessionTime.shape, ...MoveChanges.partial().shape }))

interface ClockSource {
  readonly dataset: { readonly key: Pick<DatasetKey, 'clock' | 'now'> }
  /** How much faster than the machine's time the clock runs, from the dataset's time on. */
  readonly clockRate?: number | undefined
}

export class SessionClock {
  readonly #source: ClockSource
  /** How it was moved: undefined at its start. Only `restore` changes it. */
  state: ClockMove | undefined
  #date = { of: '', text: '' }
  revision = 0

  constructor(source: ClockSource) {
    this.#source = source
  }

  get isRunning(): boolean {
    return this.#source.dataset.key.clock === 'system'
  }

  /** Returns how fast it runs beside the machine's time: 0 if it stands still. */
  get rate(): number {
    return this.isRunning ? (this.#source.clockRate ?? 1) : 0
  }

  /** Returns the session's time. Units: an instant in UTC with milliseconds. */
  now(): string {
    const { state } = this
    if (state && 'at' in state) return state.at
    const { clock, now } = this.#source.dataset.key
    if (clock === 'frozen') return now
    const timeMs = this.#runMs() + (state?.aheadMs ?? 0)
    return new Date(Math.max(FIRST_MS, Math.min(timeMs, LAST_MS))).toISOString()
  }

  get httpDate(): string {
    const of = this.now()
    if (this.#date.of !== of) this.#date = { of, text: new Date(of).toUTCString() }
    return this.#date.text
  }

  /** Returns the time of a running clock that was not moved. Units: milliseconds since 1970. */
  #runMs(): number {
    const { clockRate: rate, dataset } = this.#source
    const timeMs = Date.parse(systemTime())
    // From the dataset's time on, which is stored, so that a restart shows the time as if the clock had run on.
    const sinceMs = Date.parse(dataset.key.now)
    return rate === undefined ? timeMs : Math.floor(sinceMs + (timeMs - sinceMs) * rate)
  }

  /** Measures how far it was moved. Units: milliseconds. */
  measureMove(): number {
    if (!this.state) return 0
    if ('aheadMs' in this.state) return this.state.aheadMs
    return Date.parse(this.state.at) - Date.parse(this.#source.dataset.key.now)
  }

  set(instant: string): void {
    this.restore(this.stateAt(instant))
  }

  stateAt(instant: string): ClockMove {
    const at = new Date(instant).toISOString()
    return this.isRunning ? { aheadMs: Date.parse(at) - this.#runMs() } : { at }
  }

  /** Returns the time after a duration. @throws SandboxError `invalid_request` if it is not one or leads past the year 9999 */
  after(duration: string, name = 'by'): string {
    const instant = addDuration(this.now(), duration)
    if (instant !== undefined) return instant
    const message = 'must be an ISO 8601 duration like P1DT2H that leads no further than the year 9999'
    throw invalidField(name, message)
  }

  restore(state: ClockMove | undefined): void {
    this.state = state
    this.revision += 1
  }
}
