import { utcDateTime } from '../contract/fields.ts'
import { withCallerErrors, withCallerErrorsAsync } from '../core/caller-errors.ts'
import { importSequentially } from '../core/import-sequentially.ts'
import { parseInput } from '../core/issues.ts'
import type { ExplainInput, Explanation, Preview, PreviewInput } from '../explain/schemas.ts'
import type { FaultControl } from '../faults/faults.ts'
import type { GateControl } from '../faults/gates.ts'
import { type Requests, createRequests } from '../journal/requests.ts'
import { type SessionRecords, createSessionRecords } from '../records/api.ts'
import type { ScenarioControl } from '../scenarios/scenarios.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Session, SessionSnapshot } from '../sessions/session.ts'
import type { StateDocument } from '../sessions/summary.ts'
import { Tick } from '../sessions/time.ts'
import type { SyncControl } from '../sync/verdict.ts'
import type { ClockControl } from './clock-control.ts'
import type { Connected, SandboxFetch } from './connect.ts'

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
   * Sends a request to the service in this session, as the global `fetch` does.
   * @example const response = await session.fetch('/v1/members/me', { headers: { authorization: `Bearer ${token}` } })
   */
  readonly fetch: SandboxFetch
  /** Takes a snapshot of the session, without its journal, in constant time. @example const before = session.snapshot() */
  snapshot(): SessionSnapshot
  /** Restores a snapshot of a session of this sandbox in constant time. @example session.restore(before) */
  restore(snapshot: SessionSnapshot): void
  /** Drops the session; its requests and its other methods are then rejected. @example session.close() */
  close(): void
}

const loadQueries = () => importSequentially(() => import('../living/timeline-types.ts'))

export class Control implements SessionControl {
  readonly controlled: Session
  readonly #state: SandboxState
  readonly #explainer: Connected['explainer']
  readonly #sync: Connected['sync']

  constructor(session: Session, { state, explainer, sync }: Connected) {
    this.controlled = session
    this.#state = state
    this.#explainer = explainer
    this.#sync = sync
  }

  get #session(): Session {
    this.controlled.throwIfDropped()
    return this.controlled
  }

  get clock(): ClockControl {
    const move = (instant: string) => this.#session.time.set(instant).changed
    return {
      now: () => this.#session.clock.now(),
      set: (instant) => withCallerErrors('instant', () => void move(parseInput(utcDateTime, instant))),
      advance: (duration) =>
        withCallerErrors(
          () => 'duration',
          () => move(this.#session.clock.after(duration)),
        ),
      tick: (input) =>
        withCallerErrors('tick', () => {
          this.#session.time.tick = input === undefined ? undefined : parseInput(Tick, input)
        }),
      events: (query = {}) =>
        withCallerErrorsAsync('query', async () => {
          const { EventsQuery } = await loadQueries()
          return (await this.#state.timeline(this.#session)).events(parseInput(EventsQuery, query))
        }),
      reset: () => void this.#session.time.set(undefined),
    }
  }

  get faults(): FaultControl {
    return {
      add: (input) => withCallerErrors('fault', () => this.#session.faults.add(input)),
      addAll: (inputs) => withCallerErrors('faults', () => this.#session.faults.addAll(inputs)),
      list: () => this.#session.faults.list(),
      get: (id) => withCallerErrors('argument', () => this.#session.faults.get(id)),
      remove: (id) => withCallerErrors('argument', () => this.#session.faults.remove(id)),
      clear: () => this.#session.faults.clear(),
    }
  }

  get gates(): GateControl {
    const { waits } = this.#state
    return {
      list: () => this.#session.faults.gates.list(),
      next: (filter = {}) =>
        withCallerErrorsAsync('filter', () =>
          this.#session.faults.gates.next(filter, () => waits.begin(Infinity, new AbortController().signal)),
        ),
      release: (id, how) => withCallerErrors('argument', () => this.#session.faults.gates.release(id, how)),
      releaseAll: (how) => withCallerErrors('argument', () => this.#session.faults.gates.releaseAll(how)),
    }
  }

  get scenarios(): ScenarioControl {
    return {
      add: (input) => withCallerErrors('scenario', () => this.#session.scenarios.add(input)),
      list: () => this.#session.scenarios.list(),
      remove: (id) => withCallerErrors('argument', () => this.#session.scenarios.remove(id)),
      clear: () => this.#session.scenarios.clear(),
    }
  }

  get requests(): Requests {
    return createRequests(() => this.#session.requests)
  }

  get data(): SessionRecords {
    return createSessionRecords(
      () => this.#state.recordWriter(this.#session),
      () => this.#state.timeline(this.#session),
    )
  }

  get sync(): SyncControl {
    return {
      truth: (collection, options) =>
        withCallerErrorsAsync('query', async () =>
          (await this.#sync()).truth(this.#session, { collection, ...options }),
        ),
      verdict: (copy, { row, ...options } = {}) =>
        withCallerErrorsAsync('verdict', async () =>
          (await this.#sync()).verdict(this.#session, { copy, ...options }, row),
        ),
    }
  }

  explain(input: ExplainInput): Promise<Explanation> {
    return withCallerErrorsAsync('input', async () => (await this.#explainer()).explain(this.#session, input))
  }

  preview(input: PreviewInput): Promise<Preview> {
    return withCallerErrorsAsync('input', async () => (await this.#explainer()).preview(this.#session, input))
  }

  saveState(): Promise<StateDocument> {
    return withCallerErrorsAsync('argument', () => this.#state.saveState(this.#session))
  }

  restoreState(state: StateDocument): Promise<void> {
    return withCallerErrorsAsync('state', () => this.#state.restoreState(this.#session, state))
  }

  reset(): Promise<void> {
    return withCallerErrorsAsync('argument', () => this.#state.reset(this.#session))
  }
}

export class Handle extends Control implements SessionHandle {
  readonly #state: SandboxState
  /** Bound, so that it can be passed on like the global `fetch`. */
  readonly fetch: SessionHandle['fetch']

  constructor(session: Session, connected: Connected) {
    super(session, connected)
    this.#state = connected.state
    this.fetch = connected.fetchIn(session)
  }

  get id(): string {
    return this.controlled.id ?? 'default'
  }

  snapshot(): SessionSnapshot {
    this.controlled.throwIfDropped()
    return this.controlled.snapshot()
  }

  restore(snapshot: SessionSnapshot): void {
    this.controlled.throwIfDropped()
    this.controlled.restore(snapshot)
  }

  close(): void {
    if (this.controlled.id !== undefined) this.#state.sessions.delete(this.controlled.id)
  }
}
