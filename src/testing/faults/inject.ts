import { problems } from '../../core/errors.ts'
import {
  commonHeaders,
  createResponse,
  readContent,
  repeatResponse,
  withHeaders,
} from '../../core/response.ts'
import { type Connection, createConnectionError } from './connection.ts'
import { allowsBody, type HeaderFields, type Step } from './effects.ts'
import type { HeldOutcome } from './gates.ts'

export interface Injection {
  /** The value of `Sandbox-Fault`; undefined if the response only gets headers. */
  readonly id?: string
  readonly delayMs?: number
  readonly step: Exclude<Step, 'pass'>
  /** A JSON value, or a string to send as it is; undefined for the default of the status. */
  readonly body?: unknown
  readonly isStored?: boolean
  readonly headers: HeaderFields
}

export interface Exchange {
  readonly method: string
  readonly proceed: () => Promise<Response>
  /** The headers of a response that the fault makes. */
  readonly headers: () => HeaderFields
  /** Without a connection, breaking it throws the error of `fetch`. */
  readonly connection?: Connection | undefined
  /** Waits, and rejects if the client gives up meanwhile. Units: milliseconds. */
  readonly wait: (delayMs: number) => Promise<void>
  readonly hold: (faultId: string) => Promise<HeldOutcome>
}

/** The time for written data to be sent before the connection closes. Units: milliseconds. */
const FLUSH_MS = 50

/**
 * Injects a fault into a request and returns the response.
 * Errors: the TypeError of `fetch` if the connection ends; the reason of the signal if the client gives up.
 * `endsConnection` recognizes both.
 */
export async function inject(injection: Injection, exchange: Exchange): Promise<Response> {
  const { id = '', delayMs = 0, step, isStored, headers } = injection
  const marks = injection.id === undefined ? headers : { ...headers, 'sandbox-fault': id }
  if (delayMs > 0) await exchange.wait(delayMs)
  if (step === 'proceed') return withHeaders(await exchange.proceed(), marks)
  const stored = isStored ? await exchange.proceed() : undefined
  switch (step) {
    case 'reset':
      exchange.connection?.reset()
      throw createConnectionError('fetch failed', true)
    case 'hang':
      await exchange.wait(Infinity)
      return closeConnection(exchange)
    case 'empty':
      return closeConnection(exchange)
    case 'truncate':
      return truncate(stored ?? (await readResponse(exchange)), id, exchange)
    case 'gate': {
      const { status, reason } = await exchange.hold(id)
      if (status !== undefined) return createFaultResponse(status, injection, exchange, reason)
      return withHeaders(stored ?? (await exchange.proceed()), marks)
    }
    case 'malformed': {
      const { body, head } = readContent(stored ?? (await readResponse(exchange)))
      const bytes = body?.bytes.slice(0, -1) ?? new Uint8Array()
      return createResponse(bytes, { status: head.status, headers: { ...head.headers, 'sandbox-fault': id } })
    }
    default:
      return createFaultResponse(step, injection, exchange)
  }
}

export function exposeHeaders(headers: HeaderFields): HeaderFields {
  const expose = 'access-control-expose-headers'
  return { ...headers, [expose]: [commonHeaders[expose], ...Object.keys(headers)].join(', ') }
}

function closeConnection({ connection }: Exchange): never {
  connection?.close()
  throw createConnectionError('fetch failed')
}

async function readResponse({ method, proceed, headers }: Exchange): Promise<Response> {
  if (method === 'GET' || method === 'HEAD') return proceed()
  const body = '{"detail":"The request did not reach the service."}'
  return createResponse(body, { headers: { ...headers(), 'content-type': 'application/json' } })
}

function truncate(response: Response, id: string, { connection }: Exchange): Response {
  const { head, body: whole } = readContent(response)
  const bytes = whole?.bytes ?? new Uint8Array()
  const parts = [bytes.slice(0, bytes.length / 2)].filter((part) => part.length > 0)
  let timer: ReturnType<typeof setTimeout> | undefined
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const part = parts.shift()
      if (part) return controller.enqueue(part)
      // A server reads ahead of what it has sent, so the connection must close a little later.
      if (connection) timer ??= setTimeout(() => connection.close(), FLUSH_MS)
      else controller.error(createConnectionError('terminated'))
    },
    cancel: () => clearTimeout(timer),
  })
  const length = String(Math.max(bytes.length, 1))
  const headers = { ...head.headers, 'content-length': length, 'sandbox-fault': id }
  return repeatResponse({ head: { ...head, headers, page: undefined }, body: undefined }, body)
}

const requiredHeaders: Readonly<Record<number, HeaderFields>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'GET, HEAD, POST' },
}

function createFaultResponse(
  status: number,
  injection: Injection,
  exchange: Exchange,
  reason?: string,
): Response {
  const { id = '', body, headers } = injection
  const fields = { ...exchange.headers(), ...requiredHeaders[status], ...headers, 'sandbox-fault': id }
  if (!allowsBody(status)) return createResponse(undefined, { status, headers: fields })
  const respond = (text: string, contentType: string): Response =>
    createResponse(text, { status, headers: { 'content-type': contentType, ...fields } })
  if (typeof body === 'string') return respond(body, 'text/plain; charset=utf-8')
  if (body !== undefined) return respond(JSON.stringify(body), 'application/json')
  if (status < 400) return respond('{}', 'application/json')
  const title = findTitle(status) ?? (status < 500 ? 'Client error' : 'Server error')
  const code = title.toLowerCase().replaceAll(' ', '_')
  const fact = injection.isStored
    ? 'the service handled the request, but its response was dropped'
    : 'the request did not reach the service'
  const type = `urn:workspace-sandbox:problem:${code}`
  const detail = `Injected by ${id}; ${reason === undefined ? fact : `${fact}: ${reason}`}.`
  return respond(JSON.stringify({ type, title, status, detail, code }), 'application/problem+json')
}

function findTitle(status: number): string | undefined {
  const problem = Object.values(problems).find((one) => one.status === status)
  const phrase = reasonPhrases[status]
  // The title of the service's own 503 names its storage, which a fault does not affect.
  if (problem && problem !== problems.storage_unavailable) return problem.title
  return phrase && phrase.charAt(0) + phrase.slice(1).toLowerCase()
}

/** Reason phrases of the statuses that the sandbox returns, and of those common in faults. Source: RFC 9110. */
export const reasonPhrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  423: 'Locked',
  425: 'Too Early',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
}
