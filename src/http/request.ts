import { SandboxError } from '../contract/errors.ts'
import { AnswerBody } from './answer-body.ts'

/** The most that a request to the service may send. Units: bytes. Source: assumption A-17. */
export const MAX_BODY = 1_048_576

/** The head of a plain request to the service: one that needs no care beyond what the pipeline takes. */
export interface Head {
  readonly method: 'GET' | 'POST'
  readonly host: string
  /** Path and query as they were sent. */
  readonly target: string
  /** The session in the target: `/_sandbox/sessions/{id}`; undefined where none stands there. */
  readonly base: string | undefined
  /** All that the answer depends on, besides dataset, changes and clock: host, caller, path and query. */
  readonly key: string
  /** The value of `Authorization`. */
  readonly credential: string | undefined
  /** The value of `Sandbox-Session`. */
  readonly session: string | undefined
  /** The value of `Content-Type`. */
  readonly contentType: string | undefined
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
}

/** A request to the service, whichever way it came. */
export interface ServiceRequest {
  readonly method: string
  /** The whole address, with query. */
  readonly url: string
  /** From `/v1` on, without query; what is percent-encoded may be decoded. */
  readonly path: string
  /** The session that stands in the address; undefined where none does. */
  readonly base: string | undefined
  /** For the journal; names and values in turn where a list. */
  readonly headers: Headers | readonly string[]
  /** Fires when the client gives up. */
  readonly signal: AbortSignal
  /** Undefined where the answer is not to be known again. */
  readonly head: Head | undefined
  /** A header's value, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The body. Errors: payload_too_large; a TypeError or another where the client breaks off. */
  readonly bytes: () => Promise<Uint8Array>
}

/** A request of the platform's own kind, addressed as `address` says. */
export function webRequest(request: Request, address: Pick<ServiceRequest, 'path' | 'base'>): ServiceRequest {
  const { method, url, headers } = request
  return {
    ...address,
    method,
    url,
    headers,
    head: undefined,
    get signal() {
      return request.signal
    },
    header: (name) => headers.get(name) ?? undefined,
    bytes: () => bytesOf(request, MAX_BODY),
  }
}

/** The body of a request, which is read no further than it may be long. Errors: payload_too_large. */
export async function bytesOf(request: Request, most: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced !== null && !request.headers.has('transfer-encoding')) {
    if (Number(announced) > most) throw tooLarge(most)
    return new Uint8Array(await request.arrayBuffer())
  }
  return limited(request.body?.getReader(), most)
}

async function limited(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  most: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after the other is the point
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done || !value) return new AnswerBody(chunks).bytes
    length += value.length
    if (length > most) {
      void reader?.cancel().catch(() => undefined)
      throw tooLarge(most)
    }
    chunks.push(new Uint8Array(value))
  }
}

/** Errors: unsupported_media_type for a body in another `Content-Encoding` than `identity`. */
export function refuseCompressed(encoding: string | undefined): void {
  if (encoding === undefined || /^(?:identity)?$/i.test(encoding.trim())) return
  const detail = `${unsupported('Encoding', encoding)} Send the body as it is, without compression.`
  throw new SandboxError('unsupported_media_type', detail, { headers: { 'accept-encoding': 'identity' } })
}

/** How much of a header's value an error shows. */
const MAX_SHOWN = 60

/** Says which `Content-Type` or `Content-Encoding` is not supported. */
export function unsupported(header: 'Type' | 'Encoding', value: string): string {
  return `Unsupported Content-${header} \`${value.slice(0, MAX_SHOWN)}\`.`
}

function tooLarge(most: number): SandboxError {
  return new SandboxError('payload_too_large', `The body is larger than ${most} bytes.`)
}
