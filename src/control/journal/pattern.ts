import * as z from 'zod'

import { isShallow, MAX_DEPTH, nestedTooDeep } from '../../contract/json.ts'
import { didYouMean } from '../../contract/nearest.ts'
import { endpointAt } from '../../http/match.ts'
import { endpoints } from '../../resources/index.ts'
import { breakages } from './entry.ts'

const operationIds = endpoints.map(({ id }) => id)
const paths = [...new Set(endpoints.map(({ path }) => path))]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const outcomes = ['1xx', '2xx', '3xx', '4xx', '5xx', ...breakages, 'pending'] as const

const input = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An operation of the document. */
export const operationId = z.string().refine((id) => operationIds.includes(id), {
  error: (issue) => `is no operation. ${didYouMean(input(issue.input), operationIds)}`,
})

/** An HTTP method, in any case. */
export const method = z
  .string()
  .toUpperCase()
  .refine((name) => methods.includes(name), {
    error: (issue) => `is no method. ${didYouMean(input(issue.input), methods)}`,
  })

/** A path of the document, with or without `/v1`, as template or literal. */
export const path = z
  .string()
  .refine((text) => !text.includes('?'), 'must be a path without query')
  .refine((text) => text.includes('?') || existingPath(withoutVersion(text)), {
    error: (issue) => `is no path. ${didYouMean(withoutVersion(input(issue.input)), paths)}`,
  })
  .transform(withoutVersion)

const status = z.int('must be a whole number').min(100, 'must be 100 to 599').max(599, 'must be 100 to 599')

/** A status, a class of them as in `4xx`, or how an answer broke off. */
export const outcome = z.union(
  [status, z.enum(outcomes)],
  `must be a status from 100 to 599 or one of ${outcomes.join(', ')}`,
)

/** A member's id, or `none` for requests without a valid token. */
export const caller = z.union([z.int().positive(), z.literal('none')], 'must be the id of a member, or none')

const value = z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false')

/** Parameters that a query has, among others: a value, all of several, or null for a parameter that it has not. */
const parameters = z.record(
  z.string(),
  z.union([value, z.array(value), z.null()], 'must be a value, a list of values, or null for none'),
)

/** What requests may be recognised by; what is left out may be anything. */
export const pattern = {
  operationId: operationId.optional(),
  method: method.optional(),
  path: path.optional(),
  caller: caller.optional(),
  status: outcome.optional(),
  query: parameters.optional(),
  /** A part of the JSON that was sent: objects may have more members, lists not more elements. */
  body: z
    .unknown()
    .refine((given) => isShallow(given, MAX_DEPTH), nestedTooDeep)
    .optional(),
}

export const RequestPattern = z.strictObject(pattern)
export type RequestPattern = z.infer<typeof RequestPattern>

/** A path as the document prints it, relative to the base address. */
export function withoutVersion(text: string): string {
  return text.replace(/^\/v1(?=\/)/, '')
}

function existingPath(text: string): boolean {
  if (text.includes('{')) return paths.includes(text)
  return ['GET', 'POST'].some((name) => endpointAt(name, `/v1${text}`) !== undefined)
}
