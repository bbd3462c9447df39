import * as z from 'zod'

import { anyNames, between } from '../../contract/fields.ts'
import { type Input, named } from '../../core/input.ts'
import { hasMoreValues, isShallow } from '../../core/json.ts'
import { lazyObject, lazyStrictObject } from '../../core/lazy-schema.ts'

export const disconnects = ['reset', 'empty', 'hang', 'truncate'] as const

export const breakages = [...disconnects, 'malformed'] as const
export type Breakage = (typeof breakages)[number]

/** Those that the field `malfunction` names; `reset` has a field of its own. */
const malfunctions = breakages.filter((one) => one !== 'reset')

/**
 * The action on one request: a status, a breakage, `gate` until a test releases it, `proceed` to the service's response, or
 * `pass` past all faults.
 */
export type Step = number | Breakage | 'gate' | 'proceed' | 'pass'

export type HeaderFields = Readonly<Record<string, string>>

export const MAX_DELAY = 600_000

/** Units: characters of JSON. */
const MAX_BODY = 1_048_576
const MAX_BODY_DEPTH = 100
const MAX_BODY_VALUES = 50_000
const MAX_HEADERS = 50
const MAX_HEADER_VALUE = 4_096

export const FaultStatus = between(200, 599)

const Delay = between(0, MAX_DELAY)

export const DelayRange = lazyStrictObject(() => ({
  min: Delay.describe('The shortest delay, in milliseconds. Example: `500`.'),
  max: Delay.describe('The longest delay, in milliseconds. Example: `2000`.'),
})).refine(({ min, max }) => min <= max, 'must have a min that is not greater than its max')

/** The bounds of a random delay. */
export interface DelayRange extends Input<typeof DelayRange> {}

const SequenceStep = z.union(
  [FaultStatus, z.literal('pass'), z.enum(breakages)],
  `must be a status from 200 to 599, pass, ${breakages.join(', ')}`,
)

export const RateLimit = lazyStrictObject(() => ({
  requests: between(0, 1_000_000).describe('The number of requests that a window allows. Example: `10`.'),
  windowSeconds: between(1, 86_400).describe('The length of a window, in seconds. Example: `60`.'),
}))

/** A number of requests in a time. */
export interface RateLimit extends Input<typeof RateLimit> {}

const Body = z
  .unknown()
  .refine(
    (value) =>
      !hasMoreValues(value, MAX_BODY_VALUES) &&
      isShallow(value, MAX_BODY_DEPTH) &&
      JSON.stringify(value ?? null).length <= MAX_BODY,
    `must be JSON with at most ${MAX_BODY} characters, ${MAX_BODY_VALUES} values and ${MAX_BODY_DEPTH} levels of nesting`,
  )

/** Headers that frame the message or control the connection; Node's server reads the last one itself. */
const framingHeaders = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-hono-already-sent',
])

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/
const HEADER_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/

const HeaderInput = anyNames(
  z.record(
    z.string(),
    z.union([z.string(), z.number()], 'must be a string or a number'),
    'must be an object',
  ),
)
  .superRefine((fields, context) => {
    const names = Object.keys(fields)
    if (names.length > MAX_HEADERS) {
      context.addIssue({ code: 'custom', message: `must have at most ${MAX_HEADERS} headers` })
    }
    const earlier = new Set<string>()
    for (const [name, value] of Object.entries(fields)) {
      const message = findHeaderError(name, String(value), earlier)
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
      earlier.add(name.toLowerCase())
    }
  })
  .transform((fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), String(value)])),
  )
  .pipe(z.record(z.string(), z.string()))

function findHeaderError(name: string, value: string, earlier: ReadonlySet<string>): string | undefined {
  if (!HEADER_NAME.test(name)) return 'is not a valid header name'
  if (framingHeaders.has(name.toLowerCase())) return 'is reserved: the server frames the message'
  if (name.toLowerCase() === 'sandbox-fault') return 'is reserved: the sandbox sets it'
  if (earlier.has(name.toLowerCase())) return 'is given twice'
  if (value.length > MAX_HEADER_VALUE) return `must have at most ${MAX_HEADER_VALUE} characters`
  return HEADER_VALUE.test(value) ? undefined : 'is not a valid header value'
}

export const FaultEffect = lazyObject(() => ({
  status: FaultStatus.optional().describe('The status to respond with. Example: `503`.'),
  body: Body.optional().describe(
    'The body of the response: JSON, or a string to send as it is. Default: a problem document, or `{}` below status 400. Example: `{ "error": "busy" }`.',
  ),
  headers: HeaderInput.optional().describe(
    'Headers of the response; without an effect, they are added to the response of the service. Default: none. Example: `{ "x-request-id": "r-1" }`.',
  ),
  retryAfterSeconds: between(0, 31_536_000)
    .optional()
    .describe('The `Retry-After` header, in seconds. Default: none. Example: `30`.'),
  retryAfterDate: z
    .boolean('must be true or false')
    .optional()
    .describe(
      'Sends `Retry-After` as a date, that many seconds after the `Date` of the response. Default: false. Example: `true`.',
    ),
  delayMs: z
    .union(
      [Delay, named<DelayRange>(DelayRange)],
      `must be a whole number from 0 to ${MAX_DELAY}, or { min, max }`,
    )
    .optional()
    .describe(
      'How many milliseconds of real time to wait before responding; a range is drawn from the seed. Default: 0. Example: `1500` or `{ "min": 500, "max": 2000 }`.',
    ),
  malfunction: z
    .enum(malfunctions)
    .optional()
    .describe(
      'How to break the response: `empty` closes the connection without a response, `hang` never responds, `truncate` closes it halfway through the body, `malformed` sends invalid JSON. Example: `truncate`.',
    ),
  reset: z
    .boolean()
    .optional()
    .describe('Resets the connection in place of a response. Default: false. Example: `true`.'),
  gate: z
    .boolean()
    .optional()
    .describe(
      'Holds the request until a test releases it; with `stored`, after the service has handled it. Default: false. Example: `true`.',
    ),
  sequence: z
    .array(SequenceStep)
    .min(1, 'must have at least one step')
    .max(1_000, 'must have at most 1000 steps')
    .optional()
    .describe(
      'The actions on successive requests, each a status, a malfunction, or `pass` to let the request through. Example: `[503, 503, "pass"]`.',
    ),
  repeat: z
    .boolean()
    .optional()
    .describe('Starts the sequence again after its last step. Default: false. Example: `true`.'),
  rateLimit: named<RateLimit>(RateLimit)
    .optional()
    .describe(
      'Responds with 429 once a window has had its number of requests. A window starts with its first request, and ends once the session clock, or real time, has advanced by its length. Example: `{ "requests": 10, "windowSeconds": 60 }`.',
    ),
  stored: z
    .boolean()
    .optional()
    .describe(
      'Lets the service handle the request first, so that a POST is stored and only its response is lost. Default: false. Example: `true`.',
    ),
  probability: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'How likely the fault is to act on a request, drawn from the seed. Default: 1. Example: `0.2`.',
    ),
}))
export type FaultEffect = z.output<typeof FaultEffect>

export const effects = ['status', 'sequence', 'rateLimit', 'malfunction', 'reset', 'gate', 'profile'] as const

type Effect = (typeof effects)[number]
type Option = Exclude<keyof FaultEffect, Effect>

const anyTime = ['delayMs', 'stored', 'probability'] as const
const ofAnswers = ['body', 'headers', 'retryAfterSeconds', 'retryAfterDate', ...anyTime] as const

/** The fields that each effect can be combined with; `none` is a fault without an effect, so that the service responds. */
export const effectOptions: Readonly<Record<Effect | 'none', readonly Option[]>> = {
  status: ofAnswers,
  sequence: [...ofAnswers, 'repeat'],
  rateLimit: ['body', 'headers', 'delayMs', 'probability'],
  malfunction: anyTime,
  reset: anyTime,
  gate: ['headers', ...anyTime],
  profile: [],
  none: ['delayMs', 'headers', 'probability'],
}

export function toSteps(effect: FaultEffect): readonly Step[] {
  const { status, sequence, rateLimit, malfunction, reset, gate } = effect
  if (sequence) return sequence
  if (rateLimit) return [429]
  if (gate) return ['gate']
  return [status ?? malfunction ?? (reset ? 'reset' : 'proceed')]
}

/** Reports whether a response with a status may have a body. Source: RFC 9110. */
export const allowsBody = (status: number): boolean => ![204, 205, 304].includes(status)
