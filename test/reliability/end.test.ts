import { expect, it } from 'vitest'

import { exitCode, serve } from '../doors/command.ts'
import { connected } from '../doors/raw-http.ts'
import { milliseconds, tell } from './figures.ts'

type Client = Awaited<ReturnType<typeof connected>>

const head = (method: string, path: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sbx_harbor_1\r\n`
const notes = '/v1/organizations/harbor/customers/1/notes'

/** What clients leave open, each in its own way. */
const openings: Readonly<Record<string, (client: Client, url: string) => Promise<unknown>>> = {
  'an idle connection': async (client) => {
    client.send(`${head('GET', '/v1/members/me')}\r\n`)
    await client.received('200 OK')
  },
  'half a head': async (client) => client.send('GET /v1/members/me HTTP/1.1\r\nHost: loc'),
  'half a body': async (client) => {
    const type = 'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n'
    client.send(`${head('POST', notes)}${type}`)
    await client.received('100 Continue')
    client.send('{"categoryId":1,')
  },
  'half a chunk': async (client) => {
    const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{'
    client.send(`${head('POST', notes)}${type}`)
  },
  'a stream of events': async (client) => {
    client.send(`${head('GET', '/_sandbox/requests/stream')}\r\n`)
    await client.received('retry: 1000')
  },
  'a fault that hangs': async (client, url) => {
    const body = JSON.stringify({ operationId: 'listMembers', malfunction: 'hang' })
    expect((await fetch(`${url}/_sandbox/faults`, { method: 'POST', body })).status).toBe(200)
    client.send(`${head('GET', '/v1/organizations/harbor/members')}\r\n`)
  },
  'a fault that waits': async (client, url) => {
    const body = JSON.stringify({ operationId: 'listProducts', delayMs: 600_000 })
    expect((await fetch(`${url}/_sandbox/faults`, { method: 'POST', body })).status).toBe(200)
    client.send(`${head('GET', '/v1/organizations/harbor/products')}\r\n`)
  },
  'answers that nobody reads': async (client) => {
    client.pause()
    for (let count = 0; count < 200; count += 1)
      client.send(`${head('GET', '/v1/organizations/harbor/customers')}\r\n`)
  },
}

/** Ends a server with all of these open; gives how long that took. Units: milliseconds. */
async function endWith(opened: readonly (keyof typeof openings)[]): Promise<number> {
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

it('ends with exit code 0 within 5 seconds, whatever is open', async (context) => {
  const taken = await endWith([...idle, ...Object.keys(openings)])
  tell(context, 'end', 'exit 0 within 5 s, whatever is open', milliseconds(taken))
  expect(taken).toBeLessThan(5_000)
})

it('waits for nobody who is idle, listens to events or is held up by a fault', async (context) => {
  const taken = await endWith([...idle, 'a stream of events', 'a fault that hangs', 'a fault that waits'])
  tell(context, 'end', '< 1 s when idle (goal)', milliseconds(taken))
  // What is half open has three seconds.
  expect(taken).toBeLessThan(2_500)
})
