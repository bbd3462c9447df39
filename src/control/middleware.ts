import type { Context, MiddlewareHandler } from 'hono'

import type { Session } from '../sessions/session.ts'
import type { ControlEnv } from './env.ts'

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
  if (c.res.body === null || headers.get('content-type') === 'text/event-stream') return
  const bytes = await c.res.arrayBuffer()
  headers.set('content-length', `${bytes.byteLength}`)
  c.res = new Response(bytes, { status: c.res.status, headers })
}
