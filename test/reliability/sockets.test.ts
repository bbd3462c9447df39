import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { until } from '../entry-points/command.ts'
import { asker } from '../sandbox/control-support.ts'
import { expectBelow, formatMegabytes, formatMilliseconds, quantile } from './figures.ts'
import { head, notes } from './raw-http.ts'
import { forEach, serveProbed, serveWithClient } from './server.ts'

/** Opens a connection and sends a text, without waiting until it is received. */
async function openAndSend(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

it('serves others while many clients send incomplete requests, and disconnects those', async (context) => {
  const { url, call } = await serveWithClient()
  const halves = [
    'GET /v1/members/me HTTP/1.1\r\nHost: loc',
    head('POST', notes, 'Content-Type: application/json', 'Content-Length: 100') + '{',
    head('POST', notes, 'Content-Type: application/json', 'Transfer-Encoding: chunked') + 'ff\r\n{',
    '',
  ]
  const count = 200
  const slow = await Promise.all(
    Array.from({ length: count }, (_, index) => openAndSend(url, halves[index % halves.length] ?? '')),
  )
  const times: number[] = []
  await forEach(4_000, async () => {
    const begun = performance.now()
    await call('GET', '/v1/members/me')
    times.push(performance.now() - begun)
  })
  await expectBelow(context, 'p99 of others', quantile(times, 0.99), 250, formatMilliseconds)
  // Requests without a complete head get ten seconds.
  const headless = slow.filter((_, index) => [0, 3].includes(index % halves.length))
  for (const socket of headless) if (!socket.resume().closed) await once(socket, 'close')
})

/** Data that clients have sent before they disconnect. */
const halfway = [
  '',
  'GET /v1/members/me HTTP/1.1\r\nHost: loc',
  head('GET', '/v1/members/me'),
  head('GET', '/v1/organizations/harbor/customers?limit=250').repeat(20),
  head('POST', notes, 'Content-Type: application/json', 'Content-Length: 100') + '{"categoryId":1,',
  head('POST', notes, 'Content-Type: application/json', 'Transfer-Encoding: chunked') +
    'ffff\r\n{"categoryId":1,',
  head('POST', notes, 'Content-Type: application/json', 'Content-Length: 32') +
    '{"categoryId":1,"content":"Gone"}',
  head('GET', '/_sandbox/requests/stream'),
  head('GET', '/v1/organizations/harbor/products'),
  head('GET', '/v1/organizations/harbor/members'),
  'no HTTP at all\r\n\r\n',
]

it('keeps nothing of clients that disconnect in the middle of a request', async (context) => {
  context.skip(process.platform !== 'linux', 'only Linux shows the open files of a process')
  const { url, child, memory } = await serveProbed([])
  const ask = asker(url)
  const faults = [
    { operationId: 'listProducts', delayMs: 600_000 },
    { operationId: 'listMembers', malfunction: 'hang' },
  ]
  expect((await ask('/_sandbox/faults', { method: 'POST', body: JSON.stringify(faults) })).status).toBe(200)
  const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length
  const abort = async (count: number, left: number) => {
    for (let start = 0; start < count; start += halfway.length) {
      const sockets = await Promise.all(halfway.map((text) => openAndSend(url, text)))
      // Every other time, the server gets time to start on them.
      if (start % 2 === 0) await ask('/health')
      for (const socket of sockets) socket.resetAndDestroy()
    }
    await until(() => descriptors() <= left)
    expect((await ask('/_sandbox/requests', { method: 'DELETE' })).status).toBe(204)
    return memory()
  }
  await ask('/health')
  const left = descriptors()
  const before = await abort(440, left)
  const count = 2_200
  const grown = (await abort(count, left)).live - before.live
  await expectBelow(context, 'growth of live memory', grown, 8 * 1_048_576, formatMegabytes)
})
