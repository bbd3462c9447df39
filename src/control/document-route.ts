import type { MiddlewareHandler } from 'hono'
import type * as z from 'zod'

export type ValidatedPart = 'param' | 'query' | 'header' | 'json'

export interface Description {
  readonly operationId: string
  readonly summary: string
  /** The body of a successful response; undefined if it has none. */
  readonly response: z.ZodType | undefined
  readonly mediaType: string
  readonly statuses: readonly number[]
}

export interface Validation {
  readonly part: ValidatedPart
  readonly schema: z.ZodType
}

const documentation = new WeakMap<object, Description | Validation>()

/**
 * Describes a route for the OpenAPI document. Parameters and body come from the route's validators.
 * @param response the schema of the body; without one, the status is 204
 * @param statuses the statuses of successful responses with a body
 * @example
 * app.get('/', documentRoute('listFaults', 'List the faults', envelope(Fault)), (c) => …)
 */
export function documentRoute(
  operationId: string,
  summary: string,
  response?: z.ZodType,
  mediaType = 'application/json',
  statuses: readonly number[] = [200],
): MiddlewareHandler {
  return attachDocumentation((_, next) => next(), { operationId, summary, response, mediaType, statuses })
}

/** Attaches documentation to a middleware. */
export function attachDocumentation<M extends object>(middleware: M, part: Description | Validation): M {
  documentation.set(middleware, part)
  return middleware
}

/** Reads the documentation of a middleware; undefined if it has none. */
export function readDocumentation(middleware: object): Description | Validation | undefined {
  return documentation.get(middleware)
}
