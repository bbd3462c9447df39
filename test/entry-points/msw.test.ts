import { once } from 'node:events'
import https from 'node:https'
import { text } from 'node:stream/consumers'

import { type SetupServer, setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'

import type { Sandbox, FaultInput } from '../../src/index.ts'
import { sandboxHandlers } from '../../src/msw.ts'
import { openSandbox, createJsonPost, tokens } from '../support.ts'

const baseUrl = 'https://api.example.com/v1'
const mara = { authorization: `Bearer ${tokens.mara}` }
const me = { path: '/members/me', init: { headers: mara } }

/** Mocks a base URL during the test. */
function intercepting(sandbox: Pick<Sandbox, 'fetch'>, base = baseUrl): SetupServer {
  const server = setupServer(...sandboxHandlers(sandbox, { baseUrl: base }))
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  return server
}

/** Opens a sandbox with a fault. */
async function faulted(fault: FaultInput): Promise<Sandbox> {
  const sandbox = await openSandbox()
  await sandbox.fetch(new Request('http://sandbox/_sandbox/faults', createJsonPost(fault)))
  return sandbox
}

it('responds to fetch at any base URL', async () => {
  const sandbox = await openSandbox()
  for (const base of [
    'https://api.example.com/v1',
    'https://api.example.com/v1/',
    'http://127.0.0.1:9/rest/(v1)',
    'https://API.example.com:443/a.b',
  ]) {
    const server = intercepting(sandbox, base)
    const address = `${base.replace(/\/$/, '')}/organizations/harbor/customers?limit=1&segment=a%26b`
    const answer = await fetch(address, { headers: mara })
    expect(await answer.json()).toEqual({ items: [], totalCount: 0 })
    server.close()
  }
})

it('responds to node:https', async () => {
  intercepting(await openSandbox())
  const request = https.request(`${baseUrl}/members/me`, { headers: mara }).end()
  const [answer] = await once(request, 'response')
  expect(answer.statusCode).toBe(200)
  expect(JSON.parse(await text(answer))).toMatchObject({ id: 1 })
})

it('does not handle requests outside the base URL', async () => {
  intercepting(await openSandbox())
  for (const address of ['https://api.example.com/v11/members/me', 'https://api.example.com.evil.test/v1/']) {
    await expect(fetch(address)).rejects.toThrow('onUnhandledRequest')
  }
})

it.each([{ reset: true }, { malfunction: 'empty' }] as const)(
  'is a network error where a fault breaks the connection: %o',
  async (breakage) => {
    intercepting(await faulted({ operationId: 'getCurrentMember', ...breakage, times: 2 }))
    await expect(fetch(`${baseUrl}${me.path}`, me.init)).rejects.toThrow('Failed to fetch')
    const request = https.request(`${baseUrl}${me.path}`, me.init).end()
    await expect(once(request, 'response')).rejects.toThrow('Network error')
    expect((await fetch(`${baseUrl}${me.path}`, me.init)).status).toBe(200)
  },
)

it('breaks off a body if a fault does', async () => {
  intercepting(await faulted({ operationId: 'getCurrentMember', malfunction: 'truncate', times: 1 }))
  const answer = await fetch(`${baseUrl}${me.path}`, me.init)
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow('terminated')
})

it('allows a client to abort a request that a fault hangs', async () => {
  intercepting(await faulted({ operationId: 'getCurrentMember', malfunction: 'hang' }))
  const signal = AbortSignal.timeout(50)
  await expect(fetch(`${baseUrl}${me.path}`, { ...me.init, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

it.each(['/v1', 'localhost:4500/v1'])('rejects the invalid base URL %s', async (invalid) => {
  const sandbox = await openSandbox()
  expect(() => sandboxHandlers(sandbox, { baseUrl: invalid })).toThrow(
    `Invalid baseUrl ${invalid}: it must be an absolute URL like https://api.example.com/v1.`,
  )
})

it('refuses a sandbox that is not awaited, instead of breaking off every request', () => {
  // @ts-expect-error -- code without types can forget to await it
  expect(() => sandboxHandlers(openSandbox(), { baseUrl })).toThrow('Await createSandbox')
})
