import type { Result } from '../../core/caller-errors.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { stopwatch } from '../../core/system-clock.ts'
import { ActiveStates, type StatesSnapshot } from '../active-states.ts'
import { matchesTarget, type TargetedRequest } from '../request-target.ts'
import { type FaultEffect, type HeaderFields, type RateLimit, type Step, toSteps } from './effects.ts'
import { type Fault, FaultInput, FaultList, type FaultSettings, MAX_FAULTS } from './fault.ts'
import { Gates } from './gates.ts'
import { exposeHeaders, type Injection } from './inject.ts'
import { profiles } from './profiles.ts'

/** Units: characters of JSON of all faults of a session. */
const MAX_SIZE = 16 * 1_048_576

export interface FaultControl<Remote extends boolean = false> {
  /**
   * Adds a fault after the others; the first that acts on a request wins.
   * @throws SandboxError `invalid_request`; `conflict` if there are too many
   * @example session.faults.add({ operationId: 'listCustomers', status: 503, times: 2 })
   */
  add(fault: FaultInput): Result<Remote, Fault>
  /**
   * Adds several faults, or none if one is invalid.
   * @throws SandboxError as `add`
   * @example session.faults.addAll([{ status: 503, times: 1 }, { delayMs: 2_000 }])
   */
  addAll(faults: readonly FaultInput[]): Result<Remote, Fault[]>
  /** Lists the faults with their counts. Order: as added. @example expect(session.faults.list()).toMatchObject([{ injected: 1 }]) */
  list(): Result<Remote, Fault[]>
  /** Finds a fault by its id. @throws SandboxError `not_found` @example session.faults.get('fault-1').injected */
  get(id: string): Result<Remote, Fault>
  /** Removes a fault, and releases the requests that it holds; in process, returns it. @throws SandboxError `not_found` @example session.faults.remove('fault-1') */
  remove(id: string): Remote extends true ? Promise<void> : Fault
  /** Removes all faults and releases the requests that they hold; their ids are not used again. @example session.faults.clear() */
  clear(): Result<Remote, void>
}

type Draw = (key: string) => number

interface FaultClock {
  now(): string
  readonly isRunning?: boolean
}

export interface ActiveFault {
  readonly id: string
  readonly settings: FaultSettings
  readonly size: number
  matched: number
  injected: number
  step: number
  window: RateWindow | undefined
}

export type FaultsSnapshot = StatesSnapshot<ActiveFault>

export class Faults extends ActiveStates<ActiveFault, Fault> implements FaultControl {
  readonly gates: Gates = new Gates(() =>
    this.states.flatMap(({ settings }) => (settings.gate ? [settings.operationId] : [])),
  )
  readonly #draw: Draw
  protected readonly copy = (state: ActiveFault): ActiveFault => ({ ...state })
  protected readonly describe = (state: ActiveFault): Fault => {
    const { id, settings, matched, injected } = state
    return { id, ...structuredClone(settings), matched, injected, left: countLeft(state) }
  }

  constructor(draw: Draw) {
    super('fault')
    this.#draw = draw
  }

  get bytes(): number {
    return this.states.length * 1_000 + sumSizes(this.states) * 2
  }

  add(input: FaultInput): Fault {
    const id = this.nextId()
    this.append([parseInput(FaultInput, input)])
    return this.get(id)
  }

  addAll(inputs: readonly FaultInput[]): Fault[] {
    return this.append(parseInput(FaultList, inputs))
  }

  append(faults: readonly FaultSettings[], place: 'first' | 'last' = 'last'): Fault[] {
    const added = faults.map((fault, at) => createState(this.nextId(at), fault))
    const states = place === 'first' ? [...added, ...this.states] : [...this.states, ...added]
    if (states.length > MAX_FAULTS || sumSizes(states) > MAX_SIZE) {
      const limit = `a session can have at most ${MAX_FAULTS} faults, with ${MAX_SIZE} characters in total`
      throw new SandboxError('conflict', `Cannot add the fault: ${limit}. Remove some first.`)
    }
    this.replace(states, added.length)
    return added.map(this.describe)
  }

  /** Releases the requests that removed faults hold, and ends the waits for requests that no fault holds any more. */
  protected override replace(states: readonly ActiveFault[], added?: number): void {
    const removed = this.states.filter((state) => state.settings.gate && !states.includes(state))
    super.replace(states, added)
    for (const { id } of removed) this.gates.releaseAll({}, id)
    if (removed.length > 0) this.gates.endWaits()
  }

  /**
   * Decides what happens to a request: the first fault that acts on it wins, and rate limits before it add their headers.
   * @param carried the faults of scenarios, which come first
   */
  decide(
    request: TargetedRequest,
    clock: FaultClock,
    carried: readonly ActiveFault[] = [],
  ): Injection | undefined {
    const headers: Record<string, string> = {}
    for (const state of [...carried, ...this.states]) {
      if (isSpent(state) || !matchesTarget(state.settings, request)) continue
      const injection = findInjection(state, this.#draw, clock, headers)
      if (injection === 'pass') break
      if (!injection) continue
      state.injected += 1
      return { ...injection, headers: { ...headers, ...injection.headers } }
    }
    return Object.keys(headers).length === 0 ? undefined : { step: 'proceed', headers }
  }

  override restore(snapshot: FaultsSnapshot): void {
    this.gates.interrupt('the session was reset or restored while the request was held')
    super.restore(snapshot)
  }
}

const sumSizes = (states: readonly ActiveFault[]): number => states.reduce((sum, { size }) => sum + size, 0)

export function createState(id: string, settings: FaultSettings): ActiveFault {
  const { length: size } = JSON.stringify(settings)
  return { id, settings, size, matched: 0, injected: 0, step: 0, window: undefined }
}

const isEndless = ({ sequence, repeat }: FaultEffect): boolean => sequence === undefined || repeat === true

function isSpent({ settings, injected, step }: ActiveFault): boolean {
  if (settings.times !== undefined && injected >= settings.times) return true
  return !isEndless(settings) && step >= toSteps(settings).length
}

function countLeft({ settings, injected, step }: ActiveFault): number | null {
  const { times = Infinity } = settings
  const steps = toSteps(settings).slice(step)
  const remaining = isEndless(settings) ? Infinity : steps.filter((next) => next !== 'pass').length
  const left = Math.min(times - injected, remaining)
  return left === Infinity ? null : left
}

/**
 * Finds what a fault does to a request that it matches: its first effect that acts on it.
 * @param headers those of rate limits are added
 */
function findInjection(
  state: ActiveFault,
  draw: Draw,
  clock: FaultClock,
  headers: Record<string, string>,
): Injection | 'pass' | undefined {
  const { id, settings } = state
  state.matched += 1
  if (state.matched <= (settings.after ?? 0)) return undefined
  const profile = settings.profile === undefined ? undefined : profiles[settings.profile]
  const effects = profile?.faults ?? [settings]
  const { firstWithin } = profile ?? {}
  // Acts on this request if it has not acted yet on the first ones.
  const isDue =
    firstWithin !== undefined &&
    state.injected === 0 &&
    state.matched - (settings.after ?? 0) === 1 + Math.floor(draw(`${id} first`) * firstWithin)
  for (const [index, effect] of effects.entries()) {
    const drawFor = (purpose: string): number => draw(`${id} ${index} ${purpose} ${state.matched}`)
    const probability = isDue ? getShareOfRest(effects, index) : (effect.probability ?? 1)
    if (probability < 1 && drawFor('chance') >= probability) continue
    if (effect.rateLimit) {
      const count = countRequest(effect.rateLimit, state.window, clock)
      state.window = count.window
      Object.assign(headers, count.headers)
      if (!count.isOver) continue
    }
    const steps = toSteps(effect)
    const step = steps[state.step % steps.length] ?? 'pass'
    if (steps.length > 1 || !isEndless(effect)) state.step += 1
    return step === 'pass' ? step : createInjection(id, step, effect, drawFor, clock)
  }
  return undefined
}

function getShareOfRest(effects: readonly FaultEffect[], index: number): number {
  const [first = 0, ...others] = effects.slice(index).map(({ probability = 1 }) => probability)
  return first / others.reduce((sum, probability) => sum + probability, first)
}

function createInjection(
  id: string,
  step: Exclude<Step, 'pass'>,
  { delayMs = 0, headers, retryAfterSeconds, retryAfterDate, body, stored: isStored = false }: FaultEffect,
  drawFor: (purpose: string) => number,
  clock: FaultClock,
): Injection {
  const waitSeconds = retryAfterSeconds ?? 0
  // As a date, it is rounded up to seconds, so that it is not over too early.
  const endMs = Math.ceil(Date.parse(clock.now()) / 1_000 + waitSeconds) * 1_000
  const retryAfter = retryAfterDate ? new Date(endMs).toUTCString() : String(waitSeconds)
  const { min, max } = typeof delayMs === 'number' ? { min: delayMs, max: delayMs } : delayMs
  return {
    id,
    delayMs: min === max ? min : min + Math.floor(drawFor('delay') * (max - min + 1)),
    step,
    body,
    isStored,
    headers: {
      ...headers,
      ...(retryAfterSeconds !== undefined && { 'retry-after': retryAfter }),
    },
  }
}

interface RateWindow {
  readonly start: { readonly clockMs: number; readonly realMs: number }
  readonly used: number
}

function countRequest(limit: RateLimit, window: RateWindow | undefined, clock: FaultClock) {
  const now = { clockMs: Date.parse(clock.now()), realMs: stopwatch() }
  const lengthMs = limit.windowSeconds * 1_000
  const elapsedMs = window ? measureElapsed(window.start, now, clock.isRunning) : Infinity
  const isOpen = window !== undefined && elapsedMs < lengthMs
  const { start, used } = isOpen ? window : { start: now, used: 0 }
  const isOver = used >= limit.requests
  const count = isOver ? used : used + 1
  const resetSeconds = Math.ceil((lengthMs - (isOpen ? elapsedMs : 0)) / 1_000)
  const headers = createRateLimitHeaders(limit, limit.requests - count, resetSeconds)
  return {
    window: { start, used: count },
    isOver,
    headers: isOver ? { ...headers, 'retry-after': String(resetSeconds) } : headers,
  }
}

/**
 * Measures the time between two moments; infinite if the clock was set back. Moves of a frozen clock are added to the real
 * time, so that `Retry-After` is right for a client that waits and for a test that advances the clock.
 */
function measureElapsed(start: RateWindow['start'], now: RateWindow['start'], isRunning = false): number {
  const [movedMs, realMs] = [now.clockMs - start.clockMs, now.realMs - start.realMs]
  if (movedMs < 0) return Infinity
  return isRunning ? Math.max(movedMs, realMs) : movedMs + realMs
}

/**
 * Creates the headers of a rate limit, in the current form and in the older one that most clients read.
 * Source: draft-ietf-httpapi-ratelimit-headers, versions 10 and 06.
 */
function createRateLimitHeaders(limit: RateLimit, remaining: number, resetSeconds: number): HeaderFields {
  return exposeHeaders({
    'ratelimit-policy': `"sandbox";q=${limit.requests};w=${limit.windowSeconds}`,
    ratelimit: `"sandbox";r=${remaining};t=${resetSeconds}`,
    'ratelimit-limit': String(limit.requests),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  })
}
