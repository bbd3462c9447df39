import type { MiddlewareHandler } from 'hono'
import type * as z from 'zod'

export interface Description {
  readonly operationId: string
  readonly summary: string
  readonly response: z.ZodType | undefined
  readonly mediaType: string
  readonly statuses: readonly number[]
}

const descriptions = new WeakMap<object, Description>()

export const findDescription = (middleware: object): Description | undefined => descriptions.get(middleware)

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
  return attach((_, next) => next(), { operationId, summary, response, mediaType, statuses })
}

function attach(middleware: MiddlewareHandler, description: Description): MiddlewareHandler {
  descriptions.set(middleware, description)
  return middleware
}
