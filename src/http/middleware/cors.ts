import type { Context, MiddlewareHandler } from 'hono'

import { preflightResponse } from '../../contract/headers.ts'
import type { Env, ServiceHost } from '../env.ts'
import { sessionInBase } from '../session-base.ts'

/** Answers CORS preflights. Source: assumption A-17. */
export function answerPreflight(host: ServiceHost): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.header('access-control-request-method') === undefined || !isShared(host, c)) return next()
    return preflightResponse('GET, HEAD, POST')
  }
}

/** Reports whether pages of other origins may call the session; a preflight cannot name it by its header. */
function isShared(host: ServiceHost, c: Context<Env>): boolean {
  const base = sessionInBase(c.req.raw)
  const named = base === undefined ? undefined : host.sessions.find(base)
  const { contract } = c.env.session ?? named ?? host.defaultSession
  return contract.settings.cors === 'any'
}
