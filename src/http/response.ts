import type { Context } from 'hono'

import { createResponse, type PageShown, type ResponseBody } from '../core/response.ts'
import type { Env } from './env.ts'

/** Responds with JSON at the session's time, with the warnings of the request. */
export function respond(
  c: Context<Env>,
  { body, status, page }: { readonly body: ResponseBody; readonly status: number; readonly page?: PageShown },
): Response {
  const headers = { 'content-type': 'application/json', date: c.get('session').clock.httpDate }
  const warnings = c.get('entry').warningHeaders
  return createResponse(body, { status, page, headers: warnings ? { ...headers, ...warnings } : headers })
}

/** Replaces the response of a request as a whole: Hono would keep headers of the earlier one, its length included. */
export function replaceResponse(c: Context, response: Response): void {
  c.res = undefined
  c.res = response
}
