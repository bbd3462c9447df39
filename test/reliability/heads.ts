/** The default caller's. */
export const authorization = 'Bearer sbx_harbor_1'

/** Where notes of a customer are read and written. */
export const notes = '/v1/organizations/harbor/customers/1/notes'

/** The head of a request of the default caller, as it goes over the wire. */
export const head = (method: string, path: string, ...fields: readonly string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization}`,
    ...fields,
    '',
    '',
  ].join('\r\n')
