import { withCallerErrorsAsync } from '../core/caller-errors.ts'
import type { ExplainInput, Explanation } from '../explain/explain.ts'
import type { Preview, PreviewInput } from '../explain/preview.ts'
import type { AssumptionReport } from '../explain/report.ts'
import type { Fault, FaultInput } from '../faults/fault.ts'
import type { GateFilter, HeldRequest, Release } from '../faults/gates.ts'
import type { Har } from '../journal/har.ts'
import type { RequestFilter } from '../journal/pattern.ts'
import { rejectWarnings } from '../journal/requests.ts'
import type { Verdict, VerifyRule } from '../journal/verify.ts'
import type { JournalEntry } from '../journal/view.ts'
import type { Warning, WarningCode } from '../journal/warnings.ts'
import type { ChangedRecords, ChangesOptions, Events, EventsOptions } from '../living/timeline-types.ts'
import type { SessionRecords } from '../records/api.ts'
import type { Scenario, ScenarioInput } from '../scenarios/scenario.ts'
import type { SessionInput } from '../sessions/open-session.ts'
import type { StateDocument } from '../sessions/summary.ts'
import type { Tick } from '../sessions/tick.ts'
import type { SyncControl } from '../sync/sync-control.ts'
import { type Call, createCall, type Server } from './call.ts'
import { createRemoteRecords } from './records.ts'
import { createRemoteSync } from './sync.ts'

/** The clock of a session in another process. Units: instants in UTC with milliseconds. */
export interface RemoteClock {
  /** Returns the session's time. @example await sandbox.clock.now() // '2026-01-15T12:00:00.000Z' */
  now(): Promise<string>
  /** Moves the clock to an instant. @example await sandbox.clock.set('2026-03-01T09:00:00Z') */
  set(instant: string): Promise<void>
  /** Moves the clock forward by an ISO 8601 duration. @example await sandbox.clock.advance('P1DT2H') */
  advance(duration: string): Promise<void>
  /** Moves the clock after each request, or each request of one operation; `undefined` stops that. @example await sandbox.clock.tick({ by: 'PT3M', on: 'listCustomers' }) */
  tick(input: Tick | undefined): Promise<void>
  /** Lists the records that differ between two instants. @example const { items } = await sandbox.clock.changes({ since: '2026-01-20T00:00Z' }) */
  changes(query?: ChangesOptions): Promise<ChangedRecords>
  /** Counts the records that change on each day of a range. @example const { next, items } = await sandbox.clock.events() */
  events(query?: EventsOptions): Promise<Events>
  /** Moves the clock back to the dataset's `now`. @example await sandbox.clock.reset() */
  reset(): Promise<void>
}

/** The faults of a session in another process. The first fault that acts on a request wins. */
export interface RemoteFaults {
  /** Adds a fault after the others. @example await sandbox.faults.add({ operationId: 'listCustomers', status: 503, times: 2 }) */
  add(fault: FaultInput): Promise<Fault>
  /** Adds several faults, or none if one is invalid. @example await sandbox.faults.addAll([{ status: 503, times: 1 }, { delayMs: 2_000 }]) */
  addAll(faults: readonly FaultInput[]): Promise<Fault[]>
  /** Lists the faults with their counts. Order: as added. @example expect(await sandbox.faults.list()).toMatchObject([{ injected: 1 }]) */
  list(): Promise<Fault[]>
  /** Returns a fault by its id. @example const { injected } = await sandbox.faults.get('fault-1') */
  get(id: string): Promise<Fault>
  /** Removes a fault. @example await sandbox.faults.remove('fault-1') */
  remove(id: string): Promise<void>
  /** Removes all faults. @example await sandbox.faults.clear() */
  clear(): Promise<void>
}

/** The requests that faults of a session in another process hold. */
export interface RemoteGates {
  /** Lists the held requests. Order: as they arrived. @example (await sandbox.gates.list()).map(({ path }) => path) */
  list(): Promise<HeldRequest[]>
  /** Waits until a gate holds a request, and returns it; each request is returned once. @example const held = await sandbox.gates.next({ operationId: 'createCustomerNote' }) */
  next(filter?: GateFilter): Promise<HeldRequest>
  /** Releases a request to the service, or with a status in its place. @example await sandbox.gates.release(held.id) */
  release(id: string, how?: Release): Promise<HeldRequest>
  /** Releases every held request. @example await sandbox.gates.releaseAll() */
  releaseAll(how?: Release): Promise<HeldRequest[]>
}

/** The scenarios of a session in another process. */
export interface RemoteScenarios {
  /** Adds a scenario. @example await sandbox.scenarios.add({ name: 'page-drift' }) */
  add(scenario: ScenarioInput): Promise<Scenario>
  /** Lists the scenarios with their counts. Order: as added. @example expect(await sandbox.scenarios.list()).toMatchObject([{ acted: 1 }]) */
  list(): Promise<Scenario[]>
  /** Removes a scenario; its changes stay. @example await sandbox.scenarios.remove('scenario-1') */
  remove(id: string): Promise<void>
  /** Removes all scenarios. @example await sandbox.scenarios.clear() */
  clear(): Promise<void>
}

/** The filter of `list` and `har`; `verify` also compares queries and bodies. */
export type RemoteFilter = Omit<RequestFilter, 'query' | 'body'>

/** The requests that a session in another process has answered. */
export interface RemoteRequests {
  /** Lists the requests that match a filter, or all requests. Order: as they arrived. @example await sandbox.requests.list({ operationId: 'listCustomers', status: '5xx' }) */
  list(filter?: RemoteFilter): Promise<JournalEntry[]>
  /** Removes all requests and warnings. @example await sandbox.requests.clear() */
  clear(): Promise<void>
  /**
   * Verifies the number of matching requests (by default at least one), or their order.
   * @throws Error that shows the most similar requests and how they differ
   * @example await sandbox.requests.verify({ operationId: 'createCustomerNote', count: 1 })
   */
  verify(rule: VerifyRule): Promise<void>
  /** Lists warnings about wasteful or mistaken requests. @example (await sandbox.requests.warnings()).map(({ code }) => code) */
  warnings(): Promise<Warning[]>
  /** Throws if there are warnings, except those with a code in `ignore`. @example await sandbox.requests.assertNoWarnings({ ignore: ['unread_pages'] }) */
  assertNoWarnings(options?: { readonly ignore?: readonly WarningCode[] }): Promise<void>
  /** Exports the requests as an HTTP archive (HAR 1.2). @example await writeFile('requests.har', JSON.stringify(await sandbox.requests.har())) */
  har(filter?: RemoteFilter): Promise<Har>
  /** Reports the assumptions behind the responses so far. @example (await sandbox.requests.assumptions()).assumptions.map(({ name }) => name) */
  assumptions(): Promise<AssumptionReport>
}

/** A session of a running sandbox, controlled over HTTP: the methods of a session in process, each with a promise. */
export interface RemoteSession {
  /** The id that requests name the session by. */
  readonly id: string
  /** The base URL of the service in this session. */
  readonly baseUrl: string
  /** Sets and moves the session's time. */
  readonly clock: RemoteClock
  /** Injects errors, delays, broken connections and rate limits. */
  readonly faults: RemoteFaults
  /** Lists and releases the requests that faults with `gate` hold. */
  readonly gates: RemoteGates
  /** Plays the ways in which a tenant changes, or access ends, while a client works. */
  readonly scenarios: RemoteScenarios
  /** Lists and verifies the requests that the session has answered. */
  readonly requests: RemoteRequests
  /** Arranges records. */
  readonly data: SessionRecords
  /** Judges how a client has synced its copy, and reads the truth. */
  readonly sync: SyncControl
  /**
   * Explains why a response, or that of a recorded request, is what it is, or why a record is missing from it. Changes nothing.
   * @example const { included, summary } = await sandbox.explain({ path: '/organizations/harbor/customers', token, id: 12 })
   */
  explain(input: ExplainInput): Promise<Explanation>
  /** Shows the response to a GET. Changes nothing, and no fault acts. @example const { body } = await sandbox.preview({ path: '/members/me', token }) */
  preview(input: PreviewInput): Promise<Preview>
  /** Saves changes, clock, faults and assumptions as one JSON document. @example await writeFile('state.json', JSON.stringify(await sandbox.saveState())) */
  saveState(): Promise<StateDocument>
  /** Restores a saved state. @example await sandbox.restoreState(JSON.parse(await readFile('state.json', 'utf8'))) */
  restoreState(state: StateDocument): Promise<void>
  /** Drops changes, clock, faults, scenarios and journal. @example await sandbox.reset() */
  reset(): Promise<void>
  /** Drops the session. @example await sandbox.close() */
  close(): Promise<void>
}

interface Items<T> {
  readonly items: T[]
}

export async function openRemoteSession(server: Server, input: SessionInput): Promise<RemoteSession> {
  const open = createCall(server)
  const { id } = await withCallerErrorsAsync('session', () =>
    open<{ readonly id: string }>('POST', 'sessions', { body: input }),
  )
  const call = createCall(server, id)
  return {
    id,
    baseUrl: `${server.url}/_sandbox/sessions/${id}/v1`,
    clock: createClock(call),
    faults: createFaults(call),
    gates: createGates(call),
    scenarios: createScenarios(call),
    requests: createRequests(call),
    data: createRemoteRecords(call),
    sync: createRemoteSync(call),
    explain: (body) => withCallerErrorsAsync('input', () => call('POST', 'explain', { body })),
    preview: (body) => withCallerErrorsAsync('input', () => call('POST', 'preview', { body })),
    saveState: () => call('GET', 'state'),
    restoreState: (body) => withCallerErrorsAsync('state', () => call('PUT', 'state', { body })),
    reset: () => withCallerErrorsAsync('argument', () => call('POST', 'reset')),
    close: () => open('DELETE', `sessions/${id}`),
  }
}

function createClock(call: Call): RemoteClock {
  return {
    now: async () => (await call<{ readonly now: string }>('GET', 'clock')).now,
    set: (now) => withCallerErrorsAsync('clock', () => call('PUT', 'clock', { body: { now } })),
    advance: (by) => withCallerErrorsAsync('clock', () => call('POST', 'clock/advance', { body: { by } })),
    tick: (input) =>
      withCallerErrorsAsync('clock', () =>
        input ? call('POST', 'clock/tick', { body: input }) : call('DELETE', 'clock/tick'),
      ),
    changes: (query = {}) =>
      withCallerErrorsAsync('query', () => call('GET', 'clock/changes', { query: { ...query } })),
    events: (query = {}) =>
      withCallerErrorsAsync('query', () => call('GET', 'clock/events', { query: { ...query } })),
    reset: () => call('DELETE', 'clock'),
  }
}

const toFaultPath = (id: string): string => `faults/${encodeURIComponent(id)}`

function createFaults(call: Call): RemoteFaults {
  return {
    add: (body) => withCallerErrorsAsync('fault', () => call('POST', 'faults', { body })),
    addAll: (body) => withCallerErrorsAsync('faults', () => call('POST', 'faults', { body })),
    list: async () => (await call<Items<Fault>>('GET', 'faults')).items,
    get: (id) => call('GET', toFaultPath(id)),
    remove: (id) => call('DELETE', toFaultPath(id)),
    clear: () => call('DELETE', 'faults'),
  }
}

function createGates(call: Call): RemoteGates {
  return {
    list: async () => (await call<Items<HeldRequest>>('GET', 'gates')).items,
    next: (body = {}) => withCallerErrorsAsync('filter', () => call('POST', 'gates/next', { body })),
    release: (id, body = {}) =>
      withCallerErrorsAsync('argument', () =>
        call('POST', `gates/${encodeURIComponent(id)}/release`, { body }),
      ),
    releaseAll: (body = {}) =>
      withCallerErrorsAsync(
        'argument',
        async () => (await call<Items<HeldRequest>>('POST', 'gates/release', { body })).items,
      ),
  }
}

function createScenarios(call: Call): RemoteScenarios {
  return {
    add: (body) => withCallerErrorsAsync('scenario', () => call('POST', 'scenarios', { body })),
    list: async () => (await call<Items<Scenario>>('GET', 'scenarios')).items,
    remove: (id) => call('DELETE', `scenarios/${encodeURIComponent(id)}`),
    clear: () => call('DELETE', 'scenarios'),
  }
}

function createRequests(call: Call): RemoteRequests {
  const warnings = async (): Promise<Warning[]> =>
    (await call<Items<Warning>>('GET', 'requests/warnings')).items
  return {
    list: (filter = {}) =>
      withCallerErrorsAsync(
        'filter',
        async () => (await call<Items<JournalEntry>>('GET', 'requests', { query: { ...filter } })).items,
      ),
    clear: () => call('DELETE', 'requests'),
    verify: async (rule) => {
      const verdict = await withCallerErrorsAsync('rule', () =>
        call<Verdict>('POST', 'requests/verify', { body: rule }),
      )
      if (!verdict.passed) throw new Error(verdict.message)
    },
    warnings,
    assertNoWarnings: (options) =>
      withCallerErrorsAsync('options', async () => rejectWarnings(await warnings(), options)),
    har: (filter = {}) =>
      withCallerErrorsAsync('filter', () => call('GET', 'requests.har', { query: { ...filter } })),
    assumptions: () => call('GET', 'assumptions', { query: { used: 'true' } }),
  }
}
