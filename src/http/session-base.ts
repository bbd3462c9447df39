import { getPath } from 'hono/utils/url'

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
