import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { asker } from '../sandbox/control-support.ts'
import { words } from '../support.ts'
import { chooseAmount, expectBelow, formatMegabytes } from './figures.ts'
import { connected, expectWellFormed } from './raw-http.ts'
import { serveProbed } from './server.ts'

const often = <T>(usual: T, others: readonly T[]) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const noise = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

const method = often('GET', [
  ...words('POST get OPTIONS CONNECT TRACE PRI M-SEARCH G\0T'),
  'G ET',
  '',
  'A'.repeat(9_000),
])

const target = often('/v1/members/me', [
  ...words(`
    * / // /% /v1/%zz /v1/%ff%00 /v1/\0 /v1/\xfc /_sandbox/%2e%2e/credentials http:// http://[ ? /?%
    http://a:99999/ https://x/v1 v1/members /v1/members/me#x /health /openapi.json /v1/members/me/..
  `),
  '',
  '/v1/\tx',
  `/v1/${'x'.repeat(15_000)}`,
  `/${'x'.repeat(70_000)}`,
  '/v1?'.repeat(3_000),
])

const version = often('HTTP/1.1', words('HTTP/1.0 HTTP/0.9 HTTP/2.0 HTTP/9.9 http/1.1 HTTP/1.1\0 HTTP/'))

const field = fc.constantFrom(
  ...`Host:|Host|Host: a b|Host: [|Host: localhost:99999|Host: x@y|Host: localhost
    Content-Length: 5|Content-Length: -1|Content-Length: 1e3|Content-Length: 99999999999999999999
    Transfer-Encoding: chunked|Transfer-Encoding: gzip|Transfer-Encoding: chunked, x|Expect: nothing
    Upgrade: websocket|Upgrade: h2c|Connection: Upgrade|Connection: close|Connection: \x01
    Authorization: Bearer \xff|Authorization:|Origin: null|Sandbox-Session: \x7f|Sandbox-Session: default
    Content-Type: \xff|Content-Type: application/json|Last-Event-ID: x|Prefer: x|Range: bytes=0-|Cookie: a
    : empty|X Y: 1|X:\0|X|X: y`.split(/[|\n] */),
  ' folded',
  `X: ${'x'.repeat(20_000)}`,
  'X: y\r\n'.repeat(3_000).trim(),
)
const usual = ['Host: localhost', 'Authorization: Bearer sbx_harbor_1']
const fields = fc.array(field, { maxLength: 2, size: 'max' }).map((others) => [...usual, ...others])

const body = often('', [
  'hello',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\n',
  'ffffffffffffffffff\r\n',
  '-1\r\n',
  '\0'.repeat(99),
  'GET /v1/members/me HTTP/1.1\r\nHost: localhost\r\n\r\n',
])

const almost = fc
  .tuple(method, target, version, fields, often('\r\n', ['\n', '\r']), body)
  .map(([verb, path, number, some, end, rest]) => [`${verb} ${path} ${number}`, ...some, '', rest].join(end))
const other = fc.constantFrom(
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  '\r\n\r\n\r\n',
  'HTTP/1.1 200 OK\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: localhost\r\n'.repeat(2),
)
const sent = fc.oneof(
  { weight: 8, arbitrary: almost },
  { weight: 1, arbitrary: noise },
  { weight: 1, arbitrary: other },
)

/** Sends bytes and ends the stream; returns all responses of the server. */
async function exchange(url: string, text: string) {
  const { socket, rest } = await connected(url)
  socket.end(text, 'latin1')
  return rest()
}

it('rejects malformed requests without failing or growing', async (context) => {
  const { url, child, memory } = await serveProbed([])
  const ask = asker(url)
  const count = chooseAmount(600, 1_000)
  const requests = fc.sample(sent, { seed: 42, numRuns: count })
  const statuses = new Set<number>()
  const play = async () => {
    for (let start = 0; start < requests.length; start += 25) {
      const some = requests.slice(start, start + 25)
      const answered = await Promise.all(some.map((text) => exchange(url, text)))
      for (const [index, answers] of answered.entries()) {
        for (const answer of answers) {
          expectWellFormed(answer, JSON.stringify(some[index]?.slice(0, 300)))
          statuses.add(answer.status)
        }
      }
    }
    await ask('/_sandbox/requests', { method: 'DELETE' })
    return memory()
  }
  const before = await play()
  const after = await play()
  expect(child.exitCode).toBeNull()
  expect((await ask('/health')).status).toBe(200)
  expect([...statuses]).toEqual(expect.arrayContaining([200, 302, 400, 401, 404, 405]))
  const grown = after.live - before.live
  await expectBelow(context, 'growth of live memory', grown, 10 * 1_048_576, formatMegabytes)
})
