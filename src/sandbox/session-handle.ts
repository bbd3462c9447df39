import { type Result, publish, withCallerErrors } from '../core/caller-errors.ts'
import { SandboxError } from '../core/errors.ts'
import type { ExplainInput, Explanation, Preview, PreviewInput } from '../lab/explain/schemas.ts'
import type { Events } from '../lab/living/timeline.ts'
import type { SyncControl } from '../lab/sync/verdict.ts'
import type { Tick } from '../sessions/clock.ts'
import type { Session, SessionSnapshot } from '../sessions/session.ts'
import type { StateDocument } from '../sessions/summary.ts'
import { forEachTable, type TableName } from '../store/tables.ts'
import type { FaultControl } from '../testing/faults/faults.ts'
import type { GateControl, GateFilter } from '../testing/faults/gates.ts'
import type { Requests } from '../testing/journal/requests.ts'
import type { EventsOptions, SessionRecords } from '../testing/records/types.ts'
import type { ScenarioControl } from '../testing/scenarios/scenarios.ts'
import { argumentNames as names } from './argument-names.ts'
import type { Connected, SandboxFetch } from './connect.ts'

/** A session's clock. Units: instants in UTC with milliseconds. */
export interface ClockControl<Remote extends boolean = false> {
  /** Returns the session's time. @example session.clock.now() // '2026-01-15T12:00:00.000Z' */
  now(): Result<Remote, string>
  /** Moves the clock to an instant. @throws SandboxError `invalid_request` @example session.clock.set('2026-03-01T09:00:00Z') */
  set(instant: string): Result<Remote, void>
  /**
   * Moves the clock forward by an ISO 8601 duration.
   * @returns the number of records that the step has changed, by table; none if the data stands still
   * @throws SandboxError `invalid_request`
   * @example session.clock.advance('P1DT2H')
   */
  advance(duration: string): Result<Remote, Partial<Record<TableName, number>>>
  /**
   * Moves the clock by a duration after each request, or after each request of one operation, so that data can change
   * between two pages; `undefined` stops that.
   * @throws SandboxError `invalid_request`
   * @example session.clock.tick({ by: 'PT3M', on: 'listCustomers' })
   */
  tick(input: Tick | undefined): Result<Remote, void>
  /**
   * Counts the records that change on each day of a range of at most 400 days, by default of the dataset's first 30.
   * @throws SandboxError `invalid_request`
   * @example const { next, items } = await session.clock.events()
   */
  events(query?: EventsOptions): Promise<Events>
  /** Moves the clock back to the dataset's `now`. @example session.clock.reset() */
  reset(): Result<Remote, void>
}

/** Everything that sessions have in common, in this process or another one, which takes a promise for each result. */
export interface CommonControl<Remote extends boolean> {
  /** Reads, sets and advances the session's time. */
  readonly clock: ClockControl<Remote>
  /** Injects errors, delays, broken connections and rate limits. */
  readonly faults: FaultControl<Remote>
  /** Lists and releases the requests that faults with `gate` hold. */
  readonly gates: GateControl<Remote>
  /** Plays the ways in which a tenant changes, or access ends, while a client works. */
  readonly scenarios: ScenarioControl<Remote>
  /** Arranges records: reads, creates, changes, deletes and restores them. */
  readonly data: SessionRecords
  /** Judges how a client has synced its copy, and reads the truth. */
  readonly sync: SyncControl
  /**
   * Explains why a response, or that of a recorded request, is what it is, or why a record is missing from it. Changes nothing.
   * @throws SandboxError `invalid_request`; `not_found` and `conflict` for a recorded request
   * @example
   * const { included, summary } = await session.explain({ path: '/organizations/harbor/customers?scope=mine', token, id: 12 })
   */
  explain(input: ExplainInput): Promise<Explanation>
  /**
   * Shows the response to a GET, with the session's scenarios. Changes nothing, and no fault acts.
   * @throws SandboxError `invalid_request`
   * @example
   * const { status, body } = await session.preview({ path: '/members/me', token })
   */
  preview(input: PreviewInput): Promise<Preview>
  /**
   * Saves changes, clock, faults and assumptions as one JSON document, for another process. The journal is not part of it.
   * @example await writeFile('state.json', JSON.stringify(await session.saveState()))
   */
  saveState(): Promise<StateDocument>
  /**
   * Restores a saved state, also one of another process. The default session also takes a state over another dataset: it
   * brings that dataset and drops every session, as a reseed does. With an error, nothing is changed.
   * @throws SandboxError `invalid_request`; `conflict` if it belongs to other data; `storage_full`, `storage_unavailable`
   * @example await session.restoreState(JSON.parse(await readFile('state.json', 'utf8')))
   */
  restoreState(state: StateDocument): Promise<void>
  /**
   * Drops changes, clock, faults, scenarios and journal.
   * @throws SandboxError `storage_full`, `storage_unavailable`
   * @example await session.reset()
   */
  reset(): Promise<void>
}

/** Everything that a sandbox and its sessions have in common. */
export interface SessionControl extends CommonControl<false> {
  /** Lists, verifies and exports the requests that the session has answered. */
  readonly requests: Requests
}

/**
 * A session as a test uses it.
 * @example
 * const session = sandbox.session()
 * session.faults.add({ operationId: 'listCustomers', status: 503, times: 1 })
 * const response = await session.fetch(request)
 * session.close()
 */
export interface SessionHandle extends SessionControl {
  /** The id that requests name the session by; `default` for the default session. */
  readonly id: string
  /**
   * Sends a request to the service in this session, whichever the request names, as the global `fetch` does.
   * @example const response = await session.fetch('/v1/members/me', { headers: { authorization: `Bearer ${token}` } })
   */
  readonly fetch: SandboxFetch
  /** Takes a snapshot of the session, without its journal, in constant time. @example const before = session.snapshot() */
  snapshot(): SessionSnapshot
  /**
   * Restores a snapshot of a session of this sandbox in constant time.
   * @throws SandboxError `conflict` if it was taken over another dataset, as before a reseed
   * @example session.restore(before)
   */
  restore(snapshot: SessionSnapshot): void
  /** Drops the session; its requests and its other methods are then rejected. @example session.close() */
  close(): void
}

export class Control implements SessionControl {
  readonly controlled: Session
  protected readonly connected: Connected
  #data: SessionRecords | undefined

  constructor(session: Session, connected: Connected) {
    this.controlled = session
    this.connected = connected
  }

  get #session(): Session {
    this.controlled.throwIfDropped()
    return this.controlled
  }

  readonly #loadLab = async () => this.connected.lab.createMethods(this.#session)
  readonly #explaining = publish(names.explain, this.#loadLab)
  readonly explain: SessionControl['explain'] = this.#explaining.explain
  readonly preview: SessionControl['preview'] = this.#explaining.preview

  get clock(): ClockControl {
    return {
      ...publish(names.clock, () => this.#session.clock),
      ...publish(names.events, this.#loadLab),
    }
  }

  get faults(): FaultControl {
    return publish(names.faults, () => this.#session.faults)
  }

  get gates(): GateControl {
    const { waits } = this.connected.state
    const next = async (filter: GateFilter = {}) =>
      this.#session.faults.gates.next(filter, () => waits.begin(Infinity, new AbortController().signal))
    return {
      ...publish(names.gates, () => this.#session.faults.gates),
      ...publish(names.nextGate, () => ({ next })),
    }
  }

  get scenarios(): ScenarioControl {
    return publish(names.scenarios, () => this.#session.scenarios)
  }

  get requests(): Requests {
    return {
      ...publish(names.requests, () => this.#session.requests),
      subscribe: (listener) => withCallerErrors('listener', () => this.#session.requests.subscribe(listener)),
    }
  }

  get data(): SessionRecords {
    const load = async () => this.connected.state.recordWriter(this.#session)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each collection's own form checks what goes in and out
    return (this.#data ??= {
      ...forEachTable((table) => ({
        ...publish(names.collection, load, table),
        ...publish(names.history, this.#loadLab, table),
      })),
      ...publish(names.changes, load),
      create: publish(names.batch, load).createAll,
    } as unknown as SessionRecords)
  }

  get sync(): SyncControl {
    return {
      ...publish(names.truth, this.#loadLab),
      // A copy may be large, and its rows are mapped by a function, so it is converted to JSON later, in steps.
      verdict: (copies, options) =>
        withCallerErrors('verdict', async () => (await this.#loadLab()).verdict(copies, options)),
    }
  }

  saveState(): Promise<StateDocument> {
    return withCallerErrors('argument', async () => this.connected.state.saveState(this.#session))
  }

  restoreState(state: StateDocument): Promise<void> {
    return withCallerErrors('state', async () => this.connected.state.restoreState(this.#session, state))
  }

  reset(): Promise<void> {
    return withCallerErrors('argument', async () => this.connected.state.reset(this.#session))
  }
}

export class Handle extends Control implements SessionHandle {
  /** Bound, so that it can be passed on like the global `fetch`. */
  readonly fetch: SandboxFetch = this.connected.fetchIn(this.controlled)

  get id(): string {
    return this.controlled.id ?? 'default'
  }

  snapshot(): SessionSnapshot {
    this.controlled.throwIfDropped()
    return this.controlled.snapshot()
  }

  restore(snapshot: SessionSnapshot): void {
    this.controlled.throwIfDropped()
    if (snapshot.dataset !== this.connected.state.dataset) {
      const fact = 'it is not a snapshot over the data of this sandbox, as before a reseed'
      throw new SandboxError('conflict', `Cannot restore the snapshot: ${fact}. Take another.`)
    }
    this.controlled.restore(snapshot)
  }

  close(): void {
    if (this.controlled.id !== undefined) this.connected.state.sessions.delete(this.controlled.id)
  }
}
