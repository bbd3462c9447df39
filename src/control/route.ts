import type { Context, MiddlewareHandler, TypedResponse } from 'hono'
import { matchedRoutes } from 'hono/route'
import * as z from 'zod'

import { encodeInSteps, formatJson } from '../core/json-steps.ts'
import { lazyObject, lazyStrictObject } from '../core/lazy-schema.ts'
import { ResponseBody } from '../core/response.ts'
import { runInSlices } from '../core/slices.ts'
import type { Env, RequestHandler, Variables } from '../http/env.ts'
import { findValidation, validate } from '../http/validate.ts'
import type { Session } from '../sessions/session.ts'
import type { Access } from './access.ts'

/** Reads a file that was built for browsers by its name in the package's `dist`; undefined if it was not built. */
export type BuiltFile = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>

/** The parts of a sandbox that only its control plane needs. */
export interface ControlParts {
  /** Answers a request as a client's is answered. */
  readonly respond: RequestHandler
  readonly access: Access | undefined
  readonly builtFile: BuiltFile | undefined
}

export interface ControlEnv {
  Bindings: Env['Bindings'] & ControlParts
  Variables: Variables
}

/** The origin under which the client reaches the sandbox. */
export const readOrigin = ({ env: { access }, req }: Context<ControlEnv>): string =>
  access?.publicUrl ?? new URL(req.url).origin

export interface Description {
  readonly operationId: string
  readonly summary: string
  readonly response: z.ZodType | undefined
  readonly mediaType: string
  readonly statuses: readonly number[]
}

const descriptions = new WeakMap<object, Description>()

export const findDescription = (middleware: object): Description | undefined => descriptions.get(middleware)

const noQuery = validate(
  'query',
  lazyStrictObject(() => ({})),
)

/**
 * Describes a route for the OpenAPI document. Parameters and body come from the route's validators; under `/_sandbox`, a
 * route without a validator of the query refuses each parameter.
 * @param response the schema of the body; without one, the status is 204
 * @param statuses the statuses of successful responses with a body
 * @example
 * app.get('/', documentRoute('listFaults', 'List the faults', envelope(Fault)), (c) => …)
 */
export function documentRoute(
  operationId: string,
  summary: string,
  response?: z.ZodType,
  statuses: readonly number[] = [200],
  mediaType = 'application/json',
): MiddlewareHandler {
  const middleware: MiddlewareHandler = (c, next) => {
    if (!c.req.path.startsWith('/_sandbox/') || !c.req.url.includes('?')) return next()
    const matched = matchedRoutes(c)
    const own = matched.find(({ handler }) => handler === middleware)
    const steps = matched.filter(({ method, path }) => method === own?.method && path === own.path)
    const [ofPath, ofQuery] = (['param', 'query'] as const).map((part) =>
      steps.find(({ handler }) => findValidation(handler)?.part === part),
    )
    if (ofQuery) return next()
    const refuse = () => noQuery(c, next)
    // An invalid path takes precedence.
    return ofPath ? ofPath.handler(c, refuse) : refuse()
  }
  descriptions.set(middleware, { operationId, summary, response, mediaType, statuses })
  return middleware
}

/** The path of a session, a fault, a gate or a scenario. */
export const IdPath = lazyObject(() => ({ id: z.string() }))

export function envelope<S extends z.ZodType>(
  item: S,
): z.ZodObject<{ items: z.ZodArray<S>; totalCount: z.ZodInt }> {
  return z.object({ items: z.array(item), totalCount: z.int() })
}

export function toEnvelope<T>(items: readonly T[]): { items: T[]; totalCount: number } {
  return { items: [...items], totalCount: items.length }
}

/** Sends a value that may have long lists as `c.json` does, rendered in slices between which others run. */
export async function sendJson<T>(c: Context, value: T): Promise<Response & TypedResponse<T>> {
  const { bytes, length } = new ResponseBody(await runInSlices(encodeInSteps(formatJson(value))))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typed as by c.json, for the client of the page
  return c.body(bytes, 200, { 'content-type': 'application/json', 'content-length': `${length}` }) as never
}

/** Creates a request to the service, to be answered in process. @param path from the version on, as in `/v1/members/me` */
export function createRequest(
  method: string,
  path: string,
  authorization: string | undefined,
  body?: unknown,
): Request {
  const headers = { ...(authorization && { authorization }), 'content-type': 'application/json' }
  return new Request(`http://sandbox${path}`, { method, headers, body: JSON.stringify(body) })
}

/** Returns the session of a request that changes it. Errors: 404 if it was dropped while the body was read. */
export function requireSession(c: Context<ControlEnv>): Session {
  const { session } = c.var
  session.throwIfDropped()
  return session
}

export const addHeaders: MiddlewareHandler<ControlEnv> = async (c, next) => {
  await next()
  if (c.error) return
  const { headers } = c.res
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  headers.set('x-content-type-options', 'nosniff')
  if (c.res.body === null || headers.has('content-length')) return
  if (headers.get('content-type') === 'text/event-stream') return
  const bytes = await c.res.arrayBuffer()
  headers.set('content-length', `${bytes.byteLength}`)
  c.res = new Response(bytes, { status: c.res.status, headers })
}
