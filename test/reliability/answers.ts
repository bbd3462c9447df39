import { expect } from 'vitest'

import type { Answer } from '../sandbox/control-support.ts'

/** What no answer may tell: a stack, a path of the machine, a module. */
const secrets =
  /\n\s+at |node_modules|file:\/\/|\/(?:home|root|tmp|usr|work)\/|\.[cm]?[jt]s:\d|[A-Z]:\\|ZodError|hono/

/** Expects that an answer is one of the sandbox: no failure, a refusal being a problem document that tells nothing. */
export function expectSound({ status, headers, body }: Answer, asked: string): void {
  expect(status, `${asked}: ${body}`).toBeGreaterThanOrEqual(100)
  expect(status, `${asked}: ${body}`).toBeLessThan(500)
  if (status < 200) return
  expect(headers['x-content-type-options'], `${asked}: ${status}`).toBe('nosniff')
  if (status < 400) return
  expect(headers['content-type'], `${asked}: ${body}`).toBe('application/problem+json')
  expect(body, `for ${asked}`).not.toMatch(secrets)
  // An answer to HEAD has no body.
  expect(JSON.parse(body || `{"status":${status}}`), `for ${asked}`).toMatchObject({ status })
}

/**
 * The answers that a connection has carried, one after the other; one in chunks with their sizes in it.
 * Errors: where something else is among them.
 */
export function answersIn(bytes: Buffer): Answer[] {
  const answers: Answer[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', start)
    const [line = '', ...fields] = bytes.toString('latin1', start, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end === -1 || Number.isNaN(status)) throw new Error(`no answer: ${bytes.toString('latin1', start)}`)
    const headers = Object.fromEntries(fields.map((field) => fieldOf(field)))
    const isChunked = headers['transfer-encoding'] === 'chunked'
    const length = isChunked ? bytes.indexOf('0\r\n\r\n', end + 4) + 5 - end - 4 : headers['content-length']
    start = end + 4 + Number(length ?? 0)
    if (bytes.length < start) throw new Error(`half an answer: ${bytes.toString('latin1', 0, end)}`)
    answers.push({ status, headers, body: bytes.toString('utf8', end + 4, start) })
  }
  return answers
}

function fieldOf(field: string): [name: string, value: string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}
