import type { Settings } from '../contract/choices.ts'
import { AnswerBody } from './answer-body.ts'
import { commonHeaders, sharingHeaders } from './headers.ts'

/** Which part of a list an answer shows. */
export interface PageShown {
  /** The address without `offset` and `limit`: equal for the pages of one list. */
  readonly list: string
  readonly offset: number
  readonly limit: number
  /** How many match before pagination. */
  readonly total: number
}

/** What an answer is made of. */
export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: AnswerBody
  /** Undefined where it shows no page. */
  readonly page?: PageShown | undefined
}

const answers = new WeakMap<Response, Answer>()

/**
 * A `Response` that stands for an answer on its way through the sandbox: its body is made where it leaves, by `whole`,
 * because a Response's body is slow, and a server has a quicker way to write one.
 */
export function responseOf(answer: Answer): Response {
  const { status } = answer
  const response = new Response(null, { status, headers: headersOf(answer) })
  answers.set(response, answer)
  return response
}

/** The Response that leaves the sandbox. */
export function whole(response: Response): Response {
  const answer = answers.get(response)
  if (!answer) return response
  const { body, status } = answer
  return new Response(body.bytes, { status, headers: headersOf(answer) })
}

/** The headers that are sent: HEAD announces the length of a body that it leaves out. */
export const headersOf = ({ headers, body }: Answer): Record<string, string> => ({
  ...headers,
  'content-length': `${body.length}`,
})

/** An answer with the headers that every answer of the service has. */
export function createAnswer(
  body: string | Uint8Array<ArrayBuffer> | AnswerBody,
  contentType: string,
  { status = 200, headers = {}, page }: Partial<Pick<Answer, 'status' | 'headers' | 'page'>> = {},
): Answer {
  return {
    status,
    headers: { ...commonHeaders, ...headers, 'content-type': contentType },
    body: body instanceof AnswerBody ? body : AnswerBody.of(body),
    page,
  }
}

/** An answer with further headers, or others. */
export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** An answer as pages may read it, or not. Source: assumption A-17. */
export function shared(answer: Answer, { cors }: Settings): Answer {
  if (cors === 'any') return answer
  const headers = Object.entries(answer.headers).filter(([name]) => !sharingHeaders.has(name))
  return { ...answer, headers: Object.fromEntries(headers) }
}

/** The same for a response that may be a fault's. */
export function sharedResponse(response: Answer | Response, settings: Settings): Answer | Response {
  if (settings.cors === 'any') return response
  if (!(response instanceof Response)) return shared(response, settings)
  const known = answerOf(response)
  if (known) return responseOf(shared(known, settings))
  for (const name of sharingHeaders) response.headers.delete(name)
  return response
}

/** A Response that stands for an answer as `createAnswer` makes it. */
export function respond(...parts: Parameters<typeof createAnswer>): Response {
  return responseOf(createAnswer(...parts))
}

/** The answer for which a Response stands; undefined for any other. */
export function answerOf(response: Response): Answer | undefined {
  return answers.get(response)
}
