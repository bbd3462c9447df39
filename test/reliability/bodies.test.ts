import { setImmediate as turn } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { asker } from '../sandbox/control-support.ts'
import { expectBelow, formatMegabytes, formatMilliseconds } from './figures.ts'
import { authorization, connected, expectWellFormed, head, notes } from './raw-http.ts'
import { serveProbed } from './server.ts'

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

it.for([notes, '/_sandbox/faults'])(
  'rejects 10 GB for %s by the Content-Length, before the body',
  async (path, context) => {
    const { url } = await serveProbed([])
    const client = await connected(url)
    const begun = performance.now()
    client.send(head('POST', path, 'Content-Type: application/json', 'Content-Length: 10737418240'))
    expect((await client.next()).status).toBe(413)
    await expectBelow(context, 'time', performance.now() - begun, 100, formatMilliseconds)
  },
)

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
