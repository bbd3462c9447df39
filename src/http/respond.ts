import { commonHeaders } from './headers.ts'

/** What an answer was made of. */
export interface Answer {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const answers = new WeakMap<Response, Answer>()

/** An answer of the service; headers are decided here, once, because a Response is slow to change. */
export function respond(
  body: string,
  contentType: string,
  status = 200,
  own: Readonly<Record<string, string>> = {},
): Response {
  const headers = { ...commonHeaders, ...own, 'content-type': contentType }
  const response = new Response(body, { status, headers })
  answers.set(response, { body, headers })
  return response
}

/** What an answer of `respond` was made of, without reading it; undefined for any other. */
export function answerOf(response: Response): Answer | undefined {
  return answers.get(response)
}

/** The body of an answer made by `respond`, without reading it; undefined for any other. */
export function bodyOf(response: Response): string | undefined {
  return answers.get(response)?.body
}
