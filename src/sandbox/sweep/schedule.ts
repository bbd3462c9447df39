import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { addDuration } from '../../core/durations.ts'
import { type Input, named } from '../../core/input.ts'
import { parseInput } from '../../core/issues.ts'
import { removeUndefined } from '../../core/json.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { FaultInput } from '../../testing/faults/fault.ts'
import { OperationName } from '../../testing/request-target.ts'
import { ScenarioInput } from '../../testing/scenarios/scenario.ts'

/** The runs of a client, in their order: the first one, a later one, and one that reads everything again. */
export const runKinds = ['first', 'incremental', 'full'] as const
export type RunKind = (typeof runKinds)[number]

export const Duration = z
  .string()
  .refine(
    (by) => addDuration('2000-01-01T00:00:00.000Z', by) !== undefined,
    'must be an ISO 8601 duration like PT1H',
  )

const MAX_EVENTS = 20

export const actionNames = ['kill', 'fault', 'scenario', 'advance'] as const

export const SweepEvent = lazyStrictObject(() => ({
  run: z.enum(runKinds).describe('The run of the client.'),
  operationId: OperationName.describe('The operation. Example: `listCustomers`.'),
  path: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      'The path from `/v1` on. Default: any. Example: `/v1/organizations/harbor/customers/3/meetings`.',
    ),
  query: z
    .string()
    .max(10_000)
    .optional()
    .describe(
      'The query, its names sorted, with `*` for instants. Default: any. Example: `limit=10&offset=10`.',
    ),
  occurrence: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .optional()
    .describe('1 for the first such request of the run. Default: 1. Example: `2`.'),
  kill: z
    .enum(['before', 'after'])
    .optional()
    .describe(
      'Kills the client before the service handles the request, or after it, so that a note is stored.',
    ),
  fault: named<FaultInput>(FaultInput)
    .optional()
    .describe(
      'A fault on this request, and on later ones of its operation until the run ends, unless it has `times`. Example: `{ "status": 503, "times": 1 }`.',
    ),
  scenario: ScenarioInput.optional().describe(
    'A scenario that begins, and lasts until all is healed. Example: `{ "name": "page-drift" }`.',
  ),
  advance: Duration.optional().describe("Moves the session's clock. Example: `PT1H`."),
})).refine(
  (event) => actionNames.filter((name) => event[name] !== undefined).length === 1,
  `must have exactly one of ${actionNames.join(', ')}`,
)

/** An event of a sweep, just before a request is answered, with exactly one action. A field of its address that is left out matches any. */
export interface SweepEvent extends Input<typeof SweepEvent> {}

/** The action of an event. */
export type EventAction = Pick<SweepEvent, (typeof actionNames)[number]>

/** The request at which an event happens. */
export type EventAddress = Omit<SweepEvent, keyof EventAction>

export const Schedule = z.array(SweepEvent).max(MAX_EVENTS, `must have at most ${MAX_EVENTS} events`)

/** The events of one try, in any order. */
export type Schedule = readonly SweepEvent[]

/** Parses a schedule, a list of schedules, or an object that has them as `schedule`, such as a receipt. */
export function parseSchedules(input: unknown): readonly Schedule[] {
  const { schedule = input }: { readonly schedule?: unknown } = Object(input)
  const isList = Array.isArray(schedule) && schedule.length > 0 && schedule.every(Array.isArray)
  return (isList ? schedule : [schedule]).map((one) => parseInput(Schedule, one, ['schedule']))
}

export interface TracedRequest {
  readonly run: RunKind
  readonly path: string
  readonly query: string
  readonly occurrence: number
  readonly operationId: string | undefined
  readonly method: string
  readonly target: string
}

export const isAddressed = (event: SweepEvent, request: TracedRequest): boolean =>
  event.run === request.run &&
  event.operationId === request.operationId &&
  (event.path ?? request.path) === request.path &&
  (event.query ?? request.query) === request.query

export function normalizeQuery(query: URLSearchParams): string {
  const pairs = Array.from(
    query,
    ([name, value]) => `${name}=${utcDateTime.safeParse(value).success ? '*' : value}`,
  )
  return pairs.toSorted().join('&')
}

/** Describes an event in one line, as in `first run, 2nd listCustomers limit=10: page-drift begins`. */
export function describeEvent(event: SweepEvent): string {
  const { run, operationId, path = '', query = '', occurrence = 1 } = event
  // Without `/v1/organizations/…`.
  const place = path.split('/').slice(4).join('/')
  const ordinal = occurrence === 1 ? '' : `${occurrence}${['nd', 'rd'][occurrence - 2] ?? 'th'}`
  const which = [ordinal, operationId, place, query].filter((part) => part !== '')
  return `${run} run, ${which.join(' ')}: ${nameAction(event)}${event.scenario ? ' begins' : ''}`
}

/** Names what happens at an event. */
export function nameAction({ operationId, kill, fault, scenario, advance }: SweepEvent): string {
  if (kill !== undefined) return `the client is killed ${kill} the service handles it`
  if (advance !== undefined) return `the clock moves by ${advance}`
  if (fault)
    return `a fault (${describeFields(fault)})${fault.times === undefined ? ' until the run ends' : ''}`
  const { name = '', on, ...options } = scenario ?? {}
  const fields = describeFields({ ...options, ...(on !== operationId && { on }) })
  return `${name}${fields === '' ? '' : ` (${fields})`}`
}

function describeFields(fields: object): string {
  return Object.entries(removeUndefined(fields))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
