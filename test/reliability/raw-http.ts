import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, onTestFinished } from 'vitest'

import type { Answer } from '../sandbox/control-support.ts'

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

/** Opens a connection to a server that can send anything. */
export async function connected(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let received = Buffer.alloc(0)
  socket.on('data', (bytes) => (received = Buffer.concat([received, bytes])))
  socket.on('error', () => undefined)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')

  /** Waits for more bytes. Errors: the server closes the connection first. */
  const receive = () => Promise.race([once(socket, 'data'), ended.then(() => fail(received))])
  /** Reads the next response, once it is complete. */
  const next = async (): Promise<Answer> => {
    for (;;) {
      const { answer, size } = parseResponse(received)
      received = received.subarray(size)
      if (answer) return answer
      await receive()
    }
  }
  return {
    socket,
    send: (text: string) => socket.write(text),
    /** Returns what the server has sent and `next` has not read. */
    text: () => received.toString(),
    /** Waits until the server has sent a text. */
    received: async (text: string) => {
      while (!received.includes(text)) await receive()
    },
    next,
    /** Waits until the server closes the connection, and reads all responses that it has sent. */
    rest: async (): Promise<Answer[]> => {
      await ended
      const responses: Answer[] = []
      while (received.length > 0) responses.push(await next())
      return responses
    },
  }
}

function fail(received: Buffer): never {
  throw new Error(`the server hung up after ${received.toString()}`)
}

/** Sends bytes, and reads the responses until the server closes the connection. */
export async function exchange(url: string, request: string): Promise<Answer[]> {
  const client = await connected(url)
  client.send(request)
  return client.rest()
}

/** Parses the first response, unless it is incomplete; a body keeps the sizes of its chunks. Errors: if it is none. */
function parseResponse(bytes: Buffer): { readonly answer?: Answer; readonly size: number } {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return { size: 0 }
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  if (Number.isNaN(status)) throw new Error(`not a response: ${bytes.toString('latin1')}`)
  const headers = Object.fromEntries(fields.map((field) => parseField(field)))
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const last = isChunked ? bytes.indexOf('0\r\n\r\n', end + 4) : 0
  const size = isChunked ? last + 5 : end + 4 + Number(headers['content-length'] ?? 0)
  if (last === -1 || bytes.length < size) return { size: 0 }
  return { answer: { status, headers, body: bytes.toString('utf8', end + 4, size) }, size }
}

function parseField(field: string): [name: string, value: string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}

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
