import { withCallerErrorsAsync } from '../core/caller-errors.ts'
import type { FaultControl } from '../faults/faults.ts'
import type { GateControl } from '../faults/gates.ts'
import type { Har } from '../journal/har.ts'
import type { WarningOptions } from '../journal/matchers.ts'
import type { RequestFilter } from '../journal/pattern.ts'
import { rejectWarnings } from '../journal/requests.ts'
import type { VerifyRule } from '../journal/verify.ts'
import type { JournalEntry } from '../journal/view.ts'
import type { Warning } from '../journal/warnings.ts'
import type { ClockControl } from '../sandbox/clock-control.ts'
import type { CommonControl } from '../sandbox/session-handle.ts'
import type { ScenarioControl } from '../scenarios/scenarios.ts'
import type { SessionInput } from '../sessions/open-session.ts'
import type { TableName } from '../store/tables.ts'
import { findMapper } from '../sync/copies.ts'
import { Collection, type SyncControl, type Verdict } from '../sync/verdict.ts'
import { type Call, type CallParts, createCall, type Server } from './call.ts'
import { createRemoteRecords } from './records.ts'

export type RemoteClock = ClockControl<true>
export type RemoteFaults = FaultControl<true>

type RemoteFilter = Omit<RequestFilter, 'query' | 'body'>

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
  assertNoWarnings(options?: WarningOptions): Promise<void>
  /** Exports the requests as an HTTP archive (HAR 1.2). @example await writeFile('requests.har', JSON.stringify(await sandbox.requests.har())) */
  har(filter?: RemoteFilter): Promise<Har>
}

/** A session of a running sandbox, controlled over HTTP: the methods of a session in process, each with a promise. */
export interface RemoteSession extends CommonControl<true> {
  /** The id that requests name the session by. */
  readonly id: string
  /** The base URL of the service in this session. */
  readonly baseUrl: string
  /** Lists and verifies the requests that the session has answered. */
  readonly requests: RemoteRequests
  /** Drops the session. @example await sandbox.close() */
  close(): Promise<void>
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
    explain: sendBody(call, 'input', 'POST', 'explain'),
    preview: sendBody(call, 'input', 'POST', 'preview'),
    saveState: () => call('GET', 'state'),
    restoreState: sendBody(call, 'state', 'PUT', 'state'),
    reset: () => withCallerErrorsAsync('argument', () => call('POST', 'reset')),
    close: () => open('DELETE', `sessions/${id}`),
  }
}

const sendBody =
  (call: Call, argument: string, method: string, path: string) =>
  <R>(body: unknown): Promise<R> =>
    withCallerErrorsAsync(argument, () => call(method, path, { body }))

const sendQuery =
  (call: Call, argument: string, path: string) =>
  <R>(query: object = {}): Promise<R> =>
    withCallerErrorsAsync(argument, () => call('GET', path, { query: { ...query } }))

const getItems = async <T>(call: Call, path: string, parts?: CallParts, method = 'GET'): Promise<T[]> =>
  (await call<{ readonly items: T[] }>(method, path, parts)).items

function createClock(call: Call): RemoteClock {
  return {
    now: async () => (await call<{ readonly now: string }>('GET', 'clock')).now,
    set: (now) => withCallerErrorsAsync('clock', () => call('PUT', 'clock', { body: { now } })),
    advance: (by) =>
      withCallerErrorsAsync('clock', async () => {
        type Advanced = { readonly changed?: Partial<Record<TableName, number>> }
        return (await call<Advanced>('POST', 'clock/advance', { body: { by } })).changed ?? {}
      }),
    tick: (input) =>
      withCallerErrorsAsync('clock', () =>
        input ? call('POST', 'clock/tick', { body: input }) : call('DELETE', 'clock/tick'),
      ),
    events: sendQuery(call, 'query', 'clock/events'),
    reset: () => call('DELETE', 'clock'),
  }
}

const toFaultPath = (id: string): string => `faults/${encodeURIComponent(id)}`

function createFaults(call: Call): RemoteFaults {
  return {
    add: sendBody(call, 'fault', 'POST', 'faults'),
    addAll: sendBody(call, 'faults', 'POST', 'faults'),
    list: () => getItems(call, 'faults'),
    get: (id) => call('GET', toFaultPath(id)),
    remove: (id) => call('DELETE', toFaultPath(id)),
    clear: () => call('DELETE', 'faults'),
  }
}

function createGates(call: Call): GateControl<true> {
  return {
    list: () => getItems(call, 'gates'),
    next: (body = {}) => withCallerErrorsAsync('filter', () => call('POST', 'gates/next', { body })),
    release: (id, body = {}) =>
      withCallerErrorsAsync('argument', () =>
        call('POST', `gates/${encodeURIComponent(id)}/release`, { body }),
      ),
    releaseAll: (body = {}) =>
      withCallerErrorsAsync('argument', () => getItems(call, 'gates/release', { body }, 'POST')),
  }
}

function createScenarios(call: Call): ScenarioControl<true> {
  return {
    add: sendBody(call, 'scenario', 'POST', 'scenarios'),
    list: () => getItems(call, 'scenarios'),
    remove: (id) => call('DELETE', `scenarios/${encodeURIComponent(id)}`),
    clear: () => call('DELETE', 'scenarios'),
  }
}

function createRequests(call: Call): RemoteRequests {
  const warnings = (): Promise<Warning[]> => getItems(call, 'requests/warnings')
  return {
    list: (query = {}) =>
      withCallerErrorsAsync('filter', () => getItems(call, 'requests', { query: { ...query } })),
    clear: () => call('DELETE', 'requests'),
    verify: async (rule) => {
      type Verified = { readonly passed: boolean; readonly message: string }
      const { passed, message } = await withCallerErrorsAsync('rule', () =>
        call<Verified>('POST', 'requests/verify', { body: rule }),
      )
      if (!passed) throw new Error(message)
    },
    warnings,
    assertNoWarnings: (options) =>
      withCallerErrorsAsync('options', async () => rejectWarnings(await warnings(), options)),
    har: sendQuery(call, 'filter', 'requests.har'),
  }
}

/** How often a verdict may ask for the client's form of further rows. Two or three times are usual. */
const MAX_ROUNDS = 20

function createRemoteSync(call: Call): SyncControl {
  return {
    truth: (collection, { scenarios, ...options } = {}) =>
      withCallerErrorsAsync('query', () =>
        call('GET', 'sync/truth', {
          query: { collection, ...options, scenarios: scenarios === undefined ? undefined : `${scenarios}` },
        }),
      ),
    verdict: (copy, { row, ...options } = {}) =>
      withCallerErrorsAsync('verdict', async () => {
        const names = Collection.options.filter((name) => copy?.[name] && findMapper(row, name))
        const mapped = new Map(names.map((name): [Collection, unknown[]] => [name, []]))
        const body = { copy, ...options }
        for (let round = 0; round < MAX_ROUNDS; round += 1) {
          const forms = mapped.size > 0 ? { mapped: Object.fromEntries(mapped) } : {}
          // oxlint-disable-next-line no-await-in-loop -- each answer says which rows to map next
          const verdict = await call<Verdict>('POST', 'sync/verdict', { body: { ...body, ...forms } })
          if (!verdict.unmapped) return verdict
          for (const name of names) {
            const rows = verdict.unmapped[name] ?? []
            mapped.get(name)?.push(...rows.map((one) => ({ row: one, as: findMapper(row, name)?.(one) })))
          }
        }
        const fact = `The rows changed ${MAX_ROUNDS} times while the client mapped them.`
        throw new Error(`${fact} Judge while nothing writes to the session.`)
      }),
  }
}
