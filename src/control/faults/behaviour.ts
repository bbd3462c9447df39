import * as z from 'zod'

import { isShallow } from '../../contract/json.ts'
import { HeaderInput } from './headers.ts'

/**
 * What can go wrong with an answer beyond its status.
 * `reset`: the connection is reset before an answer; `empty`: it is closed before an answer;
 * `hang`: no answer until the client gives up; `truncate`: the body breaks off half-way;
 * `malformed`: the body is not the JSON that it says it is.
 */
export const malfunctions = ['reset', 'empty', 'hang', 'truncate', 'malformed'] as const
export type Malfunction = (typeof malfunctions)[number]

/** Units: milliseconds. */
export const MAX_DELAY = 600_000

/** Units: characters of JSON. */
const MAX_BODY = 1_048_576
const MAX_DEPTH = 100

const between = (min: number, max: number): z.ZodInt => {
  const message = `must be a whole number from ${min} to ${max}`
  return z.int(message).min(min, message).max(max, message)
}

const status = between(200, 599)
const delay = between(0, MAX_DELAY)

const delayRange = z
  .strictObject({ min: delay, max: delay })
  .refine(({ min, max }) => min <= max, 'must have a min that is not above its max')

const step = z.union(
  [status, z.literal('pass'), z.enum(malfunctions)],
  `must be a status from 200 to 599, pass, ${malfunctions.join(', ')}`,
)

/** A private copy of a value that JSON can say. */
const body = z.unknown().transform((value, context): unknown => {
  const text = isShallow(value, MAX_DEPTH) ? jsonText(value) : undefined
  if (text !== undefined && text.length <= MAX_BODY) return JSON.parse(text)
  const message = `must be JSON of at most ${MAX_BODY} characters, at most ${MAX_DEPTH} levels deep`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** The keys of a fault that say what happens. */
export const behaviour = {
  status: status.optional(),
  /** JSON; a text is sent as it is. Without, a problem document that fits the status, and `{}` for a status below 400. */
  body: body.optional(),
  /** Laid over the real answer where no status is given. */
  headers: HeaderInput.optional(),
  retryAfterSeconds: between(0, 31_536_000).optional(),
  /** Real time, whatever the session's clock does; a range is drawn from the seed. Units: milliseconds. */
  delayMs: z
    .union([delay, delayRange], `must be a whole number from 0 to ${MAX_DELAY}, or { min, max } of such`)
    .optional(),
  malfunction: z.enum(malfunctions).optional(),
  /** The same as `malfunction: 'reset'`. */
  reset: z.boolean().optional(),
  /** What happens to one request after the other; `pass` lets one through. After the last all pass, unless `repeat`. */
  sequence: z.array(step).min(1, 'must have a step').max(1_000, 'must have at most 1000 steps').optional(),
  repeat: z.boolean().optional(),
  /**
   * 429 beyond so many requests in a window, which begins with its first request. It ends when the session's clock has
   * moved by it or that much real time has passed.
   */
  rateLimit: z
    .strictObject({ requests: between(0, 1_000_000), windowSeconds: between(1, 86_400) })
    .optional(),
  /** Carries the request out first, so that a POST is stored and only its answer is lost. */
  stored: z.boolean().optional(),
  /** How often it happens, drawn from the seed. */
  probability: z.number().min(0, 'must be at least 0').max(1, 'must be at most 1').optional(),
}

const Behaviour = z.object(behaviour)

/** What a fault does to a request. */
export type Behaviour = z.output<typeof Behaviour>

function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
