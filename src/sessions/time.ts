import * as z from 'zod'

import { utcDateTime } from '../contract/fields.ts'
import { addDuration } from '../core/durations.ts'
import { SandboxError } from '../core/errors.ts'
import { parseInput } from '../core/issues.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { runAtOnce, runInSlices, type Steps } from '../core/slices.ts'
import type { ClockMove } from '../store/change.ts'
import type { FutureMode } from '../store/dataset-key.ts'
import type { Dataset } from '../store/dataset.ts'
import type { SessionData } from '../store/session-data.ts'
import { findShownDifferences, getKind } from '../testing/records/differences.ts'
import { OperationName } from '../testing/request-target.ts'
import { type MoveChanges, SessionClock } from './clock.ts'

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
export interface TimeSource {
  dataset: Dataset
  /** The data at any time; undefined until the events after the dataset's time are loaded. */
  moments: LivingData | undefined
  readonly clockRate?: number | undefined
}

export interface TimeSnapshot {
  readonly clock: ClockMove | undefined
  readonly future: FutureMode | undefined
  readonly tick: Tick | undefined
}

/** The most records of a table that a move of the clock lists. */
const MAX_FIRST = 10

export class Time {
  readonly clock: SessionClock
  readonly #source: TimeSource
  readonly #data: () => SessionData
  /** How the clock moves after requests. */
  tickRule: Tick | undefined
  #future: FutureMode | undefined
  #held: { readonly clock: ClockMove | undefined; readonly dataset: Dataset } | undefined

  constructor(source: TimeSource, data: () => SessionData) {
    this.#source = source
    this.#data = data
    this.clock = new SessionClock(source)
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
    const { moments, clock } = this
    if (!moments) return this.#source.dataset
    if (this.#held && this.#held.clock === clock.state) return this.#held.dataset
    const present = moments.at(clock.now())
    if (clock.isRunning) {
      this.#held = { clock: clock.state, dataset: present }
      queueMicrotask(() => (this.#held = undefined))
    }
    return present
  }

  datasetAt(instant: string): Dataset {
    return this.moments?.at(instant) ?? this.#source.dataset
  }

  /** Computes the data at the session's time, if that takes long, in slices between which others run. */
  async prepare(): Promise<void> {
    const now = this.clock.now()
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
        const clock = instant === undefined ? null : this.clock.stateAt(instant)
        // As after the move, so that a restart finds out whether a running clock has gone back.
        const at = new Date(instant ?? this.#start).toISOString()
        return { changes: [], clock, at, result: this.#compareWith(instant) }
      })
      if (changes) return runInSlices(changes)
    }
  }

  now(): string {
    return this.clock.now()
  }

  set(instant: string): void {
    this.#jump(parseInput(utcDateTime, instant))
  }

  advance(duration: string): MoveChanges['changed'] {
    return this.#jump(this.clock.after(parseInput(z.string(), duration), '')).changed
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
    this.clock.restore(instant === undefined ? undefined : this.clock.stateAt(instant))
    void this.#store()
    return changes
  }

  tickAfter(operationId: string | undefined): Promise<void> | undefined {
    const { tickRule: rule, clock } = this
    if (!rule || (rule.on !== undefined && rule.on !== operationId)) return undefined
    const next = addDuration(clock.now(), rule.by)
    if (next === undefined) return undefined
    clock.set(next)
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

  snapshot(): TimeSnapshot {
    return { clock: this.clock.state, future: this.#future, tick: this.tickRule }
  }

  restore({ clock, future, tick }: TimeSnapshot): void {
    this.#future = future
    this.tickRule = tick
    this.clock.restore(clock)
  }
}

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

function* countChanges(data: SessionData, before: Dataset, after: Dataset): Steps<MoveChanges> {
  const changes: MoveChanges = { changed: {}, first: {} }
  for (const [name, differences] of yield* findShownDifferences(data, before, after)) {
    changes.changed[name] = differences.length
    changes.first[name] = differences.slice(0, MAX_FIRST).map((one) => ({ id: one.id, change: getKind(one) }))
  }
  return changes
}
