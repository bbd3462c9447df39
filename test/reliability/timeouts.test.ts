import type * as http from 'node:http'

import { expect, it, vi } from 'vitest'

import { connected } from '../doors/raw-http.ts'
import { expectRefusal, serve } from '../sandbox/control-support.ts'
import { answersIn } from './answers.ts'
import { head, notes } from './heads.ts'

/** Waits as short as a test wants them. Units: milliseconds. */
const waits = {
  headersTimeout: 200,
  requestTimeout: 400,
  connectionsCheckingInterval: 50,
  keepAliveTimeout: 200,
}

vi.mock('node:http', async (original) => {
  const real = await original<typeof http>()
  const createServer = (options: http.ServerOptions, listener: http.RequestListener): http.Server =>
    real.createServer({ ...options, ...waits }, listener)
  return { ...real, createServer }
})

it('closes a connection that has sent nothing without a word', async () => {
  const { url } = await serve()
  const client = await connected(url)
  await client.ended
  expect(client.text()).toBe('')
})

it('closes a connection that sends no second request without a word', async () => {
  const { url } = await serve()
  const client = await connected(url)
  client.send(head('GET', '/v1/members/me'))
  await client.ended
  expect(answersIn(Buffer.from(client.text())).map(({ status }) => status)).toEqual([200])
})

/** Requests that stop halfway. */
const halves = {
  'a request line': 'GET /v1/mem',
  'a head': 'GET /v1/members/me HTTP/1.1\r\nHost: loc',
  'a body': `${head('POST', notes, 'Content-Type: application/json', 'Content-Length: 100')}{`,
  'a chunk': `${head('POST', notes, 'Content-Type: application/json', 'Transfer-Encoding: chunked')}ff\r\n{`,
}

it.for(Object.entries(halves))(
  'tells a client that stops amid %s that it took too long',
  async ([, half]) => {
    const { url } = await serve()
    const client = await connected(url)
    client.send(half)
    await client.ended
    const [answer, ...more] = answersIn(Buffer.from(client.text()))
    if (!answer) throw new Error('the server hung up without an answer')
    expect(more).toEqual([])
    expectRefusal(answer, 'request_timeout')
    expect(answer.headers.connection).toBe('close')
  },
)

it('tells a client that stops amid its second request, too', async () => {
  const { url } = await serve()
  const client = await connected(url)
  client.send(head('GET', '/v1/members/me') + halves['a head'])
  await client.ended
  expect(answersIn(Buffer.from(client.text())).map(({ status }) => status)).toEqual([200, 408])
})

it('adds nothing to an answer that a client has, though it stops amid its request', async () => {
  const { url } = await serve()
  const client = await connected(url)
  client.send(head('POST', '/v1/nowhere', 'Content-Length: 100') + '{')
  await client.ended
  expect(answersIn(Buffer.from(client.text())).map(({ status }) => status)).toEqual([404])
})
