import { listPathNames } from '../../contract/paths.ts'
import { groupBy } from '../../core/maps.ts'
import { type OperationId, operations } from '../../service/index.ts'
import type { FaultInput } from '../../testing/faults/fault.ts'
import { define, type ScenarioName } from '../../testing/scenarios/definitions.ts'
import { ScenarioInput } from '../../testing/scenarios/scenario.ts'
import {
  actionNames,
  type EventAction,
  type Schedule,
  type SweepEvent,
  type TracedRequest,
} from './schedule.ts'

export interface SweepEvents {
  /** Whether the client is killed. Default: true. @example false */
  readonly kills?: boolean | undefined
  /**
   * The faults; one without `times` lasts until the run ends. Default: a 503, a reset connection and half a body, each once,
   * and a lasting 503; for writes also a 503 and a reset connection after the note is stored.
   * @example [{ status: 429, retryAfterSeconds: 1, times: 1 }]
   */
  readonly faults?: readonly FaultInput[] | undefined
  /** The scenarios, with or without options. Default: those that change customers and their records, a wrong `totalCount` and an expired token. @example ['page-drift'] */
  readonly scenarios?: readonly (ScenarioName | ScenarioInput)[] | undefined
  /** The durations by which the clock moves between two requests. Default: an hour. @example ['PT5M'] */
  readonly ticks?: readonly string[] | undefined
}

const defaultFaults: readonly FaultInput[] = [
  { status: 503, times: 1 },
  { status: 503 },
  { reset: true, times: 1 },
  { malfunction: 'truncate', times: 1 },
]

const lostResponses: readonly FaultInput[] = [
  { status: 503, times: 1, stored: true },
  { reset: true, times: 1, stored: true },
]

// The lag of lists. Longer than a change and the time to the next run, so that this one misses it. Units: seconds.
const LAG = 60

const defaultScenarios: readonly ScenarioInput[] = [
  { name: 'page-drift', times: 1 },
  { name: 'deleted' },
  { name: 'update-at-cursor' },
  { name: 'change-while-reading', seconds: 10 },
  { name: 'bulk-update-ties' },
  { name: 'silent-change' },
  { name: 'child-only-change' },
  { name: 'child-only-change', collection: 'signals' },
  { name: 'merged' },
  { name: 'late-visibility', seconds: LAG },
  { name: 'deleted', collection: 'signals' },
  { name: 'deleted', collection: 'meetings' },
  { name: 'wrong-total' },
  { name: 'token-expires', requests: 1 },
]

/** How often each event is tried at an operation of a run: at its first request, its last, and its second. */
const RANKS = 3

export function listEvents(trace: readonly TracedRequest[], events: SweepEvents): readonly SweepEvent[] {
  const groups = groupRequests(trace)
  return Array.from({ length: RANKS }, (_, rank) =>
    listActions(events).flatMap((action) =>
      groups.flatMap(({ operationId, requests }) => {
        const request = requests[rank]
        return request ? place(action, { ...request, operationId }, rank) : []
      }),
    ),
  ).flat()
}

function groupRequests(trace: readonly TracedRequest[]) {
  const groups = groupBy(trace, ({ run, operationId }) => `${run} ${operationId}`)
  return [...groups.values()].flatMap((all) => {
    const [first, second] = all
    const operationId = first?.operationId
    const picked = [first, all.at(-1), second].filter((request) => request !== undefined)
    return isOperation(operationId) ? [{ operationId, requests: [...new Set(picked)] }] : []
  })
}

const isOperation = (id: string | undefined): id is OperationId => id !== undefined && id in operations

function listActions({ kills = true, faults, scenarios, ticks = ['PT1H'] }: SweepEvents): EventAction[] {
  return [
    ...(scenarios ?? defaultScenarios).map((scenario) => ({
      scenario: typeof scenario === 'string' ? { name: scenario } : scenario,
    })),
    ...(kills ? [{ kill: 'before' } as const, { kill: 'after' } as const] : []),
    ...(faults ?? [...defaultFaults, ...lostResponses]).map((fault) => ({ fault })),
    ...ticks.map((advance) => ({ advance })),
  ]
}

function place(
  action: EventAction,
  request: TracedRequest & { readonly operationId: OperationId },
  rank: number,
): SweepEvent[] {
  const { run, operationId, path, query, occurrence, method } = request
  const hasPath = listPathNames(operations[operationId].path).length > 1
  const address = { run, operationId, ...(hasPath && { path }), query, ...(occurrence > 1 && { occurrence }) }
  const { kill, fault, scenario } = action
  // A read that was handled differs from one that was not by its journal only.
  const isRead = method === 'GET' && (kill === 'after' || fault?.stored === true)
  if (isRead) return []
  if (scenario === undefined) return [{ ...address, ...action }]
  const { options, turn } = define(scenario.name)
  // A scenario waits for its turn, so only drift differs by the page at which it begins.
  if (rank > 0 && turn !== 'inner page') return []
  const { on = options.on } = scenario
  const isElsewhere = scenario.on !== undefined && scenario.on !== operationId
  const placed = { ...scenario, ...(on !== undefined && on !== operationId && { on: operationId }) }
  return !isElsewhere && ScenarioInput.safeParse(placed).success ? [{ ...address, scenario: placed }] : []
}

const getKind = (action: EventAction): string => actionNames.find((name) => action[name] !== undefined) ?? ''

// The kinds of pairs, those first that fail most often.
const pairKinds = [
  'scenario scenario',
  'kill scenario',
  'fault scenario',
  'advance scenario',
  'kill kill',
  'fault kill',
  'fault fault',
  'advance kill',
  'advance fault',
  'advance advance',
]

/**
 * Lists the pairs of events.
 * Order: those at one operation of one run of which one event alone makes no difference; then one pair of each kind after
 * the other, within a kind the other pairs with such an event first, and those at one operation of one run.
 */
export function listPairs(events: readonly SweepEvent[]): readonly Schedule[] {
  const pairs = events.flatMap((a, index) => events.slice(index + 1).map((b) => [a, b] as const))
  const byKind = groupBy(
    pairs.filter((pair) => rankPair(pair) > 0),
    (pair) => pair.map(getKind).toSorted().join(' '),
  )
  const rows = pairKinds.map((kinds) =>
    (byKind.get(kinds) ?? []).toSorted((a, b) => rankPair(a) - rankPair(b)),
  )
  const longest = Math.max(0, ...rows.map(({ length }) => length))
  return [
    ...pairs.filter((pair) => rankPair(pair) === 0),
    ...Array.from({ length: longest }, (_, index) =>
      rows.flatMap((row) => row.slice(index, index + 1)),
    ).flat(),
  ]
}

function rankPair([a, b]: readonly [SweepEvent, SweepEvent]): number {
  const isNear = a.run === b.run && a.operationId === b.operationId
  return (needsChange(a) === needsChange(b) ? 2 : 0) + (isNear ? 0 : 1)
}

export const needsChange = ({ scenario }: SweepEvent): boolean =>
  scenario !== undefined && define(scenario.name).lagSeconds !== undefined

/** The parts of fast-check that `schedules` uses. */
export interface FastCheck<A> {
  subarray(events: SweepEvent[], lengths: { readonly minLength: number; readonly maxLength: number }): A
}

export interface ScheduleChoice {
  /**
   * The events to combine, such as those that a sweep has found to make a difference. Default: events at the first three
   * requests of each list of customers, signals and meetings in the first and in an incremental run.
   */
  readonly events?: Schedule | undefined
  /** The most events of a schedule. Default: 4. @example 6 */
  readonly maxEvents?: number | undefined
}

const lists: readonly OperationId[] = ['listCustomers', 'listSignals', 'listCustomerMeetings']

function listUsualEvents(): readonly SweepEvent[] {
  const trace = (['first', 'incremental'] as const).flatMap((run) =>
    lists.flatMap((operationId) =>
      [1, 2, 3].map((occurrence) => ({
        run,
        operationId,
        path: '',
        query: '',
        occurrence,
        method: 'GET',
        target: '',
      })),
    ),
  )
  return listEvents(trace, {}).map(({ path: _path, query: _query, ...event }) => event)
}

export function createArbitrary<A>(fc: FastCheck<A>, { events, maxEvents = 4 }: ScheduleChoice): A {
  const all = [...(events ?? listUsualEvents())]
  // Down to none, because fast-check would otherwise never drop the last event.
  return fc.subarray(all, { minLength: 0, maxLength: Math.min(maxEvents, all.length) })
}
