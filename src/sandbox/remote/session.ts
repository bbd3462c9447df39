import * as z from 'zod'

import { recordId } from '../../contract/fields.ts'
import { publish, withCallerErrors } from '../../core/caller-errors.ts'
import { SandboxError } from '../../core/errors.ts'
import { toJson, toJsonInSteps } from '../../core/exact-json.ts'
import { parseInput } from '../../core/issues.ts'
import { runInSlices } from '../../core/slices.ts'
import type { ExplainInput, PreviewInput } from '../../lab/explain/schemas.ts'
import { mapCopies } from '../../lab/sync/copies.ts'
import { type Collection, type SyncControl, TruthInput, type TruthOptions } from '../../lab/sync/verdict.ts'
import type { SessionInput } from '../../sessions/open-session.ts'
import { forEachTable, type TableName } from '../../store/tables.ts'
import { FaultInput, FaultList } from '../../testing/faults/fault.ts'
import type { FaultControl } from '../../testing/faults/faults.ts'
import type { GateControl } from '../../testing/faults/gates.ts'
import { RequestFilter } from '../../testing/journal/pattern.ts'
import { rejectWarnings, type RequestControl } from '../../testing/journal/requests.ts'
import { readId } from '../../testing/records/find-records.ts'
import {
  ArrangeOptions,
  type Batch,
  ChangeFilter,
  ChangesQuery,
  CountOptions,
  EventsQuery,
  ListOptions,
  RecordList,
} from '../../testing/records/types.ts'
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
    read(sessions.$post({ json: castBody(toJson(input)) })),
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
    sync: createSync(control),
    ...publish({ ...names.explain, ...names.session }, async () => ({
      explain: (json: ExplainInput) => read(control.explain.$post({ json: castBody(json) })),
      preview: (json: PreviewInput) => read(control.preview.$post({ json: castBody(json) })),
      saveState: async () => castJson(await read(state.$get())),
      reset: async () => void (await control.reset.$post({ json: {} })),
    })),
    restoreState: (saved) =>
      withCallerErrors('state', async () => {
        const json = await runInSlices(toJsonInSteps(saved))
        await state.$put({ json: castBody(json) })
      }),
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
  events: async (query) => castJson(await read(clock.events.$get({ query: castQuery(EventsQuery, query) }))),
  reset: async () => void (await clock.$delete()),
})

const createFaults = ({ faults }: ControlClient): RemoteFaults => ({
  // The route takes one or several.
  add: async (fault) =>
    castJson(await read(faults.$post({ query: {}, json: castBody(parseInput(FaultInput, fault)) }))),
  addAll: async (list) =>
    castJson(await read(faults.$post({ query: {}, json: castBody(parseInput(FaultList, list)) }))),
  list: async () => (await read(faults.$get())).items,
  get: (id) => read(faults[':id'].$get({ param: { id: toPart(id) } })),
  remove: async (id) => void (await faults[':id'].$delete({ param: { id: toPart(id) } })),
  clear: async () => void (await faults.$delete()),
})

const createGates = ({ gates }: ControlClient): GateControl<true> => ({
  list: async () => (await read(gates.$get())).items,
  next: (filter = {}) => read(gates.next.$post({ json: castBody(filter) })),
  release: (id, how = {}) =>
    read(gates[':id'].release.$post({ param: { id: toPart(id) }, json: castBody(how) })),
  releaseAll: async (how = {}) => (await read(gates.release.$post({ json: castBody(how) }))).items,
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
      castJson((await read(requests.$get({ query: castQuery(RequestFilter, filter) }))).items),
    clear: async () => void (await requests.$delete()),
    verify: async (rule) => {
      const { passed, message } = await read(requests.verify.$post({ json: castBody(rule) }))
      if (!passed) throw new Error(message)
    },
    warnings,
    assertNoWarnings: async (options) => rejectWarnings(await warnings(), options),
    coverage: () => read(requests.coverage.$get()),
    har: async (filter) =>
      castJson(await read(control['requests.har'].$get({ query: castQuery(RequestFilter, filter) }))),
  }
}

/** The most that a page of the control plane has. */
const [PAGE, CHANGES_PAGE] = [250, 1_000]

/** Creates the parts of a request that arranges records. */
const createParts = (json: unknown, options?: ArrangeOptions) => ({
  query: castQuery(ArrangeOptions, options, 'query'),
  json: castBody(json),
})

function createRecords({ data }: ControlClient): RemoteSession['data'] {
  const changes = {
    changes: async (filter?: ChangeFilter) => {
      // Without options, the control plane compares with the dataset.
      const given = filter === undefined ? {} : { since: 0, ...parseInput(ChangeFilter, filter) }
      const items: object[] = []
      let totalCount = 1
      for (let offset = 0; offset < totalCount; offset += CHANGES_PAGE) {
        const query = castQuery(ChangesQuery, { ...given, offset })
        const page = await read(data.changes.$get({ query }))
        items.push(...page.items)
        totalCount = page.totalCount
      }
      return items
    },
    undo: async (table: string, id: number) => {
      const param = { collection: toPart(table), id: `${readId(id)}` }
      return (await read(data.changes[':collection'][':id'].$delete({ param }))).undone
    },
    undoAll: async () => (await read(data.changes.$delete())).undone,
    createAll: (batch: Batch, options?: ArrangeOptions) => read(data.$post(createParts(batch, options))),
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
  const at = (id: number) => ({ param: { collection, id: `${readId(id)}` } })
  return {
    list: async (options: ListOptions = {}) => {
      const { offset = 0, limit = Infinity, ...filter } = parseInput(ListOptions, options)
      const items: object[] = []
      for (;;) {
        const left = Math.min(limit - items.length, PAGE)
        const place = { offset: offset + items.length, limit: left === 0 ? 1 : left }
        const query = castQuery(ListOptions, { ...place, ...filter })
        const page = await read(records.$get({ param: { collection }, query }))
        items.push(...page.items.slice(0, left))
        const isLast = page.items.length === 0 || offset + items.length >= page.totalCount
        if (isLast || items.length >= limit) return { items, totalCount: page.totalCount }
      }
    },
    counts: (by: string, options?: Pick<ListOptions, 'organizationId'>) => {
      const query = castQuery(CountOptions, { ...options, by }, 'query')
      return read(records.counts.$get({ param: { collection }, query }))
    },
    get: (id: number) => read(record.$get(at(id))),
    history: (id: number) => read(data.history[':collection'][':id'].$get(at(id))),
    put: (json: { readonly id?: number }, options?: ArrangeOptions) => {
      const parts = createParts(json, options)
      // The control plane names what is wrong with an id.
      const { id } = parseInput(z.looseObject({ id: recordId.optional().catch(undefined) }), json)
      return id === undefined
        ? read(records.$post({ param: { collection }, ...parts }))
        : read(record.$put({ ...at(id), ...parts }))
    },
    patch: (id: number, json: object) => read(record.$patch({ ...at(id), json: castBody(json) })),
    delete: async (id: number) => (await read(record.$delete(at(id)))).deleted,
    create: (json: readonly object[], options?: ArrangeOptions) =>
      read(records.$post({ param: { collection }, ...createParts(parseInput(RecordList, json), options) })),
  }
}

const createSync = ({ sync }: ControlClient): SyncControl => ({
  ...publish(names.truth, async () => ({
    truth: (collection: Collection, options?: TruthOptions) =>
      read(sync.truth.$get({ query: castQuery(TruthInput, { collection, ...options }) })),
  })),
  verdict: (copies, { row, ...options } = {}) =>
    withCallerErrors('verdict', async () => {
      const json = await runInSlices(toJsonInSteps({ copy: mapCopies(copies, row), ...options }))
      return read(sync.verdict.$post({ query: {}, json: castBody(json) }))
    }),
})
