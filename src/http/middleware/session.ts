import type { Context, MiddlewareHandler } from 'hono'

import { invalidRequest } from '../../core/errors.ts'
import { findSession } from '../../sessions/open-session.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Session } from '../../sessions/session.ts'
import type { Env } from '../env.ts'
import { sessionInBaggage, sessionInBase } from '../session-base.ts'

interface SessionUse {
  readonly isRequired?: boolean | undefined
  /** Suggests ids of other sessions, which only users of the control plane may learn. */
  readonly suggestsOthers?: boolean | undefined
}

/**
 * Resolves the request's session with its contract and data, and keeps it from being evicted until the response is there.
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
      c.set('contract', session.contract)
      c.set('data', session.data)
      await next()
    } finally {
      release?.()
    }
  }
}

function resolveSession(
  sandbox: SandboxState,
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
  if (id !== undefined) return findSession(sandbox, id, suggestsOthers)
  if (!isRequired) return sandbox.defaultSession
  throw headerError('is required here: open a session with POST /_sandbox/sessions and send its id')
}

const headerError = (message: string) => invalidRequest([{ in: 'header', name: 'Sandbox-Session', message }])
