import * as z from 'zod'

import { parseInput } from '../../core/issues.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { getOrCreate } from '../../core/maps.ts'
import { stopwatch } from '../../core/system-clock.ts'
import { enumerate, pluralize, shorten } from '../../core/words.ts'
import { FaultInput } from '../../testing/faults/fault.ts'
import { ScenarioInput } from '../../testing/scenarios/scenario.ts'
import { type EventKind, listEvents, listPairs, listSingles, parseKinds, type SweepEvents } from './events.ts'
import { play, type Failure, type Play, type PlayOptions } from './play.ts'
import { formatFailure, formatSlow, formatTest, type SlowSchedule } from './report.ts'
import { Duration, nameAction, type Schedule, type SweepEvent, type TracedRequest } from './schedule.ts'

const MAX_TIMEOUT = 3_600_000

/** The number of schedules after which a kind of event is idle if it has made no difference. */
const IDLE_AFTER = 3

/** The events and schedules that a sweep tries. */
export interface SweepChoice {
  /** The events that can happen, or the kinds of them. Default: kills, faults, scenarios and ticks of the clock. @example ['faults', 'page-drift'] */
  readonly events?: SweepEvents | readonly EventKind[] | undefined
  /** The most schedules to try, the smallest first. Default: 500. @example 100 */
  readonly limit?: number | undefined
  /** The real time after which no further schedule is tried, in milliseconds. Default: none. @example 60_000 */
  readonly budgetMs?: number | undefined
  /** Tries these schedules only, such as those that have failed. Default: all. @example [[{ run: 'first', operationId: 'listCustomers', kill: 'before' }]] */
  readonly schedules?: readonly Schedule[] | undefined
  /** Accepts that nothing of a schedule makes a difference. Default: false, which is an error. @example true */
  readonly allowIdle?: boolean | undefined
}

const toScenario = (value: unknown): unknown => (typeof value === 'string' ? { name: value } : value)

const SweepInput = lazyObject(() => ({
  events: z
    .strictObject({
      kills: z.boolean().optional(),
      faults: z.array(FaultInput).optional(),
      scenarios: z.array(z.preprocess(toScenario, ScenarioInput)).optional(),
      ticks: z.array(Duration).optional(),
    })
    .optional(),
  limit: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  budgetMs: z.number().positive('must be greater than 0').optional(),
  between: Duration.optional(),
  runs: z.int('must be a whole number').min(1, 'must be at least 1').max(100, 'must be at most 100'),
  timeoutMs: z.number().min(1).max(MAX_TIMEOUT).optional(),
}))

/** The result of a sweep that the client has survived. */
export interface SweepResult {
  /** The number of schedules of events that were tried. */
  readonly tried: number
  /** The schedules after which the client needed more than one quiet run to converge. */
  readonly slow: readonly Schedule[]
  /** The single events that have made a difference, for `schedules` and further sweeps. Order: as tried. */
  readonly events: Schedule
  /** The kinds of events that have made no difference wherever they were tried. */
  readonly idle: readonly string[]
  /** False if the client has sent other requests when it ran again, so that a schedule may not be reproducible. */
  readonly isDeterministic: boolean
  /** Says in a few lines what was tried. */
  toString(): string
}

/** The error of a sweep: the client fails under a schedule, or nothing has made a difference. */
export class SweepError extends Error {
  override readonly name = 'SweepError'
  /** The smallest schedule under which the client fails; empty if it fails without any event, undefined if it does not. */
  readonly schedule: Schedule | undefined
  readonly failure: Failure | undefined
  /** The number of schedules of events that were tried. */
  readonly tried: number
  readonly isDeterministic: boolean

  constructor(message: string, { schedule, failure, tried, isDeterministic }: Omit<SweepError, keyof Error>) {
    super(message, { cause: failure?.error })
    this.schedule = schedule
    this.failure = failure
    this.tried = tried
    this.isDeterministic = isDeterministic
  }
}

/** A schedule that was tried. */
export interface Trial {
  readonly schedule: Schedule
  readonly play: Play
  readonly tookMs: number
  readonly tried: number
  /** The most schedules that are going to be tried. */
  readonly total: number
}

export interface SweepListener {
  /** Says how to try a failing schedule alone. */
  readonly format: (schedule: Schedule) => string
  readonly onTrial?: (trial: Trial) => void
  /** Learns once that a kind of event has made no difference in its first schedules. */
  readonly onIdle?: (kind: string) => void
}

/** Tries the schedules of events in the order of their size. @throws SweepError once the client fails under one */
export async function runSweep(
  options: PlayOptions,
  choice: SweepChoice,
  { format, onTrial, onIdle }: SweepListener = { format: formatTest },
): Promise<SweepResult> {
  const { schedules: only, events: chosen = {}, limit = 500, budgetMs = Infinity, allowIdle = false } = choice
  const { between, timeoutMs, runs } = options
  const events = 'length' in chosen ? parseKinds(chosen) : chosen
  parseInput(SweepInput, { limit, events, between, timeoutMs, runs, budgetMs: choice.budgetMs })
  const startedMs = stopwatch()
  let tried = 0
  let total = only?.length ?? limit
  let usual: Play | undefined
  let difference: string | undefined
  const actedEvents = new Set<SweepEvent>()
  /** Whether events have made a difference, by their kind. Order: as tried. */
  const kinds = new Map<string, boolean[]>()
  const slow: SlowSchedule[] = []
  const isOver = (): boolean => stopwatch() - startedMs >= budgetMs

  const createError = (message: string, schedule?: Schedule, failure?: Failure): SweepError =>
    new SweepError(message, { schedule, failure, tried, isDeterministic: difference === undefined })

  const describeClaim = (): string => {
    if (difference !== undefined) {
      return ` The client is not deterministic, so a smaller schedule may break it: ${difference}.`
    }
    if (only) return ''
    if (tried === 1) return ' It is the first that was tried.'
    return ` It is the smallest: the client has survived ${pluralize(tried - 1, 'schedule')} before it.`
  }

  const tryOne = async (schedule: Schedule, isUndisturbed = false): Promise<Play> => {
    const trialMs = stopwatch()
    const result = await play(options, schedule, usual)
    if (!isUndisturbed) tried += 1
    onTrial?.({ schedule, play: result, tookMs: stopwatch() - trialMs, tried, total })
    const { failure, acted, quietRuns } = result
    if (failure) {
      const text = formatFailure(schedule, failure.text, describeClaim(), format(schedule))
      throw createError(text, schedule, failure)
    }
    for (const event of acted) actedEvents.add(event)
    if (quietRuns > 1) slow.push({ schedule, quietRuns })
    return result
  }

  const noteKind = ({ scenario, ...event }: SweepEvent, hasActed: boolean): void => {
    const name = nameAction({ ...event, scenario: scenario && { ...scenario, on: undefined } })
    const kind = getOrCreate(kinds, name, () => [])
    kind.push(hasActed)
    if (kind.length === IDLE_AFTER && !kind.includes(true)) onIdle?.(name)
  }

  usual = await tryOne([], true)
  if (usual.trace.length === 0) {
    const fact = 'The client has sent no request through its session, so nothing could happen to it.'
    throw createError(`${fact} Let it use the fetch, or the base URL, that it is given.`)
  }
  const again = await tryOne([], true)
  difference = findDifference(listTargets(usual.trace), listTargets(again.trace))
  const singles = only ? [] : listEvents(usual.trace, events)
  total = only?.length ?? Math.min(limit, (singles.length * (singles.length + 1)) / 2)
  const listSchedules = function* list(): Generator<Schedule> {
    yield* listSingles(singles)
    yield* listPairs(singles.filter((event) => actedEvents.has(event)))
  }
  for (const schedule of only ?? listSchedules()) {
    if (!only && (tried === limit || isOver())) break
    const { acted } = await tryOne(schedule)
    if (!only) for (const event of schedule) noteKind(event, acted.includes(event))
    else if (acted.length === 0 && schedule.length > 0 && !allowIdle) {
      const fact = 'Nothing of this schedule has made a difference: the client sends other requests now.'
      throw createError(`${fact} Sweep again, and replace it.`)
    }
  }
  if (!only && tried === 0) {
    const fact = isOver() ? 'The budget was spent' : 'There was no event to try'
    throw createError(
      `${fact} before anything could happen to the client. Allow more, so that something is checked.`,
    )
  }
  if (!only && actedEvents.size === 0) {
    const fact = `The client has survived, but no event made a difference: ${enumerate([...kinds.keys()], 20)}.`
    throw createError(`${fact} Choose events that concern it, so that something is checked.`)
  }
  const idle = Array.from(kinds, ([name, kind]) => (kind.includes(true) ? [] : name)).flat()
  const [slowest] = slow.toSorted((one, other) => other.quietRuns - one.quietRuns)
  const triedSingles = Math.min(tried, singles.length)
  const parts = `: ${pluralize(triedSingles, 'single event')} and ${pluralize(tried - triedSingles, 'pair')}`
  const claims = [
    `The client survives ${pluralize(tried, 'schedule')}${only ? '' : parts}, and 2 runs without any event.`,
    slowest && formatSlow(slowest, slow.length - 1),
    isOver() &&
      tried < total &&
      `The budget of ${pluralize(budgetMs / 1_000, 'second')} is spent, with up to ${pluralize(total - tried, 'schedule')} left.`,
    difference !== undefined && `It is not deterministic: ${difference}.`,
    idle.length > 0 && `No difference made: ${enumerate(idle, 20)}.`,
  ]
  return {
    tried,
    idle,
    slow: slow.map(({ schedule }) => schedule),
    events: [...actedEvents],
    isDeterministic: difference === undefined,
    toString: () => claims.filter(Boolean).join(' '),
  }
}

const listTargets = (trace: readonly TracedRequest[]): string[] =>
  trace.map(({ run, method, target }) => `${method} ${target} in the ${run} run`).toSorted()

const MAX_TARGET = 200

function findDifference(before: readonly string[], after: readonly string[]): string | undefined {
  const extra = after.find((target) => !before.includes(target))
  if (extra !== undefined) return `when it runs again, it sends ${shorten(extra, MAX_TARGET)}`
  const lacking = before.find((target) => !after.includes(target))
  if (lacking !== undefined) return `when it runs again, it does not send ${shorten(lacking, MAX_TARGET)}`
  if (before.join('\n') === after.join('\n')) return undefined
  return `it sends ${pluralize(before.length, 'request')}, and ${after.length} when it runs again`
}
