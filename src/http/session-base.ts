import { getPath } from 'hono/utils/url'

import { SessionId } from '../sessions/open-session.ts'

const SESSION_BASE = /^\/_sandbox\/sessions\/([^/]+)(\/v1(?:\/.*)?)$/s

export const readPath = (request: Request): string => getPath(request)

export function stripSessionBase(request: Request): string {
  const path = getPath(request)
  return path.startsWith('/v1') ? path : (SESSION_BASE.exec(path)?.[2] ?? path)
}

/** The session that a request names by its base URL; undefined if it names none there. */
export function sessionInBase(request: Request): string | undefined {
  const path = getPath(request)
  return path.startsWith('/v1') ? undefined : SESSION_BASE.exec(path)?.[1]
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
