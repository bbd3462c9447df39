import { problems } from '../../contract/errors.ts'
import { commonHeaders } from '../../http/headers.ts'
import { answerOf, respond, responseOf } from '../../http/respond.ts'
import type { HeaderFields } from './headers.ts'

/** A body to be sent, and what it is unless headers say otherwise. */
export interface FaultBody {
  readonly text: string
  readonly contentType: string
}

/** What is answered in place of the service. */
export interface FaultAnswer {
  readonly status: number
  /** Without, a problem document for a status from 400 on, and an empty JSON object below. */
  readonly body: FaultBody | undefined
  /** Whether the service carried the request out. */
  readonly isStored: boolean
  readonly headers: HeaderFields
}

/** What the statuses of injected problems are called, beside those that the service itself answers. */
const titles: Readonly<Record<number, string>> = {
  402: 'Payment required',
  406: 'Not acceptable',
  410: 'Gone',
  412: 'Precondition failed',
  422: 'Unprocessable content',
  423: 'Locked',
  425: 'Too early',
  428: 'Precondition required',
  429: 'Too many requests',
  431: 'Request header fields too large',
  451: 'Unavailable for legal reasons',
  501: 'Not implemented',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
  508: 'Loop detected',
}

/** What RFC 9110 wants beside a status. */
const requiredHeaders: Readonly<Record<number, HeaderFields>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'GET, HEAD, POST' },
}

const EMPTY: FaultBody = { text: '{}', contentType: 'application/json' }
const BODYLESS = new Set([204, 205, 304])

/** Says whether an answer with a status may have a body. Source: RFC 9110. */
export function allowsBody(status: number): boolean {
  return !BODYLESS.has(status)
}

/** A JSON value or a text as a body. */
export function faultBody(value: unknown): FaultBody | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return { text: value, contentType: 'text/plain; charset=utf-8' }
  return { text: JSON.stringify(value), contentType: 'application/json' }
}

/** An injected answer with the service's common headers, and the id of what injected it. */
export function faultAnswer(id: string, { status, body, isStored, headers }: FaultAnswer): Response {
  const fields = { ...requiredHeaders[status], ...headers, 'sandbox-fault': id }
  if (allowsBody(status)) {
    const sent = body ?? (status < 400 ? EMPTY : problemBody(id, status, isStored))
    return respond(sent.text, headers['content-type'] ?? sent.contentType, { status, headers: fields })
  }
  return new Response(null, { status, headers: { ...commonHeaders, ...fields } })
}

/** An answer of the service with headers laid over it. */
export function overlaid(response: Response, headers: HeaderFields): Response {
  const answer = answerOf(response)
  if (answer) return responseOf({ ...answer, headers: { ...answer.headers, ...headers } })
  const fields = { ...Object.fromEntries(response.headers), ...headers }
  return new Response(response.body, { status: response.status, headers: fields })
}

function problemBody(id: string, status: number, isStored: boolean): FaultBody {
  const title = titles[status] ?? knownTitle(status) ?? (status < 500 ? 'Client error' : 'Server error')
  const code = title.toLowerCase().replaceAll(' ', '_')
  const fact = isStored ? 'the request was carried out, its answer dropped' : 'the service was not asked'
  const detail = `Injected by ${id}; ${fact}.`
  const problem = { type: `urn:workspace-sandbox:problem:${code}`, title, status, detail, code }
  return { text: JSON.stringify(problem), contentType: 'application/problem+json' }
}

/** The title under which the service answers a status. */
function knownTitle(status: number): string | undefined {
  return Object.values(problems).find((problem) => problem.status === status)?.title
}
