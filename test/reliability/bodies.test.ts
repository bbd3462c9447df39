import { setImmediate as turn } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { asker } from '../sandbox/control-support.ts'
import { expectBelow, formatMegabytes, formatMilliseconds } from './figures.ts'
import { authorization, connected, expectWellFormed, head, notes } from './raw-http.ts'
import { serveProbed } from './server.ts'

const types = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;;;',
  'application/merge-patch+json',
  'text/plain',
  'multipart/form-data; boundary=x',
  '\xff',
  null,
]
const bodies = [
  '',
  '{',
  'null',
  '\0'.repeat(1_000),
  '{"categoryId":1,"content":"x"} x',
  `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
  `{"categoryId":1,"content":"x","__proto__":{"x":1},"constructor":1,${'"y":'.repeat(9)}1}`,
  '{"categoryId":1e999,"content":"\\ud800"}',
  `{"categoryId":1,"content":"${'x'.repeat(900_000)}"}`,
]

/** A path of the service, and one of the control plane. */
const paths = [notes, '/_sandbox/faults']

it('rejects every invalid body, of any content type, and keeps running', async () => {
  const { url, child } = await serveProbed([])
  const ask = asker(url)
  for (const type of types) {
    for (const body of bodies) {
      for (const path of paths) {
        const headers = { authorization, 'content-type': type }
        const answer = await ask(path, { method: 'POST', headers, body })
        expectWellFormed(answer, `${path} ${type} ${body.slice(0, 50)}`)
        expect([400, 413, 415], `${path} ${type} ${body.slice(0, 50)}`).toContain(answer.status)
      }
    }
  }
  expect(child.exitCode).toBeNull()
  expect((await ask('/health')).status).toBe(200)
})

it('accepts a body of 1 MiB, and rejects one byte more', async () => {
  const { url } = await serveProbed([])
  const headers = { authorization, 'content-type': 'application/json' }
  const note = JSON.stringify({ categoryId: 1, content: 'A note' })
  const sendNote = (size: number) =>
    asker(url)(notes, {
      method: 'POST',
      headers: { ...headers, 'content-length': `${size}` },
      body: note.padEnd(size),
    })
  const [most, more] = [await sendNote(1_048_576), await sendNote(1_048_577)]
  expect([most.status, more.status]).toEqual([200, 413])
  expectWellFormed(more, 'one byte more')
})

it.for(paths)('rejects 10 GB for %s by the Content-Length, before the body', async (path, context) => {
  const { url } = await serveProbed([])
  const client = await connected(url)
  const begun = performance.now()
  client.send(head('POST', path, 'Content-Type: application/json', 'Content-Length: 10737418240'))
  expect((await client.next()).status).toBe(413)
  await expectBelow(context, 'time', performance.now() - begun, 100, formatMilliseconds)
})

/** Sends an endless chunked body; returns how much the server read before it closed the connection, and its response. */
async function sendEndlessBody(url: string, start: string) {
  const { socket, send, next } = await connected(url)
  send(start)
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')])
  while (!socket.closed && socket.bytesWritten < 200 * 1_048_576) {
    if (socket.writableLength < 262_144 && socket.writable) socket.write(chunk)
    // Let the response arrive before the connection closes.
    await turn()
  }
  const taken = socket.bytesWritten - socket.writableLength
  socket.destroy()
  return { taken, response: await next() }
}

/** Requests with an endless body: the limit in MiB, and the expected statuses. */
const endings = [
  [
    'the service',
    8,
    [
      ['POST', notes, 413],
      ['POST', '/v1/nowhere', 404],
      ['GET', '/v1/members/me', 200],
    ],
  ],
  // Reseeding accepts fixtures of up to 16 MiB.
  [
    'the control plane',
    24,
    [
      ['POST', '/_sandbox/reseed', 413],
      ['PUT', '/_sandbox/data/customers/1', 413],
      ['DELETE', '/_sandbox/requests', 204],
    ],
  ],
] as const

it.for(endings)('cuts off an endless body that is sent to %s', async ([, most, requests], context) => {
  const { url, memory } = await serveProbed([])
  for (const [method, path, status] of requests) {
    const before = await memory()
    const type = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    const { taken, response } = await sendEndlessBody(url, head(method, path, ...type))
    expect(response.status, `for ${path}`).toBe(status)
    await expectBelow(context, `body for ${path}`, taken, most * 1_048_576, formatMegabytes)
    const grown = (await memory()).live - before.live
    await expectBelow(context, `memory for ${path}`, grown, 4 * 1_048_576, formatMegabytes)
  }
})
