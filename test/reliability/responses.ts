import { expect } from 'vitest'

import type { Answer } from '../sandbox/control-support.ts'

/** Details that no response may reveal: stacks, paths of the machine, names of modules. */
const secrets =
  /\n\s+at |node_modules|file:\/\/|\/(?:home|root|tmp|usr|work)\/|\.[cm]?[jt]s:\d|[A-Z]:\\|ZodError|hono/

/** Expects a well-formed response without a 5xx; an error must be a problem document without internal details. */
export function expectWellFormed({ status, headers, body }: Answer, request: string): void {
  expect(status, `${request}: ${body}`).toBeGreaterThanOrEqual(100)
  expect(status, `${request}: ${body}`).toBeLessThan(500)
  if (status < 200) return
  expect(headers['x-content-type-options'], `${request}: ${status}`).toBe('nosniff')
  if (status < 400) return
  expect(headers['content-type'], `${request}: ${body}`).toBe('application/problem+json')
  expect(body, `for ${request}`).not.toMatch(secrets)
  // A response to HEAD has no body.
  const problem = JSON.parse(body || `{"status":${status}}`)
  expect(problem, `for ${request}`).toMatchObject({ status })
  if (status === 400 && body) expect(problem.errors, `for ${request}: ${body}`).not.toHaveLength(0)
}

/**
 * Parses the responses that a connection has received; a chunked body keeps the sizes of its chunks.
 * Errors: if the bytes are not complete responses.
 */
export function parseResponses(bytes: Buffer): Answer[] {
  const responses: Answer[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', start)
    const [line = '', ...fields] = bytes.toString('latin1', start, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end === -1 || Number.isNaN(status))
      throw new Error(`not a response: ${bytes.toString('latin1', start)}`)
    const headers = Object.fromEntries(fields.map((field) => parseField(field)))
    const isChunked = headers['transfer-encoding'] === 'chunked'
    const length = isChunked ? bytes.indexOf('0\r\n\r\n', end + 4) + 5 - end - 4 : headers['content-length']
    start = end + 4 + Number(length ?? 0)
    if (bytes.length < start) throw new Error(`incomplete response: ${bytes.toString('latin1', 0, end)}`)
    responses.push({ status, headers, body: bytes.toString('utf8', end + 4, start) })
  }
  return responses
}

function parseField(field: string): [name: string, value: string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}
