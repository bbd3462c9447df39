/** The Authorization header of the default caller. */
export const authorization = 'Bearer sbx_harbor_1'

/** The path of the notes of a customer. */
export const notes = '/v1/organizations/harbor/customers/1/notes'

/** Writes the head of a request by the default caller, as sent over the wire. */
export const head = (method: string, path: string, ...fields: readonly string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization}`,
    ...fields,
    '',
    '',
  ].join('\r\n')

/** Writes the head of a request with a note, which the client sends once the server asks for it. */
export const postHead = (body: string): string =>
  head(
    'POST',
    notes,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  )
