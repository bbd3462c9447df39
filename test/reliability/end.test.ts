import { expect, it } from 'vitest'

import { exitCode, serve } from '../entry-points/command.ts'
import { expectBelow, formatMilliseconds } from './figures.ts'
import { connected, head, notes, postHead } from './raw-http.ts'

type Client = Awaited<ReturnType<typeof connected>>

/** Ways in which a client can leave a connection open. */
const openings: Readonly<Record<string, (client: Client, url: string) => Promise<unknown>>> = {
  'an idle connection': async (client) => {
    client.send(head('GET', '/v1/members/me'))
    await client.received('200 OK')
  },
  'half a head': async (client) => client.send('GET /v1/members/me HTTP/1.1\r\nHost: loc'),
  'half a body': async (client) => {
    client.send(postHead('x'.repeat(100)))
    await client.received('100 Continue')
    client.send('{"categoryId":1,')
  },
  'half a chunk': async (client) => {
    const fields = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
    client.send(`${head('POST', notes, ...fields)}ff\r\n{`)
  },
  'a stream of events': async (client) => {
    client.send(head('GET', '/_sandbox/requests/stream'))
    await client.received('retry: 1000')
  },
  'a fault that hangs': async (client, url) => {
    const body = JSON.stringify({ operationId: 'listMembers', malfunction: 'hang' })
    expect((await fetch(`${url}/_sandbox/faults`, { method: 'POST', body })).status).toBe(200)
    client.send(head('GET', '/v1/organizations/harbor/members'))
  },
  'a delayed response': async (client, url) => {
    const body = JSON.stringify({ operationId: 'listProducts', delayMs: 600_000 })
    expect((await fetch(`${url}/_sandbox/faults`, { method: 'POST', body })).status).toBe(200)
    client.send(head('GET', '/v1/organizations/harbor/products'))
  },
  'unread responses': async (client) => {
    client.socket.pause()
    for (let count = 0; count < 200; count += 1)
      client.send(head('GET', '/v1/organizations/harbor/customers'))
  },
}

/** Stops a server with these connections open; returns how long it took. Units: milliseconds. */
async function stopWith(opened: readonly (keyof typeof openings)[]): Promise<number> {
  const { url, child, stderr } = await serve(['--memory'])
  for (const name of opened) {
    const client = await connected(url)
    await openings[name]?.(client, url)
  }
  const begun = performance.now()
  child.kill('SIGTERM')
  expect(await exitCode(child)).toBe(0)
  const taken = performance.now() - begun
  expect(await stderr).toBe('')
  return taken
}

const idle = Array.from({ length: 20 }, () => 'an idle connection')

/** For tests of real time, since a busy machine may take longer once. */
const timed = { retry: 3 }

it('exits with code 0 within 5 seconds, whatever connections are open', timed, async (context) => {
  const taken = await stopWith([...idle, ...Object.keys(openings)])
  await expectBelow(context, 'time', taken, 5_000, formatMilliseconds)
})

it('does not wait for idle connections, event streams or faults', timed, async (context) => {
  const taken = await stopWith([...idle, 'a stream of events', 'a fault that hangs', 'a delayed response'])
  // Half-open requests get three seconds.
  await expectBelow(context, 'time', taken, 2_500, formatMilliseconds)
})
