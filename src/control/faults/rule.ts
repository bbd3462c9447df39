import { type FaultBody, faultBody } from './answer.ts'
import type { Behaviour, Malfunction } from './behaviour.ts'
import { exposed, type HeaderFields } from './headers.ts'

/** What happens to one request: a status, a malfunction, the real answer after a delay or with headers, or nothing. */
export type Step = number | Malfunction | 'proceed' | 'pass'

/** A behaviour, made ready to be applied to request after request. */
export interface Rule {
  readonly probability: number
  readonly delayMs: { readonly min: number; readonly max: number }
  readonly headers: HeaderFields
  readonly body: FaultBody | undefined
  /** Whether the service carries the request out before its answer is replaced or broken. */
  readonly isStored: boolean
  /** One for each request in turn. */
  readonly steps: readonly Step[]
  /** Whether the first step follows the last. */
  readonly isEndless: boolean
  readonly limit: RateLimit | undefined
}

/** How many requests are let through in how long. */
export interface RateLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** A point in time, as a rate limit measures it. Units: milliseconds. */
export interface Moment {
  /** The time of the session's clock. */
  readonly clockMs: number
  /** The reading of the machine's stopwatch. */
  readonly realMs: number
  /** Whether the session's clock runs with the machine's time. */
  readonly isRunning: boolean
}

/** A rate limit's window: when it began, and how many requests it has let through. */
export interface Window {
  readonly start: Moment
  readonly used: number
}

/** A behaviour as a rule. */
export function ruleOf(behaviour: Behaviour): Rule {
  const { probability = 1, delayMs = 0, headers = {}, body, sequence, rateLimit, repeat } = behaviour
  const { retryAfterSeconds, stored = false } = behaviour
  return {
    probability,
    delayMs: typeof delayMs === 'number' ? { min: delayMs, max: delayMs } : delayMs,
    headers:
      retryAfterSeconds === undefined ? headers : { ...headers, 'retry-after': String(retryAfterSeconds) },
    body: faultBody(body),
    isStored: stored,
    steps: sequence ?? [stepOf(behaviour)],
    isEndless: sequence === undefined || repeat === true,
    limit: rateLimit,
  }
}

function stepOf({ status, malfunction, reset, rateLimit }: Behaviour): Step {
  if (rateLimit) return 429
  return status ?? malfunction ?? (reset === true ? 'reset' : 'proceed')
}

/** What a rate limit makes of one request more. */
interface Count {
  readonly window: Window
  /** Whether this request is one too many. */
  readonly isOver: boolean
  readonly headers: HeaderFields
}

/** Counts a request in a window. A new window begins if the last one is over, or the clock was set back behind its start. */
export function counted(limit: RateLimit, window: Window | undefined, now: Moment): Count {
  const lengthMs = limit.windowSeconds * 1_000
  const elapsedMs = window ? elapsedBetween(window.start, now) : Infinity
  const isOpen = window !== undefined && elapsedMs < lengthMs
  const { start, used } = isOpen ? window : { start: now, used: 0 }
  const isOver = used >= limit.requests
  const count = isOver ? used : used + 1
  const resetSeconds = Math.ceil((lengthMs - (isOpen ? elapsedMs : 0)) / 1_000)
  const headers = limitHeaders(limit, limit.requests - count, resetSeconds)
  return {
    window: { start, used: count },
    isOver,
    headers: isOver ? { ...headers, 'retry-after': String(resetSeconds) } : headers,
  }
}

/**
 * The time that has passed, really or by the clock; without end if the clock was set back. A clock that stands moves on
 * top of the real time, so that what is left is true for a client that waits and for a test that moves the clock.
 */
function elapsedBetween(start: Moment, now: Moment): number {
  const [movedMs, realMs] = [now.clockMs - start.clockMs, now.realMs - start.realMs]
  if (movedMs < 0) return Infinity
  return now.isRunning ? Math.max(movedMs, realMs) : movedMs + realMs
}

/**
 * What a limit says of itself, in the present form and in the one that most clients read.
 * Source: draft-ietf-httpapi-ratelimit-headers, versions 10 and 06.
 */
function limitHeaders(limit: RateLimit, remaining: number, resetSeconds: number): HeaderFields {
  return exposed({
    'ratelimit-policy': `"sandbox";q=${limit.requests};w=${limit.windowSeconds}`,
    ratelimit: `"sandbox";r=${remaining};t=${resetSeconds}`,
    'ratelimit-limit': String(limit.requests),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  })
}
