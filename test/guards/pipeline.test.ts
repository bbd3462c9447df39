import { once } from 'node:events'
import { createServer } from 'node:http'

import { Hono } from 'hono'
import { setupServer } from 'msw/node'
import { createServer as createViteServer } from 'vite'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'

import type * as app from '../../src/http/app.ts'
import type { Env } from '../../src/http/env.ts'
import { sandboxHandlers } from '../../src/msw.ts'
import { startSandbox } from '../../src/node.ts'
import { endpoints } from '../../src/service/index.ts'
import type { SandboxState } from '../../src/sessions/sandbox-state.ts'
import { workspaceSandbox } from '../../src/vite.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox, tokens } from '../support.ts'

const served: string[] = []

vi.mock('../../src/http/app.ts', async (original) => {
  const { createApp } = await original<typeof app>()
  return {
    createApp(...args: Parameters<typeof createApp>) {
      const created = createApp(...args)
      const { fetch } = created
      created.fetch = (request, ...rest) => {
        served.push(`${request.method} ${new URL(request.url).pathname}`)
        return fetch(request, ...rest)
      }
      return created
    },
  }
})

beforeEach(() => {
  served.length = 0
})

/** One request for each operation, whether or not its record exists, and some that no operation answers. */
const requests = [
  ...endpoints.map(({ method, path }) => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'organizationId' ? 'harbor' : '1'))
    return { method, path: `/v1${address}` }
  }),
  { method: 'HEAD', path: '/v1/members/me' },
  { method: 'OPTIONS', path: '/v1/members/me' },
  { method: 'DELETE', path: '/v1/members/me' },
  { method: 'GET', path: '/v1/organizations/other/customers' },
  { method: 'GET', path: '/v1/nothing' },
]

/** Sends each request twice, since the second response may come from a cache; expects the app to have served it. */
async function expectServedByApp(send: (request: Request) => Promise<Response>, origin: string) {
  const headers = { authorization: `Bearer ${tokens.mara}`, 'content-type': 'application/json' }
  for (const { method, path } of [...requests, ...requests]) {
    const body = method === 'POST' ? JSON.stringify({ categoryId: 1, content: 'Called them' }) : null
    const response = await send(new Request(`${origin}${path}`, { method, headers, body }))
    await response.arrayBuffer()
    expect(served, `${method} ${path}: ${response.status}`).toEqual([`${method} ${path}`])
    served.length = 0
  }
}

it('mounts each operation as a route of the Hono app', async () => {
  const { createApp } = await vi.importActual<typeof app>('../../src/http/app.ts')
  const { routes } = createApp({} as SandboxState, new Hono<Env>())
  const mounted = new Set(
    routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => `${method} ${path}`),
  )
  const described = endpoints.map(
    ({ method, path }) => `${method} /v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  expect([...mounted].toSorted()).toEqual(described.toSorted())
  expect(mounted.size).toBe(endpoints.length)
})

it('serves every request of an embedded sandbox and of its sessions through the app', async () => {
  const sandbox = await openSandbox()
  await expectServedByApp((request) => sandbox.fetch(request), 'http://sandbox')
  const session = sandbox.session()
  await expectServedByApp((request) => session.fetch(request), 'http://sandbox')
})

it('serves every request to a server through the app', async () => {
  const { url, close } = await startSandbox({ size: 'small', port: 0 })
  onTestFinished(close)
  await expectServedByApp(fetch, url)
})

it('serves every request to a Vite server through the app', async () => {
  const host = createServer()
  const vite = await createViteServer({
    configFile: false,
    logLevel: 'silent',
    root: temporaryFolder(),
    plugins: [workspaceSandbox({ size: 'small' })],
    server: { middlewareMode: { server: host }, ws: false },
  })
  onTestFinished(() => vite.close())
  host.on('request', vite.middlewares).listen(0, '127.0.0.1')
  onTestFinished(() => void host.close())
  await once(host, 'listening')
  const address = host.address()
  await expectServedByApp(fetch, `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})

it('serves every request that MSW intercepts through the app', async () => {
  const server = setupServer(
    ...sandboxHandlers(await openSandbox(), { baseUrl: 'https://api.example.com/v1' }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  await expectServedByApp(fetch, 'https://api.example.com')
})
