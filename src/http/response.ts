import type { Context } from 'hono'

import { ResponseBody } from '../core/response.ts'
import type { Session } from '../sessions/session.ts'
import type { FaultedResponse } from '../testing/faults/inject.ts'
import type { Env } from './env.ts'

/** Makes the response, once its status and headers are known, and leaves its parts for the journal. */
export function send(
  c: Context<Env>,
  parts: FaultedResponse,
  { clock }: Pick<Session, 'clock'> = c.get('session'),
): Response {
  // Hono would copy the headers of an earlier response, its length included, to the one that replaces it.
  if (c.finalized) c.res = undefined
  const dated = withDate(parts, clock.httpDate)
  c.set('response', dated)
  return toResponse(dated)
}

export const withDate = <P extends FaultedResponse>(parts: P, date: string): P =>
  parts.headers['date'] === undefined ? { ...parts, headers: { ...parts.headers, date } } : parts

export function toResponse({ body, status, headers }: FaultedResponse): Response {
  return new Response(body instanceof ResponseBody ? body.bytes : (body ?? null), { status, headers })
}
