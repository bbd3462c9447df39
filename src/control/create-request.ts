/** Creates a request to the service, to be answered in process. @param path from the version on, as in `/v1/members/me` */
export function createRequest(
  method: string,
  path: string,
  authorization: string | undefined,
  body?: unknown,
): Request {
  const headers = { ...(authorization && { authorization }), 'content-type': 'application/json' }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  return new Request(`http://sandbox${path}`, init)
}
