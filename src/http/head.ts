/** What Node knows of a request before its body comes. */
export interface Incoming {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly rawHeaders: readonly string[]
}

/** The head of a GET, as far as its answer depends on it. */
export interface Head {
  /** Path and query as they were sent. */
  readonly target: string
  /** The base of the session that stands before the service in the target; undefined where none does. */
  readonly base: string | undefined
  readonly host: string
  /** The value of `Authorization`. */
  readonly credential: string | undefined
  /** The value of `Sandbox-Session`. */
  readonly session: string | undefined
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
}

/** What the base of a session begins with; its id follows. */
export const SESSIONS = '/_sandbox/sessions/'

const BASE = /^\/_sandbox\/sessions\/[\w-]+(?=\/v1\/)/

/** The headers that decide, each by its length, which no two share. */
const deciding: readonly (string | undefined)[] = Object.assign<
  (string | undefined)[],
  Record<number, string>
>([], {
  4: 'host',
  6: 'prefer',
  13: 'authorization',
  14: 'content-length',
  15: 'sandbox-session',
  17: 'transfer-encoding',
})

/** The head of a plain GET; undefined for what wants more care: other methods, a body, `Prefer`, a header given twice. */
export function headOf({ method, url, rawHeaders }: Incoming): Head | undefined {
  if (method !== 'GET' || url === undefined) return undefined
  let host: string | undefined
  let credential: string | undefined
  let session: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const known = deciding[name.length]
    if (known === undefined || (name !== known && name.toLowerCase() !== known)) continue
    const value = rawHeaders[at + 1]
    if (known === 'host' && host === undefined) host = value
    else if (known === 'authorization' && credential === undefined) credential = value
    else if (known === 'sandbox-session' && session === undefined) session = value
    else return undefined
  }
  const base = url.startsWith('/v1/') ? undefined : BASE.exec(url)?.[0]
  if (host === undefined || (base === undefined && !url.startsWith('/v1/'))) return undefined
  return { target: url, base, host, credential, session, rawHeaders }
}
