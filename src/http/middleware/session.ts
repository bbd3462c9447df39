import type { Context, MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'

import { invalidField } from '../../core/errors.ts'
import { isServicePath, methodsAt } from '../../service/match-route.ts'
import { findSession, SessionId } from '../../sessions/open-session.ts'
import type { Session } from '../../sessions/session.ts'
import { type Env, readRareHeader } from '../env.ts'

type Plane = 'service' | 'control'

/**
 * Resolves the request's session with its contract and data, and keeps it from being evicted until the response is there.
 * @param plane the service, whose requests may have to name their session, or the control plane, whose users may learn the ids
 * of other sessions
 * @param then the middleware after it, if both are one step
 * Errors: 404 for an unknown session or one that was dropped; 400 if base URL and header disagree, or if one is required.
 */
export function useSession(plane?: Plane, then?: MiddlewareHandler<Env>): MiddlewareHandler<Env> {
  return (c, next) => {
    const session = c.env.session ?? resolveSession(c, plane)
    session.throwIfDropped()
    c.set('session', session)
    if (c.env.log) c.env.log.session = session.id ?? 'default'
    const enter = () => {
      c.set('contract', session.contract)
      return then ? then(c, next) : next()
    }
    // The default session is never evicted, so that most requests wait for nothing.
    if (session.id === undefined && !session.clock.moments) return enter()
    const release = session.id === undefined ? undefined : c.env.sandbox.sessions.hold(session)
    const prepare = async (): Promise<void> => {
      await session.clock.prepare()
      session.throwIfDropped()
    }
    return prepare().then(enter).finally(release)
  }
}

function resolveSession(c: Context<Env>, plane: Plane | undefined): Session {
  const { sandbox } = c.env
  const base = sessionInBase(c.req.raw)
  const header = readRareHeader(c, 'sandbox-session')
  if (base !== undefined && header !== undefined && base !== header) {
    throw headerError('names another session than the base URL')
  }
  const baggage = readRareHeader(c, 'baggage')
  const id = base ?? header ?? (baggage ? sessionInBaggage(baggage) : undefined)
  if (id !== undefined) return findSession(sandbox, id, plane === 'control')
  if (plane !== 'service' || !sandbox.requiresSession) return sandbox.defaultSession
  throw headerError('is required here: open a session with POST /_sandbox/sessions and send its id')
}

const headerError = (message: string) => invalidField('Sandbox-Session', message, 'header')

const SESSION_BASE = /^\/_sandbox\/sessions\/([^/]+)(\/[^/].*)$/s

/** The paths of the sandbox itself, and of files that browsers ask for by themselves. */
const OWN =
  /^\/(?:_sandbox(?:\/.*)?|docs(?:\/.*)?|(?:health|openapi\.json|llms\.txt)\/?|(?:favicon|apple-touch-icon).*|robots\.txt|\.well-known\/.*)?$/s

export function stripSessionBase(request: Request): string {
  const path = getPath(request)
  const below = SESSION_BASE.exec(path)?.[2]
  return below !== undefined && isServicePath(below) ? below : path
}

/** The session that a request names by its base URL; undefined if it names none there. */
export function sessionInBase(request: Request): string | undefined {
  // Reading the path again costs as much as finding a route.
  const hasNone = !request.url.includes('/_sandbox/') && !request.url.includes('%')
  return hasNone ? undefined : SESSION_BASE.exec(getPath(request))?.[1]
}

export function isOwn(request: Request): boolean {
  const path = getPath(request)
  return OWN.test(path) && !SESSION_BASE.test(path)
}

/** The most frequent mistakes, by what a path begins with in place of `/v1`. */
const mistakes: Readonly<Record<string, string>> = { '': 'It lacks /v1.', '/v1/v1': 'It has /v1 twice.' }

/** The most segments before a path of the service, as in `/api/v2/members/me`. */
const MAX_BEFORE = 8

/** Says what a path has in place of `/v1`, if it is that of an endpoint otherwise. */
export function findWrongBase(request: Request): string | undefined {
  const path = getPath(request)
  const [, session, below = path] = SESSION_BASE.exec(path) ?? []
  const base = session === undefined ? '' : `/_sandbox/sessions/${session}`
  const segments = below.split('/').slice(1)
  for (let count = 0; count <= MAX_BEFORE && count < segments.length; count += 1) {
    const rest = `/v1/${segments.slice(count).join('/')}`
    if (methodsAt(rest).length === 0) continue
    const before = ['', ...segments.slice(0, count)].join('/')
    if (before === '/v1') return undefined
    const fact = mistakes[before] ?? `It has ${before} in place of /v1.`
    return `${fact} Send ${base}${rest}.`
  }
  return undefined
}

const MEMBER = /(?:^|,)[ \t]*sandbox-session[ \t]*=[ \t]*([^,; \t]*)(?=[ \t]*(?:[,;]|$))/g

/**
 * Reads the session from the header `baggage`, which a tracing library passes on from a page's request to the calls that
 * the page's server makes; undefined if it names none that can exist. Of several members, the last one counts, as in those
 * libraries. Source: W3C Baggage.
 */
function sessionInBaggage(baggage: string): string | undefined {
  const value = Array.from(baggage.matchAll(MEMBER), ([, text = '']) => text).at(-1)
  try {
    return SessionId.safeParse(decodeURIComponent(value ?? '')).data
  } catch {
    // Its encoding is malformed.
    return undefined
  }
}
