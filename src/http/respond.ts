import { commonHeaders } from './headers.ts'

const bodies = new WeakMap<Response, string>()

/** An answer of the service; headers are decided here, once, because a Response is slow to change. */
export function respond(
  body: string,
  contentType: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const response = new Response(body, {
    status,
    headers: { ...commonHeaders, ...headers, 'content-type': contentType },
  })
  bodies.set(response, body)
  return response
}

/** The body of an answer made by `respond`, without reading it; undefined for any other. */
export function bodyOf(response: Response): string | undefined {
  return bodies.get(response)
}
