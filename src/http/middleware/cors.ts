import type { MiddlewareHandler } from 'hono'

import { allowOrigin, preflightResponse } from '../../core/response.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Env } from '../env.ts'
import { sessionInBase } from './session.ts'

/** Answers CORS preflights. Source: assumption A-17. */
export function answerPreflight(sandbox: SandboxState): MiddlewareHandler<Env> {
  return async (c, next) => {
    const base = sessionInBase(c.req.raw)
    const named = base === undefined ? undefined : sandbox.sessions.find(base)
    const { clock } = c.env.session ?? named ?? sandbox.defaultSession
    const isPreflight = c.req.header('access-control-request-method') !== undefined
    if (!isPreflight) return next()
    const response = preflightResponse(c.req.raw.headers, 'GET, HEAD, POST', { date: clock.httpDate })
    allowOrigin(response, c.req.header('origin'))
    return response
  }
}
