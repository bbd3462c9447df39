import * as z from 'zod'

import { anyNames, integerParameter, MAX_INTEGER } from '../../contract/fields.ts'
import type { Input } from '../../core/input.ts'
import { isShallow, MAX_DEPTH, nestedTooDeep } from '../../core/json.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { didYouMean } from '../../core/nearest.ts'
import { rejectContradiction, RequestTarget } from '../request-target.ts'
import { interruptions } from './recorded-request.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const outcomes = ['1xx', '2xx', '3xx', '4xx', '5xx', ...interruptions, 'pending'] as const

const Method = z
  .string()
  .toUpperCase()
  .refine((name) => methods.includes(name), {
    error: ({ input }) => `is not a method. ${didYouMean(String(input), methods)}`,
  })

const Status = z.int('must be a whole number').min(100, 'must be 100 to 599').max(599, 'must be 100 to 599')

const OutcomePattern = z.union(
  [Status, z.enum(outcomes)],
  `must be a status from 100 to 599 or one of ${outcomes.join(', ')}`,
)

const CallerPattern = z.union([z.int().positive(), z.literal('none')], 'must be the id of a member, or none')

const Value = z.union([z.string(), z.number(), z.boolean()], 'must be a string, a number or a boolean')

type Value = z.output<typeof Value>

const QueryPattern: z.ZodType<
  Readonly<Record<string, Value | readonly Value[] | null>>,
  Readonly<Record<string, Value | readonly Value[] | null>>
> = anyNames(
  z.record(
    z.string(),
    z.union([Value, z.array(Value), z.null()], 'must be a value, a list of values, or null'),
  ),
)

export const RequestPattern = lazyStrictObject(() => ({
  operationId: RequestTarget.shape.operationId,
  method: Method.optional().describe('The method. Default: any. Example: `POST`.'),
  path: RequestTarget.shape.path,
  caller: CallerPattern.optional().describe(
    'The id of the member who sent the request; `none` for requests without a valid token. Default: any. Example: `1`.',
  ),
  status: OutcomePattern.optional().describe(
    'A status, a class like `4xx`, or the way in which the response was interrupted. Default: any. Example: `200`.',
  ),
  query: QueryPattern.optional().describe(
    'Query parameters that the request must have: a value, a list of values that must all occur, or null for an absent parameter. Default: any. Example: `{ "scope": "mine" }`.',
  ),
  body: z
    .unknown()
    .refine((body) => isShallow(body, MAX_DEPTH), nestedTooDeep)
    .optional()
    .describe(
      'A part of the JSON body: objects may have other members, but lists must match completely. Default: any. Example: `{ "categoryId": 1 }`.',
    ),
})).superRefine(rejectImpossible)

/** Rejects what no request can match. A path alone may be sent with any method. */
export function rejectImpossible(pattern: RequestTarget, context: z.RefinementCtx): void {
  const { operationId, path, method } = pattern
  rejectContradiction({ operationId, path, method: operationId && method }, context)
}

/** The properties that a request must have to match; an absent one matches anything. */
export interface RequestPattern extends Input<typeof RequestPattern> {}

const between = (min: number, max: number) =>
  z
    .int('must be a single whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)

export const RequestFilter = lazyStrictObject(() => ({
  ...RequestPattern.shape,
  since: between(0, MAX_INTEGER)
    .optional()
    .describe('Only requests with a larger id. Default: all. Example: `12`.'),
  offset: between(0, MAX_INTEGER)
    .default(0)
    .describe('The number of matching requests to skip. Default: 0. Example: `100`.'),
  limit: between(1, 1_000)
    .default(1_000)
    .describe('The maximum number of requests, up to 1,000. Default: 1000. Example: `10`.'),
}))

/** A filter for the requests of a journal. */
export interface RequestFilter extends Input<typeof RequestFilter> {}
export type ParsedFilter = z.output<typeof RequestFilter>

export const FilterParameters = lazyStrictObject(() => ({
  text: z
    .string()
    .max(1_000)
    .optional()
    .describe('Only requests with this text in their URL or a body, in any case'),
  ...RequestTarget.shape,
  method: Method.optional(),
  status: integerParameter(OutcomePattern.optional()),
  caller: integerParameter(CallerPattern.optional()),
  since: integerParameter(RequestFilter.shape.since),
  offset: integerParameter(RequestFilter.shape.offset),
  limit: integerParameter(RequestFilter.shape.limit),
  bodies: z.enum(['true', 'false']).default('true'),
}))
