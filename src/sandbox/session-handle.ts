import { utcDateTime } from '../contract/fields.ts'
import { withCallerErrorsAsync } from '../core/caller-errors.ts'
import { importSequentially } from '../core/import-sequentially.ts'
import { parseInput } from '../core/issues.ts'
import type { ExplainInput, Explanation, Preview, PreviewInput } from '../lab/explain/schemas.ts'
import type { Timeline } from '../lab/living/timeline.ts'
import { mapCopies } from '../lab/sync/copies.ts'
import type { SyncControl } from '../lab/sync/verdict.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Session, SessionSnapshot } from '../sessions/session.ts'
import type { StateDocument } from '../sessions/summary.ts'
import { Tick } from '../sessions/time.ts'
import { forEachTable, type TableName } from '../store/tables.ts'
import type { FaultControl } from '../testing/faults/faults.ts'
import type { GateControl } from '../testing/faults/gates.ts'
import { type Requests, createRequests } from '../testing/journal/requests.ts'
import type { SessionRecords } from '../testing/records/session-records.ts'
import type { ArrangeOptions, Batch, ChangeFilter } from '../testing/records/types.ts'
import type { ScenarioControl } from '../testing/scenarios/scenarios.ts'
import type { ClockControl } from './clock-control.ts'
import type { Connected, SandboxFetch } from './connect.ts'
import { bindLater, bindMethods, methods } from './methods.ts'

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

export class Control implements SessionControl {
  readonly controlled: Session
  readonly #connected: Connected

  constructor(session: Session, connected: Connected) {
    this.controlled = session
    this.#connected = connected
  }

  get #session(): Session {
    this.controlled.throwIfDropped()
    return this.controlled
  }

  get clock(): ClockControl {
    const move = (instant: string) => this.#session.time.set(instant).changed
    const clock = {
      now: () => this.#session.clock.now(),
      set: (instant: string) => void move(parseInput(utcDateTime, instant)),
      advance: (duration: string) => move(this.#session.clock.after(duration, '')),
      tick: (input: Tick | undefined) => {
        this.#session.time.tick = input === undefined ? undefined : parseInput(Tick, input)
      },
      reset: () => void this.#session.time.set(undefined),
    }
    return {
      ...bindMethods(methods.clock, () => clock),
      ...bindLater(methods.timeline, () => this.#loadTimeline()),
    }
  }

  async #loadTimeline(): Promise<Timeline> {
    const { openTimeline } = await importSequentially(() => import('../lab/living/timeline.ts'))
    return openTimeline(this.#connected.state, this.#session)
  }

  get faults(): FaultControl {
    return bindMethods(methods.faults, () => this.#session.faults)
  }

  get gates(): GateControl {
    const { waits } = this.#connected.state
    const begin = () => waits.begin(Infinity, new AbortController().signal)
    return {
      ...bindMethods(methods.gates, () => this.#session.faults.gates),
      next: (filter = {}) =>
        withCallerErrorsAsync('filter', () => this.#session.faults.gates.next(filter, begin)),
    }
  }

  get scenarios(): ScenarioControl {
    return bindMethods(methods.scenarios, () => this.#session.scenarios)
  }

  get requests(): Requests {
    return createRequests(() => this.#session.requests)
  }

  get data(): SessionRecords {
    const { state } = this.#connected
    const writer = () => state.recordWriter(this.#session)
    const load = (name: string): Promise<object> => (name === 'history' ? this.#loadTimeline() : writer())
    const records = {
      ...forEachTable((table) => bindLater(methods.collection, load, table)),
      ...bindLater(methods.records, async () => {
        const loaded = await writer()
        return {
          create: (batch: Batch, options?: ArrangeOptions) => loaded.createAll(batch, options),
          changes: (filter?: ChangeFilter) => (filter ? loaded.written(filter) : loaded.changes()),
          undo: (table: TableName, id: number) => loaded.undo(table, id),
          undoAll: () => loaded.undoAll(),
        }
      }),
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each collection's own form checks what goes in and out
    return records as unknown as SessionRecords
  }

  get sync(): SyncControl {
    return {
      truth: (collection, options) =>
        withCallerErrorsAsync('query', async () =>
          (await this.#connected.sync()).truth(this.#session, { collection, ...options }),
        ),
      verdict: (copy, { row, ...options } = {}) =>
        withCallerErrorsAsync('verdict', async () =>
          (await this.#connected.sync()).verdict(this.#session, { copy: mapCopies(copy, row), ...options }),
        ),
    }
  }

  explain(input: ExplainInput): Promise<Explanation> {
    return withCallerErrorsAsync('input', async () =>
      (await this.#connected.explainer()).explain(this.#session, input),
    )
  }

  preview(input: PreviewInput): Promise<Preview> {
    return withCallerErrorsAsync('input', async () =>
      (await this.#connected.explainer()).preview(this.#session, input),
    )
  }

  saveState(): Promise<StateDocument> {
    return withCallerErrorsAsync('argument', () => this.#connected.state.saveState(this.#session))
  }

  restoreState(state: StateDocument): Promise<void> {
    return withCallerErrorsAsync('state', () => this.#connected.state.restoreState(this.#session, state))
  }

  reset(): Promise<void> {
    return withCallerErrorsAsync('argument', () => this.#connected.state.reset(this.#session))
  }
}

export class Handle extends Control implements SessionHandle {
  readonly #sessions: SandboxState['sessions']
  /** Bound, so that it can be passed on like the global `fetch`. */
  readonly fetch: SessionHandle['fetch']

  constructor(session: Session, connected: Connected) {
    super(session, connected)
    this.#sessions = connected.state.sessions
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
    if (this.controlled.id !== undefined) this.#sessions.delete(this.controlled.id)
  }
}
