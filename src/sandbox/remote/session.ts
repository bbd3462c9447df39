import { withCallerErrorsAsync } from '../../core/caller-errors.ts'
import { mapCopies } from '../../lab/sync/copies.ts'
import type { SyncControl } from '../../lab/sync/verdict.ts'
import type { SessionInput } from '../../sessions/open-session.ts'
import { forEachTable, type TableName } from '../../store/tables.ts'
import type { FaultControl } from '../../testing/faults/faults.ts'
import { rejectWarnings, type RequestControl } from '../../testing/journal/requests.ts'
import type { Warning } from '../../testing/journal/warnings.ts'
import type { ChangeFilter, ListOptions } from '../../testing/records/types.ts'
import type { ClockControl } from '../clock-control.ts'
import { mapMethods, type Method, type Methods, methods } from '../methods.ts'
import type { CommonControl } from '../session-handle.ts'
import { type Call, createCall, type Server } from './call.ts'

export type RemoteClock = ClockControl<true>
export type RemoteFaults = FaultControl<true>
/** The requests that a session in another process has answered. */
export type RemoteRequests = RequestControl<true>

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
  const bind = (group: Methods, ...first: readonly unknown[]) =>
    mapMethods(
      group,
      (_, argument = 'argument', method) =>
        (...args: unknown[]) =>
          withCallerErrorsAsync(argument, () => send(call, method, [...first, ...args])),
    )
  const session = {
    id,
    baseUrl: `${server.url}/_sandbox/sessions/${id}/v1`,
    clock: { ...bind({ ...methods.clock, ...methods.timeline }), tick: createTick(call) },
    faults: bind(methods.faults),
    gates: bind({ ...methods.gates, ...methods.nextGate }),
    scenarios: bind(methods.scenarios),
    requests: { ...bind(methods.requests), ...createVerifier(call) },
    data: {
      ...forEachTable((table) => ({ ...bind(methods.collection, table), ...createLists(call, table) })),
      ...bind(methods.records),
      changes: createChanges(call),
    },
    sync: createSync(call),
    ...bind(methods.session),
    close: () => open('DELETE', `sessions/${id}`),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane validates what goes in, and describes its responses in its OpenAPI document
  return session as unknown as RemoteSession
}

async function send(call: Call, { route, as, returns }: Method, args: readonly unknown[]): Promise<unknown> {
  const [method = '', template = ''] = route.split(' ')
  const rest = [...args]
  const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())))
  const [argument, options] = rest
  const sent = as === undefined ? argument : { [as]: argument }
  const isQuery = method === 'GET'
  const query = { ...(isQuery && Object(sent)), ...Object(options) }
  const response = await call<unknown>(method, path, isQuery ? { query } : { query, body: sent })
  if (returns === null) return undefined
  return returns === undefined ? response : (Reflect.get(Object(response), returns) ?? {})
}

const createTick =
  (call: Call): RemoteClock['tick'] =>
  (body) =>
    withCallerErrorsAsync('tick', async () => {
      await call(body ? 'POST' : 'DELETE', 'clock/tick', { body })
    })

function createVerifier(call: Call): Pick<RemoteRequests, 'verify' | 'assertNoWarnings'> {
  return {
    verify: async (rule) => {
      type Verified = { readonly passed: boolean; readonly message: string }
      const { passed, message } = await withCallerErrorsAsync('rule', () =>
        call<Verified>('POST', 'requests/verify', { body: rule }),
      )
      if (!passed) throw new Error(message)
    },
    assertNoWarnings: (options) =>
      withCallerErrorsAsync('options', async () => {
        const { items } = await call<{ readonly items: readonly Warning[] }>('GET', 'requests/warnings')
        rejectWarnings(items, options)
      }),
  }
}

const PAGE = 250

interface Page {
  readonly items: readonly unknown[]
  readonly totalCount: number
}

/** Creates the methods of a collection that take several requests, or another route for a new record. */
const createLists = (call: Call, table: TableName) => ({
  list: ({ offset = 0, limit = Infinity, ...filter }: ListOptions = {}) =>
    withCallerErrorsAsync('argument', async (): Promise<Page> => {
      const items: unknown[] = []
      for (;;) {
        const left = Math.min(limit - items.length, PAGE)
        const query = { offset: offset + items.length, limit: Math.max(left, 1), ...filter }
        // oxlint-disable-next-line no-await-in-loop -- the next page begins where this one ends
        const page = await call<Page>('GET', `data/${table}`, { query })
        items.push(...page.items.slice(0, left))
        const isLast = page.items.length === 0 || offset + items.length >= page.totalCount
        if (isLast || items.length >= limit) return { items, totalCount: page.totalCount }
      }
    }),
  put: (record: { readonly id?: number }, options?: object) =>
    withCallerErrorsAsync('record', () => {
      const parts = { query: { ...options }, body: record }
      return record.id === undefined
        ? call('POST', `data/${table}`, parts)
        : call('PUT', `data/${table}/${record.id}`, parts)
    }),
})

const createChanges = (call: Call) => (filter?: ChangeFilter) =>
  withCallerErrorsAsync('filter', async () => {
    // Without options, the control plane compares with the dataset.
    const query = filter && { ...filter, since: filter.since ?? 0 }
    return (await call<Page>('GET', 'data/changes', { query })).items
  })

function createSync(call: Call): SyncControl {
  return {
    truth: (collection, { scenarios, ...options } = {}) =>
      withCallerErrorsAsync('query', () =>
        call('GET', 'sync/truth', {
          query: { collection, ...options, scenarios: scenarios === undefined ? undefined : `${scenarios}` },
        }),
      ),
    verdict: (copy, { row, ...options } = {}) =>
      withCallerErrorsAsync('verdict', () =>
        call('POST', 'sync/verdict', { body: { copy: mapCopies(copy, row), ...options } }),
      ),
  }
}
