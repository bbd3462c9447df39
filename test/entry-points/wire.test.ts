import { expect, it } from 'vitest'

import { endpoints } from '../../src/service/index.ts'
import { authorization, connected, exchange, expectWellFormed, head, notes } from '../reliability/raw-http.ts'
import { type Answer, expectRefusal, reads, serve } from '../sandbox/control-support.ts'
import { as, crawl, words } from '../support.ts'

const credentials = '/_sandbox/credentials'

/** Paths of the service and of the control plane, and an unknown one. */
const paths = words(`
  /v1/members/me /v1/organizations/harbor/customers?limit=1 /_sandbox/sessions/x/v1/members/me / /_sandbox
  ${credentials} /health /_sandbox/docs/ /openapi.json /nowhere
`)

/** Sends a request that has one answer. */
async function send(url: string, request: string): Promise<Answer> {
  const [answer, ...others] = await exchange(url, request)
  if (!answer || others.length > 0) throw new Error(`There were ${others.length} more answers than one.`)
  return answer
}

it('responds to HTTP/1.0 without a Host', async () => {
  const { url, sandbox } = await serve()
  sandbox.session({ id: 'x' })
  // The documentation may not be built.
  for (const path of paths.filter((one) => one !== '/nowhere' && one !== '/_sandbox/docs/')) {
    const request = `GET ${path} HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`
    const answer = await send(url, request)
    expect(answer.status, `for ${path}: ${answer.body}`).toBe(path === '/' ? 302 : 200)
  }
})

it('rejects two Hosts on every path, even equal ones', async () => {
  const { url, sandbox } = await serve()
  sandbox.session({ id: 'x' })
  for (const path of paths) {
    for (const second of ['localhost', 'evil.example', '']) {
      const answer = await send(url, head('GET', path, `Host: ${second}`, 'Connection: close'))
      const { errors } = expectRefusal(answer, 'invalid_request')
      expect(errors, `for ${path}`).toMatchObject([{ in: 'header', name: 'Host' }])
    }
  }
})

it('checks the host of an absolute request target, whatever the Host', async () => {
  const { ask } = await serve({ allowHost: ['sandbox.test'] })
  for (const host of ['localhost', 'sandbox.test']) {
    for (const foreign of ['evil.example', 'localhost.evil.example', 'localhost@evil.example', '[::2]:80']) {
      for (const path of [credentials, '/_sandbox', '/_sandbox/health', '/_sandbox/nowhere']) {
        const answer = await ask(`http://${foreign}${path}`, { headers: { host } })
        expect([400, 403], `${foreign}${path}: ${answer.body}`).toContain(answer.status)
      }
    }
    for (const own of ['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:4500', 'sandbox.test']) {
      const answer = await ask(`http://${own}${credentials}`, { headers: { host } })
      expect(answer.status, `for ${own}: ${answer.body}`).toBe(200)
    }
  }
})

it.each(['/v1/organizations/harbor/customers?city=Köln', '/v1/members/münchen', '/_sandbox/ü'])(
  'says that %s must be percent-encoded',
  async (path) => {
    const { url } = await serve()
    const { errors } = expectRefusal(await send(url, head('GET', path)), 'invalid_request')
    const message = 'must begin with a slash and be percent-encoded, as in /caf%C3%A9'
    expect(errors).toEqual([{ in: 'path', name: '', message }])
  },
)

const json = 'Content-Type: application/json'
const chunked = 'Transfer-Encoding: chunked'
const expecting = 'Expect: 100-continue'

it('says of a body in malformed chunks what is wrong with the body', async () => {
  const { url } = await serve()
  const answer = await send(url, `${head('POST', notes, json, chunked)}zz\r\n`)
  const message = 'must be in chunks, each after its size in hexadecimal, as RFC 9112 says'
  expect(expectRefusal(answer, 'invalid_request').errors).toEqual([{ in: 'body', name: '', message }])
})

it.for([
  [notes, 2_000_000],
  ['/_sandbox/reseed', 20_000_000],
] as const)('refuses a body for %s that is announced as too long before it is sent', async ([path, size]) => {
  const { url } = await serve()
  const answer = await send(url, head('POST', path, json, `Content-Length: ${size}`, expecting))
  expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
})

/** Requests whose bodies nobody needs, and the statuses of their answers. */
const unread = [
  [413, notes, json],
  [401, notes, json, 'Authorization: Bearer nobody'],
  [404, '/v1/nowhere', json],
  [405, '/v1/members/me', json],
  [404, '/nowhere', json],
  [404, '/_sandbox/nowhere', json],
] as const

it.for(unread)(
  'answers %i to 3 MB for %s, and the next request on the connection',
  async ([status, path, ...fields]) => {
    const { url } = await serve()
    const length = 'Content-Length: 3000000'
    const next = head('GET', '/v1/members/me', 'Connection: close')
    const [first, second] = await exchange(
      url,
      head('POST', path, length, ...fields) + 'x'.repeat(3_000_000) + next,
    )
    expect(first?.status).toBe(status)
    // A slow machine may close the connection, and says so.
    expect(first?.headers.connection === 'close' ? undefined : 200).toBe(second?.status)
  },
)

it.for([
  ['20 MB', 'Content-Length: 20000000', 'x'.repeat(20_000_000)],
  ['3 MB in a chunk', chunked, `2dc6c0\r\n${'x'.repeat(3_000_000)}\r\n0\r\n\r\n`],
])(
  'keeps the answer for a client that sends all of %s before it reads',
  async ([, length = '', body = '']) => {
    const { url } = await serve()
    const client = await connected(url)
    client.socket.pause()
    await new Promise((sent) => client.socket.write(head('POST', notes, json, length) + body, sent))
    client.socket.resume()
    expect((await client.next()).status).toBe(413)
  },
)

it('sends 100 Continue only if it reads the body', async () => {
  const { url } = await serve()
  const length = 'Content-Length: 100'
  const missing = await send(url, head('POST', '/v1/nowhere', json, length, expecting))
  expect(missing.status).toBe(404)
  const client = await connected(url)
  const body = JSON.stringify({ categoryId: 1, content: 'Called' })
  client.send(head('POST', notes, json, `Content-Length: ${body.length}`, expecting))
  expect((await client.next()).status).toBe(100)
  client.send(body)
  expect((await client.next()).status).toBe(200)
  client.send(head('GET', '/v1/members/me', 'Connection: close'))
  expect(await client.rest()).toMatchObject([{ status: 200 }])
})

it('announces the same length with HEAD as with GET, for every operation and every error', async () => {
  const { ask, sandbox } = await serve()
  const visits = await crawl(as(sandbox, 'mara'))
  const visited = new Map(visits.map(({ operationId, path }) => [operationId, `/v1${path}`]))
  expect([...visited.keys()].toSorted()).toEqual(
    endpoints.flatMap(({ id, method }) => (method === 'GET' ? [id] : [])).toSorted(),
  )
  const refused = ['/v1/nowhere', '/v1/organizations/quill/members', '/v1/organizations/harbor/customers/x']
  const shared = ['/v1/organizations/harbor/customers?limit=1&x=1', ...visited.values(), ...refused]
  const sent = [
    ...shared.map((path) => [path, { authorization }] as const),
    ...shared.slice(0, 1).map((path) => [path, {}] as const),
    ...reads.map((path) => [path, {}] as const),
    ['/_sandbox/data/customers/999', {}] as const,
    ['/_sandbox/health', { host: 'evil.example' }] as const,
  ]
  for (const [path, headers] of sent) {
    const get = await ask(path, { headers })
    const announced = await ask(path, { method: 'HEAD', headers })
    expectWellFormed(announced, `HEAD ${path}`)
    expect(announced.status, `for ${path}`).toBe(get.status)
    const length = get.status === 302 ? undefined : `${Buffer.byteLength(get.body)}`
    expect(announced.headers['content-length'], `for ${path}`).toBe(length)
  }
})
