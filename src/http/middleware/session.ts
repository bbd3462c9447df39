import type { Context, MiddlewareHandler } from 'hono'

import { invalidRequest } from '../../core/errors.ts'
import { unknownSession } from '../../sessions/open-session.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Session } from '../../sessions/session.ts'
import type { Caches, Env } from '../env.ts'
import { sessionInBaggage, sessionInBase } from '../session-base.ts'
import { ResponseCache } from './cache.ts'

interface SessionUse {
  readonly isRequired?: boolean | undefined
  /** Suggests ids of other sessions, which only users of the control plane may learn. */
  readonly suggestsOthers?: boolean | undefined
}

/**
 * Resolves the request's session, and keeps it from being evicted until the response is there.
 * Errors: 404 for an unknown session or one that was dropped; 400 if base URL and header disagree, or if one is required.
 */
export function useSession(sandbox: SandboxState, use: SessionUse = {}): MiddlewareHandler<Env> {
  return async (c, next) => {
    const session = c.env.session ?? resolveSession(sandbox, c, use)
    session.throwIfDropped()
    c.set('session', session)
    if (c.env.log) c.env.log.session = session.id ?? 'default'
    const release = session.id === undefined ? undefined : sandbox.sessions.hold(session)
    try {
      const preparing = session.time.prepare()
      if (preparing) {
        await preparing
        session.throwIfDropped()
      }
      await next()
    } finally {
      release?.()
    }
  }
}

/** Finds what the later steps need: the session's contract and data. */
export function prepareCall(sandbox: SandboxState): MiddlewareHandler<Env> {
  const caches: Caches = { records: new Map(), responses: new ResponseCache() }
  return (c, next) => {
    const { contract, data } = c.get('session')
    c.set('contract', contract)
    // Those of sessions with settings of their own would be as many copies of the dataset.
    c.set('caches', contract === sandbox.contract ? caches : undefined)
    c.set('data', data)
    return next()
  }
}

function resolveSession(
  { sessions, defaultSession }: SandboxState,
  { req }: Context<Env>,
  { isRequired = false, suggestsOthers = false }: SessionUse,
): Session {
  const base = sessionInBase(req.raw)
  const header = req.header('sandbox-session')
  if (base !== undefined && header !== undefined && base !== header) {
    throw headerError('names another session than the base URL')
  }
  const baggage = req.header('baggage')
  const id = base ?? header ?? (baggage && sessionInBaggage(baggage))
  if (id !== undefined) {
    const session = sessions.find(id)
    if (session) return session
    throw unknownSession(sessions, id, suggestsOthers)
  }
  if (!isRequired) return defaultSession
  throw headerError('is required here: open a session with POST /_sandbox/sessions and send its id')
}

const headerError = (message: string) => invalidRequest([{ in: 'header', name: 'Sandbox-Session', message }])
