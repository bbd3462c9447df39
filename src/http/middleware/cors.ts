import type { MiddlewareHandler } from 'hono'

import { allowOrigin, preflightResponse } from '../../core/response.ts'
import type { Env } from '../env.ts'
import { sessionInBase } from './session.ts'

/** Answers CORS preflights. Source: assumption A-17. */
export const answerPreflight: MiddlewareHandler<Env> = async (c, next) => {
  const { sandbox, session } = c.env
  const base = sessionInBase(c.req.raw)
  const named = base === undefined ? undefined : sandbox.sessions.find(base)
  const { clock } = session ?? named ?? sandbox.defaultSession
  const isPreflight = c.req.header('access-control-request-method') !== undefined
  if (!isPreflight) return next()
  const response = preflightResponse(c.req.raw.headers, 'GET, HEAD, POST', { date: clock.httpDate })
  allowOrigin(response, c.req.header('origin'))
  return response
}
