import type { MiddlewareHandler } from 'hono'
import type * as z from 'zod'

/** The parts of a request that are validated, as Hono names them. */
export type ValidatedPart = 'param' | 'query' | 'header' | 'json'

/** A route as the OpenAPI document describes it. */
export interface Description {
  readonly operationId: string
  readonly summary: string
  /** The body of a successful response; undefined if it has none. */
  readonly response: z.ZodType | undefined
  readonly mediaType: string
  /** The status of a successful response with a body; 200 if undefined. */
  readonly status?: 201 | undefined
}

/** A part of a request, and the schema that validates it. */
export interface Validation {
  readonly part: ValidatedPart
  readonly schema: z.ZodType
}

const documentation = new WeakMap<object, Description | Validation>()

/**
 * Describes a route for the OpenAPI document. Parameters and body come from the route's validators.
 * @param response the schema of the body; without one, the status is 204
 * @example
 * app.get('/', describe('listFaults', 'List the faults', envelope(Fault)), (c) => …)
 */
export function describe(
  operationId: string,
  summary: string,
  response?: z.ZodType,
  mediaType = 'application/json',
): MiddlewareHandler {
  return attachDocumentation((_, next) => next(), { operationId, summary, response, mediaType })
}

/** Describes a route whose successful response is 201. */
export function describeCreation(
  operationId: string,
  summary: string,
  response: z.ZodType,
): MiddlewareHandler {
  const mediaType = 'application/json'
  return attachDocumentation((_, next) => next(), { operationId, summary, response, mediaType, status: 201 })
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
