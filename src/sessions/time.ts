import * as z from 'zod'

import { addDuration, LAST_MS } from '../contract/instants.ts'
import { invalidRequest, SandboxError } from '../core/errors.ts'
import { lazyStrictObject } from '../core/lazy-schema.ts'
import { OperationName } from '../faults/gates.ts'
import { findDifferences, type StepChanges, summarizeDifferences } from '../living/differences.ts'
import { findLastMs, MAX_AGE_DAYS, type Moment, type Moments } from '../living/moments.ts'
import type { ClockMove } from '../store/change.ts'
import type { Dataset } from '../store/dataset.ts'
import type { SessionData } from '../store/session-data.ts'
import { SessionClock } from './clock.ts'

export type FutureMode = 'still' | 'living'

export interface TimeSource {
  readonly dataset: () => Dataset
  /** Returns the data at any time; undefined until the events after the dataset's time are loaded. */
  readonly moments: () => Moments | undefined
  readonly clockRate: number | undefined
}

export interface TimeSnapshot {
  readonly clock: ClockMove | undefined
  readonly future: FutureMode | undefined
  readonly tick: Tick | undefined
}

const DAY_MS = 86_400_000

/** How far data that changes with time can be moved, or looked ahead in, by one call. Units: days. */
const MAX_MOVE_DAYS = 1_827

export class Time {
  readonly clock: SessionClock
  readonly #source: TimeSource
  readonly #data: () => SessionData
  tick: Tick | undefined
  #future: FutureMode | undefined
  #present: { readonly at: string; readonly of: Moments; readonly moment: Moment } | undefined
  #held: { readonly clock: ClockMove | undefined; readonly dataset: Dataset } | undefined

  constructor(source: TimeSource, data: () => SessionData) {
    this.#source = source
    this.#data = data
    this.clock = new SessionClock(
      () => source.dataset().key,
      source.clockRate,
      () => this.#lastMs,
    )
  }

  get future(): FutureMode {
    return this.#future ?? this.#source.dataset().key.future ?? 'still'
  }

  setFuture(future: FutureMode): void {
    if (future === 'living' && !this.#source.moments()) {
      const advice = 'open the sandbox with it, or the session over HTTP'
      throw new SandboxError('conflict', `Cannot use future: 'living': ${advice}.`)
    }
    const before = this.#future
    this.#future = future
    const now = this.clock.now()
    if (Date.parse(now) <= this.#lastMs) return
    this.#future = before
    const message = `must be still at ${now}, since data that changes with time goes on for ${MAX_AGE_DAYS} days`
    throw invalidRequest([{ in: 'body', name: 'future', message }])
  }

  get moments(): Moments | undefined {
    return this.future === 'still' ? undefined : this.#source.moments()
  }

  /** Returns the data at the session's time. While the clock runs, a task sees one moment until it waits. */
  dataset(): Dataset {
    const { moments, clock } = this
    if (!moments) return this.#source.dataset()
    if (this.#held && this.#held.clock === clock.state) return this.#held.dataset
    const at = clock.now()
    if (!this.#isPresent(at, moments)) this.#present = { at, of: moments, moment: moments.find(at) }
    const present = this.#present?.moment.dataset ?? moments.at(at)
    if (clock.isRunning) {
      this.#held = { clock: clock.state, dataset: present }
      queueMicrotask(() => (this.#held = undefined))
    }
    return present
  }

  #isPresent(at: string, of: Moments): boolean {
    return this.#present?.at === at && this.#present.of === of && this.#present.moment.dataset !== undefined
  }

  datasetAt(instant: string): Dataset {
    return this.moments?.at(instant) ?? this.#source.dataset()
  }

  /** Computes the data at the session's time, if that takes long, in slices between which others run. */
  prepare(): Promise<void> | undefined {
    const { moments } = this
    if (!moments) return undefined
    const now = this.clock.now()
    return this.#isPresent(now, moments) || moments.isNear(now) ? undefined : moments.prepare(now)
  }

  get #lastMs(): number {
    return this.future === 'still' ? LAST_MS : findLastMs(this.#source.dataset().key.now)
  }

  /** Rejects a time that is too far away, because the data at that time has to be computed. @throws SandboxError `invalid_request` */
  checkReach(instant: string, name: string, place: 'body' | 'query' = 'body'): void {
    if (this.future === 'still') return
    const timeMs = Date.parse(instant)
    const stepMs = Date.parse(this.clock.now()) + MAX_MOVE_DAYS * DAY_MS
    if (timeMs <= Math.min(this.#lastMs, stepMs)) return
    const reason =
      timeMs > this.#lastMs
        ? `data that changes with time goes on for ${MAX_AGE_DAYS} days`
        : `one call leads at most ${MAX_MOVE_DAYS} days ahead`
    const last = new Date(Math.min(this.#lastMs, stepMs)).toISOString()
    throw invalidRequest([{ in: place, name, message: `must lead no further than ${last}: ${reason}` }])
  }

  /**
   * Moves the clock once the data at its new time is there and the move is durable.
   * @param find returns the new time, undefined for the start of the clock; called again if others have moved it meanwhile
   * Errors: those of `find`; `storage_full`, `storage_unavailable`; the clock is then where it was.
   */
  async move(find: () => string | undefined): Promise<StepChanges> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- repeated only if another call has moved the clock meanwhile
      await this.moments?.prepare(find() ?? this.#start)
      // oxlint-disable-next-line no-await-in-loop -- as above
      const changes = await this.#data().change(() => {
        const instant = find()
        if (!(this.moments?.isNear(instant ?? this.#start) ?? true)) return { changes: [], result: undefined }
        const clock = instant === undefined ? null : this.clock.stateAt(instant)
        return { changes: [], clock, result: this.#compareWith(instant) }
      })
      if (changes) return changes
    }
  }

  /** Moves the clock at once, to its start for undefined; the move is stored behind, or with the next change. */
  set(instant: string | undefined): StepChanges {
    const changes = this.#compareWith(instant)
    this.clock.restore(instant === undefined ? undefined : this.clock.stateAt(instant))
    void this.#store()
    return changes
  }

  tickAfter(operationId: string | undefined): Promise<void> | undefined {
    const { tick, clock } = this
    if (!tick || (tick.on !== undefined && tick.on !== operationId)) return undefined
    const next = addDuration(clock.now(), tick.by)
    if (next === undefined || Date.parse(next) > this.#lastMs) return undefined
    clock.set(next)
    return this.#store()
  }

  get #start(): string {
    return this.#source.dataset().key.now
  }

  #compareWith(instant: string | undefined): StepChanges {
    return summarizeDifferences(findDifferences(this.dataset(), this.datasetAt(instant ?? this.#start)))
  }

  // Stores where the clock stands. A disk that fails here fails at the next change as well, which reports it.
  #store(): Promise<void> {
    return this.#data()
      .change(() => ({ changes: [], result: undefined }))
      .catch(() => undefined)
  }

  snapshot(): TimeSnapshot {
    return { clock: this.clock.state, future: this.#future, tick: this.tick }
  }

  restore({ clock, future, tick }: TimeSnapshot): void {
    this.#future = future
    this.tick = tick
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
