import type { JsonObject } from './json.ts'

type HeaderFields = Readonly<Record<string, string>>

/** The headers of every response. Source: assumption A-17. */
export const commonHeaders: HeaderFields = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Sandbox-Warning, Sandbox-Fault, Retry-After',
  vary: 'Origin',
  'x-content-type-options': 'nosniff',
}

const USUAL_HEADERS = 'authorization, content-type, sandbox-session'

/** Responds to a preflight: whatever headers it asks for are allowed. Source: assumption A-17. */
export function preflightResponse(requested: Headers, methods: string, headers: HeaderFields = {}): Response {
  return createResponse(undefined, {
    status: 204,
    headers: {
      ...headers,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requested.get('access-control-request-headers') || USUAL_HEADERS,
      'access-control-max-age': '600',
    },
  })
}

const encoder = new TextEncoder()

/** The memory of a reference to a part or a row. Units: bytes. */
const REFERENCE = 8

/** The bytes of a response in parts; responses share the parts of their records instead of copying them. */
export class ResponseBody {
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
  /** The rows whose records are the parts between the first and the last one, if those are shared. */
  readonly rows: readonly JsonObject[] | undefined
  /** Units: bytes. */
  readonly length: number
  /** The body's own memory, without bytes that it shares with the dataset. Units: bytes. */
  readonly memory: number

  /** @param unshared how many of the bytes the dataset does not share; by default all */
  constructor(parts: readonly Uint8Array<ArrayBuffer>[], unshared?: number, rows?: readonly JsonObject[]) {
    const [first, second] = parts
    const only = second ? undefined : first
    // Node's server makes a Buffer of any other bytes for each response that has them, which takes 2 % of a cached one.
    const buffer = only && globalThis.Buffer?.from(only.buffer, only.byteOffset, only.byteLength)
    this.parts = buffer ? [buffer] : parts
    this.rows = rows
    let length = 0
    for (const part of parts) length += part.length
    this.length = length
    this.memory = (unshared ?? length) + REFERENCE * (parts.length + (rows?.length ?? 0))
  }

  static of(content: string | Uint8Array<ArrayBuffer>): ResponseBody {
    return new ResponseBody([typeof content === 'string' ? encoder.encode(content) : content])
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    const [first] = this.parts
    if (first && this.parts.length === 1) return first
    const bytes = new Uint8Array(this.length)
    let at = 0
    for (const part of this.parts) {
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  }
}

export interface PageShown {
  readonly offset: number
  readonly limit: number
  readonly total: number
}

/** A response without its body. */
export interface Head {
  readonly status: number
  readonly headers: HeaderFields
  readonly page: PageShown | undefined
}

/** The parts that a response was made of. */
export interface Content {
  /** An object of its own, which the journal keeps. */
  readonly head: Head
  /** Undefined for a response without a body, and for a stream that ends early. */
  readonly body: ResponseBody | undefined
}

/** Keeps the content of a response, so that the journal need not read its stream. A WeakMap costs 1 µs for each response. */
const CONTENT = Symbol('content')

interface MadeResponse extends Response {
  [CONTENT]?: Content
}

/** Makes a response with the headers that all have. */
export function createResponse(
  body: string | Uint8Array<ArrayBuffer> | ResponseBody | undefined,
  { status = 200, headers: own, page }: Partial<Head> = {},
): Response {
  const content = typeof body === 'string' || body instanceof Uint8Array ? ResponseBody.of(body) : body
  const length = content && { 'content-length': `${content.length}` }
  // A spread gives each object a hidden class of its own: a response that is not cached then takes 6 µs more.
  const headers = Object.assign({}, commonHeaders, own, length)
  return repeatResponse({ head: { status, headers, page }, body: content })
}

/**
 * Makes a response of the content of another one.
 * NOTE: not of a subclass, because @hono/node-server replaces the global Response by a faster one after this is loaded.
 */
export function repeatResponse(
  content: Content,
  body: Uint8Array<ArrayBuffer> | ReadableStream | null = content.body?.bytes ?? null,
): Response {
  const response: MadeResponse = new Response(body, content.head)
  response[CONTENT] = content
  return response
}

/** Reads what a response was made of. Errors: TypeError for a response that `createResponse` has not made. */
export function readContent(response: MadeResponse): Content {
  const content = response[CONTENT]
  if (content) return content
  throw new TypeError('The response was not made by createResponse.')
}

/** Makes a response anew with other headers besides its own. */
export function withHeaders(response: Response, more: HeaderFields): Response {
  const { body, head } = readContent(response)
  return createResponse(body, { ...head, headers: { ...head.headers, ...more } })
}

/** Lets a page read a response to a request with credentials, too, unless a fault has set the allowed origin. Source: assumption A-17. */
export function allowOrigin(response: Response, origin: string | undefined): Response {
  const { head, body } = readContent(response)
  const name = 'access-control-allow-origin'
  if (origin === undefined || head.headers[name] !== '*') return response
  const headers = { ...head.headers, [name]: origin, 'access-control-allow-credentials': 'true' }
  // Made anew, because a header that is set later takes @hono/node-server 5 µs more.
  return repeatResponse({ head: { ...head, headers }, body }, body?.bytes ?? response.body)
}
