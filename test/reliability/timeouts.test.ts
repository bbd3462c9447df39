import type * as http from 'node:http'

import { expect, it, vi } from 'vitest'

import { expectRefusal, serve } from '../sandbox/control-support.ts'
import { exchange, head, notes } from './raw-http.ts'

/** Timeouts short enough for a test. Units: milliseconds. */
const timeouts = {
  headersTimeout: 200,
  requestTimeout: 400,
  connectionsCheckingInterval: 50,
  keepAliveTimeout: 200,
}

vi.mock('node:http', async (original) => {
  const real = await original<typeof http>()
  const createServer = (options: http.ServerOptions, listener: http.RequestListener): http.Server =>
    real.createServer({ ...options, ...timeouts }, listener)
  return { ...real, createServer }
})

/** A busy machine may be slower than these timeouts once. */
const timed = { retry: 3 }

it('closes a connection that sends nothing, without a response', timed, async () => {
  const { url } = await serve()
  expect(await exchange(url, '')).toEqual([])
})

it('closes a connection that sends no second request, without another response', timed, async () => {
  const { url } = await serve()
  expect(await exchange(url, head('GET', '/v1/members/me'))).toMatchObject([{ status: 200 }])
})

/** Requests that stop halfway. */
const halves = {
  'a request line': 'GET /v1/mem',
  'a head': 'GET /v1/members/me HTTP/1.1\r\nHost: loc',
  'a body': `${head('POST', notes, 'Content-Type: application/json', 'Content-Length: 100')}{`,
  'a chunk': `${head('POST', notes, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}ff\r\n{`,
}

it.for(Object.entries(halves))(
  'returns 408 to a client that stops in the middle of %s',
  timed,
  async ([, half]) => {
    const { url } = await serve()
    const [answer, ...more] = await exchange(url, half)
    if (!answer) throw new Error('the server closed the connection without a response')
    expect(more).toEqual([])
    expectRefusal(answer, 'request_timeout')
    expect(answer.headers.connection).toBe('close')
  },
)

it('returns 408 to a client that stops in the middle of its second request', timed, async () => {
  const { url } = await serve()
  const responses = await exchange(url, head('GET', '/v1/members/me') + halves['a head'])
  expect(responses.map(({ status }) => status)).toEqual([200, 408])
})

it('sends no second response to a client that stops after an early one', timed, async () => {
  const { url } = await serve()
  const responses = await exchange(url, head('POST', '/v1/nowhere', 'Content-Length: 100') + '{')
  expect(responses.map(({ status }) => status)).toEqual([404])
})
