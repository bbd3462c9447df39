import * as z from 'zod'

import type { Behaviour } from './behaviour.ts'

/** A named way to misbehave. */
export interface FaultProfile {
  readonly description: string
  /** What it does, in the words of a fault; the first that acts wins. */
  readonly faults: readonly Behaviour[]
  /** The number of requests within which it acts for the first time; undefined if chance alone decides. */
  readonly firstWithin?: number
}

const names = [
  'flaky',
  'slow',
  'degraded',
  'rate-limited',
  'outage',
  'maintenance',
  'bad-gateway',
  'bad-network',
  'offline',
] as const

/** The name of a profile. */
export const ProfileName = z.enum(names)
export type ProfileName = z.infer<typeof ProfileName>

const gatewayPage = '<!doctype html>\n<title>502 Bad Gateway</title>\n<h1>502 Bad Gateway</h1>\n'

/** Every profile. Order: from what is nearly well to what is dead. */
export const profiles: Readonly<Record<ProfileName, FaultProfile>> = {
  flaky: {
    description:
      'about one request in five fails: 503 with Retry-After, 500, or a reset connection; the first failure comes within five requests',
    firstWithin: 5,
    faults: [
      { status: 503, retryAfterSeconds: 1, probability: 0.1 },
      { status: 500, probability: 0.05 },
      { malfunction: 'reset', probability: 0.05 },
    ],
  },
  slow: {
    description: 'every answer takes one to three seconds',
    faults: [{ delayMs: { min: 1_000, max: 3_000 } }],
  },
  degraded: {
    description: 'half of the answers take up to two seconds, some end in 502, or in 504 after up to five',
    faults: [
      { status: 504, delayMs: { min: 2_000, max: 5_000 }, probability: 0.1 },
      { status: 502, probability: 0.05 },
      { delayMs: { min: 500, max: 2_000 }, probability: 0.5 },
    ],
  },
  'rate-limited': {
    description: '10 requests in 10 seconds, of real time or by the clock, then 429 with Retry-After',
    faults: [{ rateLimit: { requests: 10, windowSeconds: 10 } }],
  },
  outage: { description: 'every request is answered 503', faults: [{ status: 503 }] },
  maintenance: {
    description: 'every request is answered 503 with a Retry-After of ten minutes',
    faults: [{ status: 503, retryAfterSeconds: 600 }],
  },
  'bad-gateway': {
    description: "every request is answered 502 with a proxy's page in HTML",
    faults: [{ status: 502, body: gatewayPage, headers: { 'content-type': 'text/html' } }],
  },
  'bad-network': {
    description: 'about one answer in four breaks off, is not sent, or its connection is reset',
    faults: [
      { malfunction: 'truncate', probability: 0.1 },
      { malfunction: 'empty', probability: 0.08 },
      { malfunction: 'reset', probability: 0.08 },
    ],
  },
  offline: { description: 'every connection is reset', faults: [{ malfunction: 'reset' }] },
}
