import { invalidRequest } from '../contract/errors.ts'
import type { Host } from '../control/host.ts'
import { unknownSession } from '../control/sessions/input.ts'
import type { Session } from '../control/sessions/session.ts'

/** Where a request may name its session. */
export interface Naming {
  /** The session in the address. */
  readonly base: string | undefined
  readonly header: (name: string) => string | undefined
}

/** How an unknown or a missing session is answered. */
interface Strictness {
  /** Refuses a request that names no session. */
  readonly isRequired: boolean
  /** Suggests ids of other sessions, which only users of the control plane may learn. */
  readonly suggestsOthers: boolean
}

/**
 * Resolves the session from the base URL or the `Sandbox-Session` header; the default one without.
 * Errors: 404 for an unknown one, 400 if base URL and header disagree, or if one is required and missing.
 */
export function sessionOf(
  host: Host,
  { base, header }: Naming,
  { isRequired = host.requiresSession, suggestsOthers = false }: Partial<Strictness> = {},
): Session {
  const named = header('sandbox-session')
  if (base !== undefined && named !== undefined && base !== named) {
    throw refusal('names another session than the base URL')
  }
  const id = base ?? named
  if (id !== undefined) {
    const session = host.sessions.find(id)
    if (session) return session
    throw unknownSession(host.sessions, id, suggestsOthers)
  }
  if (!isRequired) return host.defaultSession
  throw refusal('is required here: open a session with POST /_sandbox/sessions and send its id')
}

const refusal = (message: string) => invalidRequest([{ in: 'header', name: 'Sandbox-Session', message }])
