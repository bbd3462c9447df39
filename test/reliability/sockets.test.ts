import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'

import { expect, it, onTestFinished } from 'vitest'

import { until } from '../doors/command.ts'
import { asker } from '../sandbox/control-support.ts'
import { amount, isLong, megabytes, milliseconds, quantile, tell } from './figures.ts'
import { authorization, head, notes } from './heads.ts'
import { serveProbed } from './server.ts'

/** A connection on which this has been sent, as far as it is taken at once. */
async function sending(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

/** How long each of so many requests takes, eight at a time. Units: milliseconds. */
async function timesOf(url: string, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const ask = asker(url, agent)
  const times: number[] = []
  const client = async () => {
    while (times.length < count) {
      const begun = performance.now()
      expect((await ask('/v1/members/me', { headers: { authorization } })).status).toBe(200)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
  agent.destroy()
  return times
}

it(
  'serves others while many clients send half of something, and hangs up on them',
  { timeout: 60_000 },
  async (context) => {
    const { url } = await serveProbed([])
    const halves = [
      'GET /v1/members/me HTTP/1.1\r\nHost: loc',
      head('POST', notes, 'Content-Type: application/json', 'Content-Length: 100') + '{',
      head('POST', notes, 'Content-Type: application/json', 'Transfer-Encoding: chunked') + 'ff\r\n{',
      '',
    ]
    const count = amount(80, 200)
    const slow = await Promise.all(
      Array.from({ length: count }, (_, index) => sending(url, halves[index % halves.length] ?? '')),
    )
    const times = await timesOf(url, amount(500, 4_000))
    const p99 = quantile(times, 0.99)
    tell(context, 'slowloris', `200 half-open sockets: p99 < 250 ms`, `${count}: ${milliseconds(p99)}`)
    if (!isLong) return
    expect(p99).toBeLessThan(250)
    // Those without a whole head have ten seconds.
    const headless = slow.filter((_, index) => [0, 3].includes(index % halves.length))
    for (const socket of headless) if (!socket.resume().closed) await once(socket, 'close')
  },
)

/** What clients are in the middle of when they go away. */
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

it('has nothing left of clients that went away in the middle', { timeout: 60_000 }, async (context) => {
  context.skip(process.platform !== 'linux', 'only Linux tells of a process what it has open')
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
      const sockets = await Promise.all(halfway.map((text) => sending(url, text)))
      // The server is given the time to begin with it, every other time.
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
  const count = amount(440, 2_200)
  const grown = (await abort(count, left)).live - before.live
  tell(context, 'aborts', '2,200 aborts: 0 descriptors and < 8 MB left', `${count}: 0, ${megabytes(grown)}`)
  expect(grown).toBeLessThan(8 * 1_048_576)
})
