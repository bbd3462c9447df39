import type { MiddlewareHandler } from 'hono'

import { invalidRequest } from '../../core/errors.ts'
import { unknownSession } from '../../sessions/open-session.ts'
import type { SandboxState } from '../../sessions/sandbox-state.ts'
import type { Session } from '../../sessions/session.ts'
import { TrackingData } from '../../store/tracking-data.ts'
import { createContractStates } from '../contract-state.ts'
import type { Env } from '../env.ts'
import { findMatchedEndpoint } from '../mount.ts'
import { prepareRows } from '../prepare-rows.ts'
import { sessionInBase } from '../session-base.ts'

/** Resolves the request's session, and keeps it from being evicted until the response is there. */
export function useSession(sandbox: SandboxState): MiddlewareHandler<Env> {
  const stateOf = createContractStates(sandbox.contract)
  return async (c, next) => {
    const base = sessionInBase(c.req.raw)
    const session =
      c.env.session ??
      resolveSession(sandbox, base, c.req.header('sandbox-session'), { isRequired: sandbox.requiresSession })
    session.throwIfDropped()
    c.set('session', session)
    c.set('endpoint', findMatchedEndpoint(c))
    const release = sandbox.sessions.hold(session)
    try {
      const preparing = session.time.prepare()
      if (preparing) {
        await preparing
        session.throwIfDropped()
      }
      const generating = prepareRows(c, session)
      if (generating) {
        await generating
        session.throwIfDropped()
      }
      c.set('state', stateOf(session.contract))
      c.set('data', new TrackingData(session.data))
      await next()
    } finally {
      const ticking = session.time.tickAfter(c.get('endpoint')?.id)
      if (ticking) await ticking
      release()
    }
  }
}

/** How to treat an unknown or a missing session. */
interface Strictness {
  /** Rejects a request that names no session. */
  readonly isRequired: boolean
  /** Suggests ids of other sessions, which only users of the control plane may learn. */
  readonly suggestsOthers: boolean
}

/**
 * Finds the session that a request names by its base URL or by the `Sandbox-Session` header; the default one if neither.
 * Errors: 404 for an unknown session, 400 if the two disagree or if one is required.
 */
export function resolveSession(
  { sessions, defaultSession }: SandboxState,
  base: string | undefined,
  header: string | undefined,
  { isRequired = false, suggestsOthers = false }: Partial<Strictness>,
): Session {
  if (base !== undefined && header !== undefined && base !== header) {
    throw headerError('names another session than the base URL')
  }
  const id = base ?? header
  if (id !== undefined) {
    const session = sessions.find(id)
    if (session) return session
    throw unknownSession(sessions, id, suggestsOthers)
  }
  if (!isRequired) return defaultSession
  throw headerError('is required here: open a session with POST /_sandbox/sessions and send its id')
}

const headerError = (message: string) => invalidRequest([{ in: 'header', name: 'Sandbox-Session', message }])
