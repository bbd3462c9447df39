import { reasonPhrases } from '../testing/faults/inject.ts'

export const MAX_REDIRECTS = 20

/** The headers that another origin must not get. Source: Fetch, HTTP-redirect fetch. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'] as const

export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Sends a request and those that its redirects lead to, as the global `fetch` does. In the sandbox, every host is its own.
 * @param text the body of the first request, if it is a text, so that it need not be copied for the next one
 * Errors: the TypeError of `fetch` for a redirect that is not wanted, leads nowhere or does not end.
 */
export async function followRedirects(
  send: (request: Request) => Response | Promise<Response>,
  first: Request,
  text: string | undefined,
): Promise<Response> {
  let request = first
  for (let count = 0; ; count += 1) {
    request.signal.throwIfAborted()
    const { url, redirect } = request
    const isCopied = text === undefined && redirect === 'follow' && request.body !== null
    const copy = isCopied ? request.clone() : request
    const response = describe(await send(request), url, count > 0)
    if (!REDIRECTS.has(response.status) || redirect === 'manual') return response
    if (redirect === 'error') throw createError('unexpected redirect')
    const location = response.headers.get('location')
    if (location === null) return response
    if (count === MAX_REDIRECTS) throw createError('redirect count exceeded')
    request = createNext(copy, response.status, location, copy.body && (text ?? copy.body))
  }
}

function createNext(
  { url, method, headers, signal }: Request,
  status: number,
  location: string,
  body: BodyInit | null,
): Request {
  if (!URL.canParse(location, url)) throw createError('invalid redirect URL')
  const target = new URL(location, url)
  if (!/^https?:$/.test(target.protocol)) throw createError('URL scheme must be a HTTP(S) scheme')
  const next = new Headers(headers)
  if (target.origin !== new URL(url).origin) for (const name of CREDENTIALS) next.delete(name)
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  if (!becomesGet) return new Request(target, { method, headers: next, body, signal, ...halfDuplex })
  for (const name of headers.keys()) if (name.startsWith('content-')) next.delete(name)
  return new Request(target, { headers: next, signal })
}

/** Node requires it of a stream. */
const halfDuplex: object = { duplex: 'half' }

/** Adds what a response has that came over the wire. */
function describe(response: Response, requested: string, redirected: boolean): Response {
  // One by one, since `defineProperties` takes several times as long.
  Object.defineProperty(response, 'url', { value: requested.split('#', 1)[0] })
  Object.defineProperty(response, 'statusText', { value: reasonPhrases[response.status] ?? '' })
  if (redirected) Object.defineProperty(response, 'redirected', { value: redirected })
  return Object.defineProperty(response, 'clone', { value: cloneDescribed })
}

function cloneDescribed(this: Response): Response {
  return describe(Response.prototype.clone.call(this), this.url, this.redirected)
}

const createError = (fact: string): TypeError => new TypeError('fetch failed', { cause: new Error(fact) })
