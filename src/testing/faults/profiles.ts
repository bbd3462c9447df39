import * as z from 'zod'

import { lazyObject } from '../../core/lazy-schema.ts'
import { FaultEffect } from './effects.ts'

export const FaultProfile = lazyObject(() => ({
  description: z.string(),
  faults: z.array(FaultEffect).describe('The first that acts on a request wins'),
  firstWithin: z
    .int()
    .optional()
    .describe(
      'The profile acts for the first time within this number of requests; absent if only chance decides',
    ),
}))
export type FaultProfile = z.output<typeof FaultProfile>

const gatewayPage = '<!doctype html>\n<title>502 Bad Gateway</title>\n<h1>502 Bad Gateway</h1>\n'

const definitions = {
  flaky: {
    description:
      'about one request in five fails: 503 with Retry-After, 500, or a reset connection; the first failure comes within five requests',
    firstWithin: 5,
    faults: [
      { status: 503, retryAfterSeconds: 1, probability: 0.1 },
      { status: 500, probability: 0.05 },
      { reset: true, probability: 0.05 },
    ],
  },
  slow: {
    description: 'every response takes one to three seconds',
    faults: [{ delayMs: { min: 1_000, max: 3_000 } }],
  },
  degraded: {
    description:
      'half of the responses take up to two seconds; some are 502, or 504 after up to five seconds',
    faults: [
      { status: 504, delayMs: { min: 2_000, max: 5_000 }, probability: 0.1 },
      { status: 502, probability: 0.05 },
      { delayMs: { min: 500, max: 2_000 }, probability: 0.5 },
    ],
  },
  'rate-limited': {
    description: '10 requests per 10 seconds (real time or session clock), then 429 with Retry-After',
    faults: [{ rateLimit: { requests: 10, windowSeconds: 10 } }],
  },
  outage: { description: 'every response is 503', faults: [{ status: 503 }] },
  maintenance: {
    description: 'every response is 503 with a Retry-After of ten minutes',
    faults: [{ status: 503, retryAfterSeconds: 600 }],
  },
  'bad-gateway': {
    description: "every response is 502 with a proxy's HTML page",
    faults: [{ status: 502, body: gatewayPage, headers: { 'content-type': 'text/html' } }],
  },
  'bad-network': {
    description: 'about one response in four is cut off or never sent, or its connection is reset',
    faults: [
      { malfunction: 'truncate', probability: 0.1 },
      { malfunction: 'empty', probability: 0.08 },
      { reset: true, probability: 0.08 },
    ],
  },
  offline: { description: 'every connection is reset', faults: [{ reset: true }] },
} satisfies Readonly<Record<string, FaultProfile>>

export type ProfileName = keyof typeof definitions

export const profiles: Readonly<Record<ProfileName, FaultProfile>> = definitions

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const ProfileName = z.enum(Object.keys(definitions) as ProfileName[])
