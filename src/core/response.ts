/** The headers of every response. Source: assumption A-17. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Sandbox-Warning, Sandbox-Fault, Retry-After',
  'x-content-type-options': 'nosniff',
}

const USUAL_HEADERS = 'authorization, content-type, sandbox-session'

/** Responds to a preflight: whatever headers it asks for are allowed. Source: assumption A-17. */
export function preflightResponse(
  requested: Headers,
  methods: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...commonHeaders,
      ...headers,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requested.get('access-control-request-headers') || USUAL_HEADERS,
      'access-control-max-age': '600',
    },
  })
}

const encoder = new TextEncoder()

/** The memory of a reference to a part. Units: bytes. */
const PART = 8

/** The bytes of a response in parts; responses share the parts of their records instead of copying them. */
export class ResponseBody {
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
  /** Units: bytes. */
  readonly length: number
  readonly #unshared: number | undefined

  constructor(parts: readonly Uint8Array<ArrayBuffer>[], unshared?: number) {
    this.parts = parts
    let length = 0
    for (const part of parts) length += part.length
    this.length = length
    this.#unshared = unshared
  }

  /** The body's own memory, without bytes that it shares with the dataset. Units: bytes. */
  get memory(): number {
    return (this.#unshared ?? this.length) + PART * this.parts.length
  }

  static of(content: string | Uint8Array<ArrayBuffer>): ResponseBody {
    return new ResponseBody([typeof content === 'string' ? encoder.encode(content) : content])
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    const [first] = this.parts
    if (first && this.parts.length === 1) return first
    const bytes = new Uint8Array(this.length)
    this.copyTo(bytes)
    return bytes
  }

  copyTo(target: Uint8Array): void {
    let at = 0
    for (const part of this.parts) {
      target.set(part, at)
      at += part.length
    }
  }
}

export interface PageShown {
  /** The URL without `offset` and `limit`, which is equal for the pages of a list. */
  readonly list: string
  readonly offset: number
  readonly limit: number
  readonly total: number
}

export interface ResponseParts {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ResponseBody | undefined
  readonly page?: PageShown | undefined
}

export function createResponse(
  body: string | Uint8Array<ArrayBuffer> | ResponseBody | undefined,
  contentType: string,
  { status = 200, headers = {}, page }: Partial<Pick<ResponseParts, 'status' | 'headers' | 'page'>> = {},
): ResponseParts {
  const content = typeof body === 'string' || body instanceof Uint8Array ? ResponseBody.of(body) : body
  const length = content && { 'content-length': `${content.length}` }
  return {
    status,
    headers: { ...commonHeaders, ...headers, 'content-type': contentType, ...length },
    body: content,
    page,
  }
}

export function withHeaders<P extends Pick<ResponseParts, 'headers'>>(
  parts: P,
  headers: Readonly<Record<string, string>> | undefined,
): P {
  return headers === undefined ? parts : { ...parts, headers: { ...parts.headers, ...headers } }
}
