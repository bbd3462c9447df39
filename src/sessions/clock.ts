import * as z from 'zod'

import { recordId, utcDateTime } from '../contract/fields.ts'
import { addDuration, FIRST_MS, LAST_MS } from '../core/durations.ts'
import { invalidField, SandboxError } from '../core/errors.ts'
import { parseInput } from '../core/issues.ts'
import { lazyObject, lazyStrictObject } from '../core/lazy-schema.ts'
import { runAtOnce, runInSlices, type Steps } from '../core/slices.ts'
import { systemTime } from '../core/system-clock.ts'
import type { ClockMove } from '../store/change.ts'
import type { FutureMode } from '../store/dataset-key.ts'
import type { Dataset } from '../store/dataset.ts'
import type { SessionData } from '../store/session-data.ts'
import { findShownDifferences, getKind } from '../testing/records/differences.ts'
import { OperationName } from '../testing/request-target.ts'

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

/** An instant from which every duration that makes sense for a tick leads to another one. */
const SOME_TIME = '2000-01-01T00:00:00.000Z'

export const Tick = lazyStrictObject(() => ({
  by: z
    .string()
    .refine(
      (by) => (addDuration(SOME_TIME, by) ?? SOME_TIME) > SOME_TIME,
      'must be an ISO 8601 duration like PT3M, longer than nothing',
    ),
  /** The operation whose requests move it; by default every request does. */
  on: OperationName.optional(),
}))
export type Tick = z.infer<typeof Tick>

/** The data of a tenant at any time. Without it, the dataset stands still. */
export interface LivingData {
  /** Returns the data at an instant; computes it if need be. */
  at(instant: string): Dataset
  /** Tells whether the data at an instant is there, or soon computed. */
  isNear(instant: string): boolean
  /** Computes the data at an instant in slices, between which others run. Errors: storage_unavailable once it is closed. */
  prepare(instant: string): Promise<void>
  close(): void
}

/** The data that all sessions share; a reseed replaces it. */
export interface ClockSource {
  dataset: Dataset
  /** The data at any time; undefined until the events after the dataset's time are loaded. */
  moments: LivingData | undefined
  /** How much faster than the machine's time the clock runs, from the dataset's time on. */
  readonly clockRate?: number | undefined
}

export interface ClockSnapshot {
  readonly clock: ClockMove | undefined
  readonly future: FutureMode | undefined
  readonly tick: Tick | undefined
}

/** The most records of a table that a move of the clock lists. */
const MAX_FIRST = 10

/** The time of a session, with the data at that time. */
export class SessionClock {
  readonly #source: ClockSource
  readonly #data: () => SessionData
  #state: ClockMove | undefined
  /** How the clock moves after requests. */
  tickRule: Tick | undefined
  #future: FutureMode | undefined
  #held: { readonly state: ClockMove | undefined; readonly dataset: Dataset } | undefined
  #date = { of: '', text: '' }
  revision = 0

  constructor(source: ClockSource, data: () => SessionData) {
    this.#source = source
    this.#data = data
  }

  /** How it was moved: undefined at its start. */
  get state(): ClockMove | undefined {
    return this.#state
  }

  set state(state: ClockMove | undefined) {
    this.#state = state
    this.revision += 1
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
    const state = this.#state
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
    if (!this.#state) return 0
    if ('aheadMs' in this.#state) return this.#state.aheadMs
    return Date.parse(this.#state.at) - Date.parse(this.#source.dataset.key.now)
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

  get future(): FutureMode {
    return this.#future ?? this.#source.dataset.key.future ?? 'still'
  }

  setFuture(future: FutureMode): void {
    if (future === 'living' && !this.#source.moments) {
      const advice = 'open the sandbox with it, or the session over HTTP'
      throw new SandboxError('conflict', `Cannot use future: 'living': ${advice}.`)
    }
    this.#future = future
  }

  get moments(): LivingData | undefined {
    const { moments } = this.#source
    return moments && this.future === 'living' ? moments : undefined
  }

  /** Returns the data at the session's time. While the clock runs, a task sees one moment until it waits. */
  readonly dataset = (): Dataset => {
    const { moments } = this
    if (!moments) return this.#source.dataset
    const state = this.#state
    if (this.#held && this.#held.state === state) return this.#held.dataset
    const dataset = moments.at(this.now())
    if (this.isRunning) {
      this.#held = { state, dataset }
      queueMicrotask(() => (this.#held = undefined))
    }
    return dataset
  }

  datasetAt(instant: string): Dataset {
    return this.moments?.at(instant) ?? this.#source.dataset
  }

  /** Computes the data at the session's time, if that takes long, in slices between which others run. */
  async prepare(): Promise<void> {
    const now = this.now()
    if (this.moments?.isNear(now) === false) await this.moments.prepare(now)
  }

  /**
   * Moves the clock once the data at its new time is there and the move is durable.
   * @param find returns the new time, undefined for the start of the clock; called again if others have moved it meanwhile
   * Errors: those of `find`; `storage_full`, `storage_unavailable`; the clock is then where it was.
   */
  async move(find: () => string | undefined): Promise<MoveChanges> {
    for (;;) {
      // Repeated only if another call has moved the clock meanwhile.
      await this.moments?.prepare(find() ?? this.#start)
      const changes = await this.#data().change(() => {
        const instant = find()
        if (!(this.moments?.isNear(instant ?? this.#start) ?? true)) return { changes: [], result: undefined }
        const clock = instant === undefined ? null : this.stateAt(instant)
        // As after the move, so that a restart finds out whether a running clock has gone back.
        const at = new Date(instant ?? this.#start).toISOString()
        return { changes: [], clock, at, result: this.#compareWith(instant) }
      })
      if (changes) return runInSlices(changes)
    }
  }

  set(instant: string): void {
    this.#jump(parseInput(utcDateTime, instant))
  }

  advance(duration: string): MoveChanges['changed'] {
    return this.#jump(this.after(parseInput(z.string(), duration), '')).changed
  }

  tick(input: Tick | undefined): void {
    this.tickRule = input === undefined ? undefined : parseInput(Tick, input)
  }

  reset(): void {
    this.#jump(undefined)
  }

  /** Moves the clock at once, to its start for undefined; the move is stored behind, or with the next change. */
  #jump(instant: string | undefined): MoveChanges {
    const changes = runAtOnce(this.#compareWith(instant))
    this.state = instant === undefined ? undefined : this.stateAt(instant)
    void this.#store()
    return changes
  }

  tickAfter(operationId: string | undefined): Promise<void> | undefined {
    const { tickRule: rule } = this
    if (!rule || (rule.on !== undefined && rule.on !== operationId)) return undefined
    const next = addDuration(this.now(), rule.by)
    if (next === undefined) return undefined
    this.state = this.stateAt(next)
    return this.#store()
  }

  get #start(): string {
    return this.#source.dataset.key.now
  }

  /** Begins to count what a move changes for the session as it is now. */
  #compareWith(instant: string | undefined): Steps<MoveChanges> {
    return countChanges(this.#data().copy(), this.dataset(), this.datasetAt(instant ?? this.#start))
  }

  // Stores where the clock stands. A disk that fails here fails at the next change as well, which reports it.
  #store(): Promise<void> {
    return this.#data()
      .change(() => ({ changes: [], result: undefined }))
      .catch(() => undefined)
  }

  snapshot(): ClockSnapshot {
    return { clock: this.#state, future: this.#future, tick: this.tickRule }
  }

  restore({ clock, future, tick }: ClockSnapshot): void {
    this.#future = future
    this.tickRule = tick
    this.state = clock
  }
}

function* countChanges(data: SessionData, before: Dataset, after: Dataset): Steps<MoveChanges> {
  const changes: MoveChanges = { changed: {}, first: {} }
  for (const [name, differences] of yield* findShownDifferences(data, before, after)) {
    changes.changed[name] = differences.length
    changes.first[name] = differences.slice(0, MAX_FIRST).map((one) => ({ id: one.id, change: getKind(one) }))
  }
  return changes
}
