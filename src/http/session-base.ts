import { getPath } from 'hono/utils/url'

import { isServicePath, methodsAt } from '../service/match-route.ts'
import { SessionId } from '../sessions/open-session.ts'

const SESSION_BASE = /^\/_sandbox\/sessions\/([^/]+)(\/[^/].*)$/s

/** The paths of the sandbox itself, and of files that browsers ask for by themselves. */
const OWN =
  /^\/(?:_sandbox(?:\/.*)?|docs(?:\/.*)?|(?:health|openapi\.json|llms\.txt)\/?|(?:favicon|apple-touch-icon).*|robots\.txt|\.well-known\/.*)?$/s

export const readPath = (request: Request): string => getPath(request)

export function stripSessionBase(request: Request): string {
  const path = getPath(request)
  const below = SESSION_BASE.exec(path)?.[2]
  return below !== undefined && isServicePath(below) ? below : path
}

/** The session that a request names by its base URL; undefined if it names none there. */
export function sessionInBase(request: Request): string | undefined {
  return SESSION_BASE.exec(getPath(request))?.[1]
}

export const isOwnPath = (path: string): boolean => OWN.test(path) && !SESSION_BASE.test(path)

/** The most segments before a path of the service, as in `/api/v2/members/me`. */
const MAX_BEFORE = 8

/** Says what a path has in place of `/v1`, if it is that of an endpoint otherwise. */
export function findWrongBase(path: string): string | undefined {
  const [, session, below = path] = SESSION_BASE.exec(path) ?? []
  const base = session === undefined ? '' : `/_sandbox/sessions/${session}`
  const segments = below.split('/').slice(1)
  for (let count = 0; count <= MAX_BEFORE && count < segments.length; count += 1) {
    const rest = `/v1/${segments.slice(count).join('/')}`
    if (methodsAt(rest).length === 0) continue
    const before = segments
      .slice(0, count)
      .map((segment) => `/${segment}`)
      .join('')
    if (before === '/v1') return undefined
    const fact =
      before === ''
        ? 'It lacks /v1.'
        : before === '/v1/v1'
          ? 'It has /v1 twice.'
          : `It has ${before} in place of /v1.`
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
export function sessionInBaggage(baggage: string): string | undefined {
  const value = Array.from(baggage.matchAll(MEMBER), ([, text = '']) => text).at(-1)
  try {
    return SessionId.safeParse(decodeURIComponent(value ?? '')).data
  } catch {
    // Its encoding is malformed.
    return undefined
  }
}
