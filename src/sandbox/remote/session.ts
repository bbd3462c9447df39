import { publish, withCallerErrors } from '../../core/caller-errors.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { mapCopies } from '../../lab/sync/copies.ts'
import { type SyncControl, TruthInput } from '../../lab/sync/verdict.ts'
import type { SessionInput } from '../../sessions/open-session.ts'
import { forEachTable, type TableName } from '../../store/tables.ts'
import type { FaultControl } from '../../testing/faults/faults.ts'
import type { GateControl } from '../../testing/faults/gates.ts'
import { RequestFilter } from '../../testing/journal/pattern.ts'
import { rejectWarnings, type RequestControl } from '../../testing/journal/requests.ts'
import { type ArrangeOptions, type Batch, ChangeFilter, ListOptions } from '../../testing/records/types.ts'
import type { ScenarioControl } from '../../testing/scenarios/scenarios.ts'
import { argumentNames as names } from '../argument-names.ts'
import type { ClockControl, CommonControl } from '../session-handle.ts'
import {
  castBody,
  castJson,
  castQuery,
  type ControlClient,
  createControlClient,
  nameArgument,
  read,
  type Server,
  toPart,
} from './control-client.ts'

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
  const { sessions } = createControlClient(server)
  const { id } = await withCallerErrors('session', async () =>
    read(sessions.$post({ json: castBody(input) })),
  )
  const control = createControlClient(server, id)
  const { state } = control
  return {
    id,
    baseUrl: `${server.url}/_sandbox/sessions/${id}/v1`,
    clock: publish({ ...names.clock, ...names.events }, async () => createClock(control)),
    faults: publish(names.faults, async () => createFaults(control)),
    gates: publish({ ...names.gates, ...names.nextGate }, async () => createGates(control)),
    scenarios: publish(names.scenarios, async () => createScenarios(control)),
    requests: publish(names.requests, async () => createRequests(control)),
    data: createRecords(control),
    sync: publish(names.sync, async () => createSync(control)),
    ...publish(names.session, async () => ({
      explain: (json) => read(control.explain.$post({ json: castBody(json) })),
      preview: (json) => read(control.preview.$post({ json: castBody(json) })),
      saveState: async () => castJson(await read(state.$get())),
      restoreState: async (json) => void (await state.$put({ json: castBody(json) })),
      reset: async () => void (await control.reset.$post({ json: {} })),
    })),
    close: async () => {
      await sessions[':id'].$delete({ param: { id } }).catch((error: unknown) => {
        // It may have been closed before, have expired, or have been dropped by a reseed.
        if (!(error instanceof SandboxError) || error.code !== 'not_found') throw error
      })
    },
  }
}

const createClock = ({ clock }: ControlClient): RemoteClock => ({
  now: async () => (await read(clock.$get())).now,
  set: async (now) => void (await nameArgument('now', clock.$put({ json: castBody({ now }) }))),
  advance: async (by) => {
    const advanced = await read(nameArgument('by', clock.advance.$post({ json: castBody({ by }) })))
    return castJson('changed' in advanced ? advanced.changed : {})
  },
  tick: async (rule) =>
    void (await (rule === undefined ? clock.tick.$delete() : clock.tick.$post({ json: castBody(rule) }))),
  events: async (query) => castJson(await read(clock.events.$get({ query: castQuery(query) }))),
  reset: async () => void (await clock.$delete()),
})

const createFaults = ({ faults }: ControlClient): RemoteFaults => ({
  add: async (fault) => castJson(await read(faults.$post({ query: {}, json: castBody(fault) }))),
  addAll: async (list) => castJson(await read(faults.$post({ query: {}, json: castBody(list) }))),
  list: async () => (await read(faults.$get())).items,
  get: (id) => read(faults[':id'].$get({ param: { id: toPart(id) } })),
  remove: async (id) => void (await faults[':id'].$delete({ param: { id: toPart(id) } })),
  clear: async () => void (await faults.$delete()),
})

const createGates = ({ gates }: ControlClient): GateControl<true> => ({
  list: async () => (await read(gates.$get())).items,
  next: (filter) => read(gates.next.$post({ json: castBody(filter) })),
  release: (id, how) => read(gates[':id'].release.$post({ param: { id: toPart(id) }, json: castBody(how) })),
  releaseAll: async (how) => (await read(gates.release.$post({ json: castBody(how) }))).items,
})

const createScenarios = ({ scenarios }: ControlClient): ScenarioControl<true> => ({
  add: (scenario) => read(scenarios.$post({ json: castBody(scenario) })),
  list: async () => (await read(scenarios.$get())).items,
  remove: async (id) => void (await scenarios[':id'].$delete({ param: { id: toPart(id) } })),
  clear: async () => void (await scenarios.$delete()),
})

const createRequests = (control: ControlClient): RemoteRequests => {
  const { requests } = control
  const warnings = async () => (await read(requests.warnings.$get())).items
  return {
    list: async (filter) =>
      castJson((await read(requests.$get({ query: castQuery(filter, RequestFilter) }))).items),
    clear: async () => void (await requests.$delete()),
    verify: async (rule) => {
      const { passed, message } = await read(requests.verify.$post({ json: castBody(rule) }))
      if (!passed) throw new Error(message)
    },
    warnings,
    assertNoWarnings: async (options) => rejectWarnings(await warnings(), options),
    coverage: () => read(requests.coverage.$get()),
    har: async (filter) =>
      castJson(await read(control['requests.har'].$get({ query: castQuery(filter, RequestFilter) }))),
  }
}

/** The most that a page of the control plane has. */
const [PAGE, CHANGES_PAGE] = [250, 1_000]

function createRecords({ data }: ControlClient): RemoteSession['data'] {
  const changes = {
    changes: async (filter?: ChangeFilter) => {
      if (filter) parseInput(ChangeFilter, filter)
      // Without options, the control plane compares with the dataset.
      const given = filter && { ...filter, since: filter.since ?? 0 }
      const items: object[] = []
      let totalCount = 1
      for (let offset = 0; offset < totalCount; offset += CHANGES_PAGE) {
        const query = castQuery({ ...given, offset })
        const page = await read(data.changes.$get({ query }))
        items.push(...page.items)
        totalCount = page.totalCount
      }
      return items
    },
    undo: async (table: string, id: number) => {
      const param = { collection: toPart(table), id: toPart(id) }
      return (await read(data.changes[':collection'][':id'].$delete({ param }))).undone
    },
    undoAll: async () => (await read(data.changes.$delete())).undone,
    createAll: (batch: Batch, options?: ArrangeOptions) =>
      read(data.$post({ query: castQuery(options), json: castBody(batch) })),
  }
  const published = publish({ ...names.changes, ...names.batch }, async () => changes)
  const records = {
    ...forEachTable((table) =>
      publish({ ...names.collection, ...names.history }, async () => createCollection(data, table)),
    ),
    ...published,
    create: published.createAll,
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane validates what goes in, and describes its responses in its OpenAPI document
  return records as unknown as RemoteSession['data']
}

function createCollection(data: ControlClient['data'], collection: TableName) {
  const [records, record] = [data[':collection'], data[':collection'][':id']]
  const at = (id: number) => ({ param: { collection, id: toPart(id) } })
  return {
    list: async (options: ListOptions = {}) => {
      const { offset = 0, limit = Infinity, ...filter } = parseInput(ListOptions, options)
      const items: object[] = []
      for (;;) {
        const left = Math.min(limit - items.length, PAGE)
        const query = castQuery({ offset: offset + items.length, limit: left === 0 ? 1 : left, ...filter })
        const page = await read(records.$get({ param: { collection }, query }))
        items.push(...page.items.slice(0, left))
        const isLast = page.items.length === 0 || offset + items.length >= page.totalCount
        if (isLast || items.length >= limit) return { items, totalCount: page.totalCount }
      }
    },
    counts: (by: string, options?: ArrangeOptions) =>
      read(records.counts.$get({ param: { collection }, query: castQuery({ by, ...options }) })),
    get: (id: number) => read(record.$get(at(id))),
    history: (id: number) => read(data.history[':collection'][':id'].$get(at(id))),
    put: (json: { readonly id?: number }, options?: ArrangeOptions) => {
      const parts = { query: castQuery(options), json: castBody(json) }
      return json.id === undefined
        ? read(records.$post({ param: { collection }, ...parts }))
        : read(record.$put({ ...at(json.id), ...parts }))
    },
    patch: (id: number, json: object) => read(record.$patch({ ...at(id), json: castBody(json) })),
    delete: async (id: number) => (await read(record.$delete(at(id)))).deleted,
    create: (json: readonly object[], options?: ArrangeOptions) =>
      read(records.$post({ param: { collection }, query: castQuery(options), json: castBody(json) })),
  }
}

const createSync = ({ sync }: ControlClient): SyncControl => ({
  truth: async (collection, options) =>
    read(sync.truth.$get({ query: castQuery({ collection, ...options }, TruthInput) })),
  verdict: (copies, { row, ...options } = {}) =>
    read(sync.verdict.$post({ query: {}, json: castBody({ copy: mapCopies(copies, row), ...options }) })),
})
