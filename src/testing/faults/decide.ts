import { stopwatch } from '../../core/system-clock.ts'
import { type FaultEffect, type HeaderFields, type RateLimit, type Step, toSteps } from './effects.ts'
import type { FaultSettings } from './fault.ts'
import { exposeHeaders, type Injection } from './inject.ts'
import { profiles } from './profiles.ts'

export type Draw = (key: string) => number

export interface FaultClock {
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

const isEndless = ({ sequence, repeat }: FaultEffect): boolean => sequence === undefined || repeat === true

export function isSpent({ settings, injected, step }: ActiveFault): boolean {
  if (settings.times !== undefined && injected >= settings.times) return true
  return !isEndless(settings) && step >= toSteps(settings).length
}

export function countLeft({ settings, injected, step }: ActiveFault): number | null {
  const { times = Infinity } = settings
  const steps = toSteps(settings).slice(step)
  const remaining = isEndless(settings) ? Infinity : steps.filter((next) => next !== 'pass').length
  const left = Math.min(times - injected, remaining)
  return left === Infinity ? null : left
}

/** Decides what a fault does to a request that it matches. Shape: without an id if it only adds headers. */
export function decide(state: ActiveFault, draw: Draw, clock: FaultClock): Injection | 'pass' | undefined {
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
  let headers: HeaderFields | undefined
  for (const [index, effect] of effects.entries()) {
    const drawFor = (purpose: string): number => draw(`${id} ${index} ${purpose} ${state.matched}`)
    const probability = isDue ? getShareOfRest(effects, index) : (effect.probability ?? 1)
    if (probability < 1 && drawFor('chance') >= probability) continue
    if (effect.rateLimit) {
      const count = countRequest(effect.rateLimit, state.window, clock)
      state.window = count.window
      headers = count.headers
      if (!count.isOver) continue
    }
    const steps = toSteps(effect)
    const step = steps[state.step % steps.length] ?? 'pass'
    if (steps.length > 1 || !isEndless(effect)) state.step += 1
    if (step === 'pass') return 'pass'
    const injection = createInjection(id, step, effect, drawFor, clock)
    return { ...injection, headers: { ...headers, ...injection.headers } }
  }
  return headers && { step: 'proceed', headers }
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
