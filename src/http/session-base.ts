import { getPath } from 'hono/utils/url'

import { SessionId } from '../sessions/open-session.ts'

const SESSION_BASE = /^\/_sandbox\/sessions\/([^/]+)(\/v1(?:\/.*)?)$/s

const isPlain = (url: string): boolean => url.startsWith('/v1', url.indexOf('/', 'https://'.length))

export const readPath = (request: Request): string => getPath(request)

export function stripSessionBase(request: Request): string {
  const path = getPath(request)
  return path.startsWith('/v1') ? path : (SESSION_BASE.exec(path)?.[2] ?? path)
}

/** The session that a request names by its base URL; undefined if it names none there. */
export function sessionInBase(request: Request): string | undefined {
  return isPlain(request.url) ? undefined : SESSION_BASE.exec(getPath(request))?.[1]
}

/** The header of a tracing library, which passes it on from a page's request to the calls that the page's server makes. */
const MEMBER = /(?:^|,)[ \t]*sandbox-session[ \t]*=[ \t]*([^,; \t]*)(?=[ \t]*(?:[,;]|$))/g

/**
 * The session that a request names by its `baggage`; undefined if it names none there, or none that can exist. Of several
 * members, the last one counts, as in the libraries that pass it on. Source: W3C Baggage.
 */
export function sessionInBaggage({ headers }: Request): string | undefined {
  const baggage = headers.get('baggage')
  if (baggage === null) return undefined
  const value = Array.from(baggage.matchAll(MEMBER), ([, text = '']) => text).at(-1)
  try {
    return SessionId.safeParse(decodeURIComponent(value ?? '')).data
  } catch {
    // Its encoding is malformed.
    return undefined
  }
}
