import { type Head, MAX_BODY, type ServiceRequest } from './request.ts'

/** What a server knows of a request before its body comes. */
export interface Incoming {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly rawHeaders: readonly string[]
}

/** What the base of a session begins with; its id follows. */
const SESSIONS = '/_sandbox/sessions/'

/** An address that means what it spells: nothing in it to be decoded, resolved or escaped but in its query. */
const PLAIN_TARGET = /^(\/_sandbox\/sessions\/[\w-]+)?\/v1\/[\w\-/]*(?:\?[\w\-.~%=&+:,;!*()/?@$[\]]*)?$/
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/

/**
 * The head of a plain request in HTTP/1; undefined for what wants more care: other methods and addresses, a body of
 * unknown size or too large, `Prefer`, `Expect`, `Content-Encoding`,
 * a header given twice.
 */
export function headOf({ method, url = '', rawHeaders }: Incoming): Head | undefined {
  if (method !== 'GET' && method !== 'POST') return undefined
  const found: Partial<Record<Deciding, string>> = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = decidingName(rawHeaders[at] ?? '')
    if (name === undefined) continue
    if (found[name] !== undefined || careful.has(name)) return undefined
    found[name] = rawHeaders[at + 1] ?? ''
  }
  const { host, authorization: credential, 'sandbox-session': session, 'content-type': contentType } = found
  const target = PLAIN_TARGET.exec(url)
  if (!target || host === undefined || !PLAIN_HOST.test(host)) return undefined
  if (!isBounded(method, found['content-length'])) return undefined
  const [, base] = target
  const key = `${host} ${credential} ${base === undefined ? url : url.slice(base.length)}`
  return { method, host, target: url, base, key, credential, session, contentType, rawHeaders }
}

/** The id in the base of a session. */
export const sessionIn = (base: string | undefined): string | undefined => base?.slice(SESSIONS.length)

/** A plain request. @param bytes reads its body */
export function plainRequest(head: Head, bytes: () => Promise<Uint8Array>): ServiceRequest {
  const { method, host, target, base, credential, session, contentType, rawHeaders } = head
  const end = target.indexOf('?')
  const values: Readonly<Record<string, string | undefined>> = {
    authorization: credential,
    'sandbox-session': session,
    'content-type': contentType,
  }
  return {
    method,
    url: `http://${host}${target}`,
    path: target.slice(base?.length ?? 0, end === -1 ? undefined : end),
    base: sessionIn(base),
    headers: rawHeaders,
    get signal() {
      return (never ??= new AbortController().signal)
    },
    head,
    header: (name) => values[name],
    bytes,
  }
}

/** Nobody waits for a plain request longer than it takes. */
let never: AbortSignal | undefined

type Deciding = (typeof deciding)[number]

const deciding = [
  'host',
  'prefer',
  'expect',
  'content-type',
  'authorization',
  'content-length',
  'sandbox-session',
  'content-encoding',
  'transfer-encoding',
] as const

/** Headers that make a request ineligible for the fast path. */
const careful: ReadonlySet<Deciding> = new Set(['prefer', 'expect', 'transfer-encoding', 'content-encoding'])

const byLength = new Map<number, readonly Deciding[]>()
for (const name of deciding) byLength.set(name.length, [...(byLength.get(name.length) ?? []), name])

/** Which of the deciding headers a name is; most are none, and are told by their length. */
function decidingName(name: string): Deciding | undefined {
  const near = byLength.get(name.length)
  if (!near) return undefined
  const lower = name.toLowerCase()
  return near.find((one) => one === lower)
}

function isBounded(method: 'GET' | 'POST', length: string | undefined): boolean {
  if (method === 'GET') return length === undefined
  return length !== undefined && /^\d{1,7}$/.test(length) && Number(length) <= MAX_BODY
}
