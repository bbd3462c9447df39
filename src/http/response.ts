import type { Context } from 'hono'

import type { FaultedResponse } from '../faults/inject.ts'
import { ResponseBody } from '../resources/response.ts'
import type { Env } from './env.ts'

/** Makes the response, once its status and headers are known, and leaves its parts for the journal. */
export function send(c: Context<Env>, parts: FaultedResponse): Response {
  c.set('response', parts)
  return toResponse(parts)
}

/** Makes a `Response`. */
export function toResponse({ body, status, headers }: FaultedResponse): Response {
  if (!(body instanceof ResponseBody)) return new Response(body ?? null, { status, headers })
  return new Response(body.bytes, { status, headers: { ...headers, 'content-length': `${body.length}` } })
}
