import * as z from 'zod'

import { DEFAULT_LIMIT } from '../../contract/fields.ts'
import { listPathNames } from '../../contract/paths.ts'
import { parseInput } from '../../core/issues.ts'
import { groupBy } from '../../core/maps.ts'
import { type OperationId, operations } from '../../service/index.ts'
import type { FaultInput } from '../../testing/faults/fault.ts'
import { definitions, type ScenarioName, scenarioNames } from '../../testing/scenarios/definitions.ts'
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
   * The faults; one without `times` lasts until the run ends. Default: a 503, a reset connection, half a body and a 429 with
   * `Retry-After` in seconds and as a date, each once, and a lasting 503; for writes also a 503 and a reset connection after the note is stored.
   * @example [{ status: 429, retryAfterSeconds: 1, times: 1 }]
   */
  readonly faults?: readonly FaultInput[] | undefined
  /** The scenarios, with or without options. Default: those that change customers and their records, a wrong `totalCount` and an expired token. @example ['page-drift'] */
  readonly scenarios?: readonly (ScenarioName | ScenarioInput)[] | undefined
  /** The durations by which the clock moves between two requests. Default: an hour. @example ['PT5M'] */
  readonly ticks?: readonly string[] | undefined
}

/** The kinds of events: those of an action, and each scenario by its name. */
export const EventKind = z.enum(['kills', 'faults', 'scenarios', 'ticks', ...scenarioNames])
export type EventKind = z.infer<typeof EventKind>

/** Chooses the default events of some kinds. Errors: invalid_request. */
export function parseKinds(input: readonly string[]): SweepEvents {
  const Kinds = z.array(EventKind).min(1, 'must have at least one kind')
  const kinds = new Set<string>(parseInput(Kinds, input, ['events']))
  const usual = usualActions.flatMap(({ scenario }) => scenario ?? [])
  const chosen = usual.filter(({ name }) => kinds.has('scenarios') || kinds.has(name))
  const others = scenarioNames.filter((name) => kinds.has(name) && !usual.some((one) => one.name === name))
  return {
    kills: kinds.has('kills'),
    scenarios: [...chosen, ...others],
    faults: kinds.has('faults') ? undefined : [],
    ticks: kinds.has('ticks') ? undefined : [],
  }
}

// The lag of lists. Longer than a change and the time to the next run, so that this one misses it. Units: seconds.
const LAG = 60

/** The actions of a sweep. Order: those first that find the most frequent mistakes, since a budget may end it early. */
const usualActions: readonly EventAction[] = [
  { scenario: { name: 'page-drift', times: 1 } },
  { scenario: { name: 'deleted' } },
  { scenario: { name: 'update-at-cursor' } },
  { scenario: { name: 'change-while-reading', seconds: 10 } },
  { scenario: { name: 'bulk-update-ties' } },
  { scenario: { name: 'late-visibility', seconds: LAG } },
  { scenario: { name: 'silent-change' } },
  { scenario: { name: 'wrong-total' } },
  { scenario: { name: 'token-expires', requests: 1 } },
  { fault: { status: 429, retryAfterSeconds: 1, times: 1 } },
  { fault: { status: 503 } },
  { kill: 'before' },
  { kill: 'after' },
  { scenario: { name: 'child-only-change' } },
  { scenario: { name: 'child-only-change', collection: 'signals' } },
  { scenario: { name: 'merged' } },
  { scenario: { name: 'deleted', collection: 'signals' } },
  { scenario: { name: 'deleted', collection: 'meetings' } },
  { fault: { status: 503, times: 1 } },
  { fault: { reset: true, times: 1 } },
  { fault: { malfunction: 'truncate', times: 1 } },
  { fault: { status: 429, retryAfterSeconds: 1, retryAfterDate: true, times: 1 } },
  { fault: { status: 503, times: 1, stored: true } },
  { fault: { reset: true, times: 1, stored: true } },
  { advance: 'PT1H' },
]

/**
 * Lists the single events. Order: each action at one request, then each at its next one, so that a sweep that ends early has
 * tried all actions.
 */
export function listEvents(trace: readonly TracedRequest[], events: SweepEvents): readonly SweepEvent[] {
  const early = listPlaces(trace, [0, -1, 1])
  // A client has more to lose in the middle of a run.
  const late = listPlaces(trace, [-1, 0, 1])
  const lists = listActions(events).map((action) => {
    const places = action.kill !== undefined || action.fault !== undefined ? late : early
    return places.flatMap((request) => place(action, request))
  })
  return interleave(lists)
}

/** Takes the first item of each list, then the second of each, and so on. */
function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}

type Known = TracedRequest & { readonly operationId: OperationId }

interface Place extends Known {
  /** Whether it is the first request of its operation in its run. */
  readonly isFirst: boolean
  /** The greatest number of rows that a page of the operation may have in its run. */
  readonly pageSize: number
}

const isKnown = (request: TracedRequest): request is Known => (request.operationId ?? '') in operations

const isPage = ({ operationId }: Known): boolean => operations[operationId].returns === 'page'

/** Lists requests of each operation in each run, pages first. @param order of their positions; -1 is the last */
function listPlaces(trace: readonly TracedRequest[], order: readonly number[]): Place[] {
  const pagesFirst = trace.filter(isKnown).toSorted((a, b) => Number(isPage(b)) - Number(isPage(a)))
  const groups = groupBy(pagesFirst, ({ run, operationId }) => `${run} ${operationId}`)
  const lists = Array.from(groups.values(), (all) => {
    const picked = new Set(order.flatMap((position) => all.at(position) ?? []))
    const limits = all.map(({ query }) => Number(new URLSearchParams(query).get('limit') ?? DEFAULT_LIMIT))
    const pageSize = Math.max(...limits)
    return Array.from(picked, (request): Place => ({ ...request, isFirst: request === all[0], pageSize }))
  })
  return interleave(lists)
}

function listActions({ kills = true, faults, scenarios, ticks }: SweepEvents): EventAction[] {
  return [
    ...(scenarios ?? []).map((one) => ({ scenario: typeof one === 'string' ? { name: one } : one })),
    ...(faults ?? []).map((fault) => ({ fault })),
    ...(ticks ?? []).map((advance) => ({ advance })),
    ...usualActions.filter(({ kill, fault, scenario }) =>
      kill === undefined ? (fault ? faults : scenario ? scenarios : ticks) === undefined : kills,
    ),
  ]
}

/**
 * The scenarios that concern as many rows as a page has, and how many more: a client that loses its filter after a page, or
 * ends by a total, then misses some.
 */
const rowsBesidePage: Partial<Readonly<Record<ScenarioName, number>>> = {
  'bulk-update-ties': 1,
  'wrong-total': 0,
}

function place(action: EventAction, request: Place): SweepEvent[] {
  const { run, operationId, path, query, occurrence, method, isFirst, pageSize } = request
  const hasPath = listPathNames(operations[operationId].path).length > 1
  const address = { run, operationId, ...(hasPath && { path }), query, ...(occurrence > 1 && { occurrence }) }
  const { kill, fault, scenario } = action
  // A read that was handled differs from one that was not by its journal only.
  if (method === 'GET' && (kill === 'after' || fault?.stored === true)) return []
  if (scenario === undefined) return [{ ...address, ...action }]
  const { options, turn } = definitions[scenario.name]
  // A scenario waits for its turn, so only drift differs by the page at which it begins.
  if (!isFirst && turn !== 'inner page') return []
  const { on = options.on } = scenario
  const isElsewhere = scenario.on !== undefined && scenario.on !== operationId
  const more = rowsBesidePage[scenario.name]
  const sized = more !== undefined && { count: pageSize + more }
  const placed = { ...sized, ...scenario, ...(on !== undefined && on !== operationId && { on: operationId }) }
  return !isElsewhere && ScenarioInput.safeParse(placed).success ? [{ ...address, scenario: placed }] : []
}

const getKind = (action: EventAction): string => actionNames.find((name) => action[name] !== undefined) ?? ''

const isNear = (a: SweepEvent, b: SweepEvent): boolean => a.run === b.run && a.operationId === b.operationId

/** Finds a change at the same place for an event that makes no difference without one. */
function findChange(
  { scenario, ...event }: SweepEvent,
  events: readonly SweepEvent[],
): SweepEvent | undefined {
  if (!scenario || definitions[scenario.name].lagSeconds === undefined) return undefined
  return events.find(
    (one) => one.scenario && definitions[one.scenario.name].editsCustomers && isNear(one, event),
  )
}

/** Lists a schedule for each event: of itself alone, or with a change if it makes no difference without one. */
export const listSingles = (events: readonly SweepEvent[]): readonly Schedule[] =>
  events.map((event) => [findChange(event, events) ?? [], event].flat())

/**
 * Lists the other pairs of events.
 * Order: one pair of each kind after the other; within a kind, those at one operation of one run first.
 */
export function listPairs(events: readonly SweepEvent[]): readonly Schedule[] {
  const pairs = events.flatMap((a, index) => events.slice(index + 1).map((b) => [a, b] as const))
  const others = pairs.filter(([a, b]) => findChange(a, events) !== b && findChange(b, events) !== a)
  const byKind = groupBy(others, (pair) => pair.map(getKind).toSorted().join(' '))
  const rows = Array.from(byKind.values(), (kind) =>
    kind.toSorted(([a, b], [c, d]) => Number(isNear(c, d)) - Number(isNear(a, b))),
  )
  return interleave(rows)
}

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

function listUsualEvents(): readonly SweepEvent[] {
  const lists: readonly OperationId[] = ['listCustomers', 'listSignals', 'listCustomerMeetings']
  const request = { path: '', query: '', method: 'GET', target: '' }
  const trace = (['first', 'incremental'] as const).flatMap((run) =>
    lists.flatMap((operationId) =>
      [1, 2, 3].map((occurrence) => ({ ...request, run, operationId, occurrence })),
    ),
  )
  return listEvents(trace, {}).map(({ path: _path, query: _query, ...event }) => event)
}

/**
 * Creates an arbitrary of the module `fast-check` for the `schedule` of a sweep, to try three events and more. It shrinks.
 * @example const { events } = await sweep(options)
 * await fc.assert(fc.asyncProperty(schedules(fc, { events }), async (schedule) => void (await sweep({ ...options, schedule }))))
 */
export function createArbitrary<A>(fc: FastCheck<A>, { events, maxEvents = 4 }: ScheduleChoice = {}): A {
  const all = [...(events ?? listUsualEvents())]
  // Down to none, because fast-check would otherwise never drop the last event.
  return fc.subarray(all, { minLength: 0, maxLength: Math.min(maxEvents, all.length) })
}
