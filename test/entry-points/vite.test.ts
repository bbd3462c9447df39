import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { join } from 'node:path'

import { type InlineConfig, preview } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

import { workspaceSandbox, type SandboxOptions } from '../../src/vite.ts'
import { type Ask, asker, expectRefusal } from '../sandbox/control-support.ts'
import { expectProblem } from '../support.ts'
import { addressOf, mara, page, quiet, served } from './vite-support.ts'

async function opened(options?: SandboxOptions, config?: InlineConfig): Promise<string> {
  return addressOf(await served(options, config))
}

it('serves the service, the control plane, the OpenAPI document and the console from the dev server', async () => {
  const url = await opened()
  const me = await fetch(`${url}/v1/members/me`, { headers: mara })
  expect(await me.json()).toMatchObject({ id: 1, organizationId: 'harbor' })
  await expectProblem(await fetch(`${url}/v1/customer`, { headers: mara }), 'not_found')
  const health = await fetch(`${url}/_sandbox/health`)
  expect(await health.json()).toMatchObject({ status: 'ok', seed: 42, size: 25 })
  expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' })
  const html = await (await fetch(`${url}/_sandbox`)).text()
  const loaded = Array.from(html.matchAll(/"(\/_sandbox\/assets\/[^"]+)"/g), ([, path = '']) => path)
  expect(loaded).toHaveLength(2)
  for (const path of loaded) {
    const { status, headers } = await fetch(`${url}${path}`)
    expect(status, `for ${path}`).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/(?:javascript|css)/)
  }
})

it('leaves every other path to the application, but no preflight', async () => {
  const url = await opened()
  const html = { accept: 'text/html' }
  const others = ['/docs', '/docs/', '/docs/intro', '/health', '/llms.txt']
  for (const path of ['/', '/customers', '/v1beta', '/_sandboxes', ...others]) {
    expect(await (await fetch(`${url}${path}`, { headers: html })).text()).toContain('The page')
  }
  expect(await (await fetch(`${url}/@vite/client`)).text()).toContain('vite')
  const headers = { origin: 'http://localhost:9', 'access-control-request-method': 'GET' }
  const answer = await fetch(`${url}/v1/members/me`, { method: 'OPTIONS', headers })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe(headers.origin)
  expect(answer.headers.get('access-control-allow-headers')).toContain('sandbox-session')
})

it('serves the OpenAPI document, unless the application has one', async () => {
  const root = page()
  const url = await opened({}, { root })
  const readDocument = async (path: string) => JSON.parse(await (await fetch(`${url}${path}`)).text())
  expect(await readDocument('/openapi.json')).toMatchObject({ info: { title: 'Workspace REST Service' } })
  writeFileSync(join(root, 'openapi.json'), '{"info":"own"}')
  expect(await readDocument('/openapi.json')).toEqual({ info: 'own' })
  const { info } = await readDocument('/_sandbox/service/openapi.json')
  expect(info).toMatchObject({ title: 'Workspace REST Service' })
})

it('serves its own paths whatever the base of the page', async () => {
  const url = await opened({}, { base: '/docs/' })
  expect((await fetch(`${url}/v1/members/me`, { headers: mara })).status).toBe(200)
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  expect(await (await fetch(`${url}/docs/`, { headers: { accept: 'text/html' } })).text()).toContain(
    'The page',
  )
})

it('rejects non-loopback hosts without an admin token, and unknown options', async () => {
  const open = { server: { host: true } }
  await expect(served({}, open)).rejects.toMatchObject({
    code: 'unguarded_host',
    message: expect.stringMatching(/ Protect it with the option adminToken\.$/),
  })
  const url = await opened({ adminToken: 'secret' }, open)
  await expectProblem(await fetch(`${url}/_sandbox/credentials`), 'unauthorized')
  const wrong: SandboxOptions = JSON.parse('{"port":4500}')
  await expect(served(wrong)).rejects.toThrow('Cannot start with option port: it is not known.')
})

it('serves and closes inside another server', async () => {
  const root = page()
  const server = await served({ data: 'data' }, { root, server: { middlewareMode: true } })
  const outer = createHttpServer(server.middlewares).listen(0)
  await once(outer, 'listening')
  onTestFinished(() => void outer.close())
  const url = addressOf({ httpServer: outer })
  expect((await fetch(`${url}/v1/members/me`, { headers: mara })).status).toBe(200)
  await server.close()
  expect(readdirSync(join(root, 'data'))).not.toContain('lock.json')
})

it('a server does not go on with the options of one that has closed its folder', async () => {
  const root = page()
  const first = await served({ data: 'data', seed: 7 }, { root })
  await first.close()
  await expect(served({ data: 'data', seed: 8 }, { root })).rejects.toThrow('it was made with seed 7')
})

/** Starts a server around Vite for the duration of the test, and returns how a client at an address calls it. */
async function around(options: SandboxOptions) {
  const { middlewares } = await served(options, { server: { middlewareMode: true } })
  let peer = ''
  const outer = createHttpServer((request, response) => {
    Object.defineProperty(request.socket, 'remoteAddress', { value: peer, configurable: true })
    middlewares(request, response)
  }).listen(0)
  await once(outer, 'listening')
  onTestFinished(() => void outer.close())
  const ask = asker(addressOf({ httpServer: outer }))
  return (from: string): Ask => {
    peer = from
    return ask
  }
}

it('refuses the control plane, not the service, to clients of other machines inside of another server', async () => {
  const askFrom = await around({})
  for (const peer of ['192.0.2.7', '::ffff:192.0.2.7', 'fe80::7', '::', '1.127.0.0']) {
    const ask = askFrom(peer)
    const forwarded = { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' }
    for (const path of ['/_sandbox', '/_sandbox/credentials', '/_sandbox/nowhere', '/_sandbox/docs']) {
      const refused = await ask(path, { headers: forwarded })
      expect(expectRefusal(refused, 'forbidden').detail, `${path} from ${peer}`).toContain('admin token')
      expect(refused.body).not.toContain('sbx_')
    }
    expectRefusal(await ask('/_sandbox/reset', { method: 'POST' }), 'forbidden')
    expect((await ask('/v1/members/me', { headers: mara })).status).toBe(200)
    expect((await ask('/openapi.json')).status).toBe(200)
  }
  for (const peer of ['127.0.0.1', '127.8.9.10', '::ffff:127.0.0.1', '::1']) {
    expect((await askFrom(peer)('/_sandbox/credentials')).status, `from ${peer}`).toBe(200)
  }
  const ask = (await around({ adminToken: 'secret' }))('192.0.2.7')
  expectRefusal(await ask('/_sandbox/credentials'), 'unauthorized')
  const headers = { authorization: 'Bearer secret' }
  expect((await ask('/_sandbox/credentials', { headers })).status).toBe(200)
})

it('serves from a preview of the built page', async () => {
  const root = page()
  mkdirSync(join(root, 'dist'))
  writeFileSync(join(root, 'dist', 'index.html'), '<!doctype html><title>The page</title>')
  const plugins = [workspaceSandbox({ size: 'small', data: 'data' })]
  const server = await preview({ ...quiet, root, plugins, preview: { port: 0 } })
  onTestFinished(() => server.close())
  const url = addressOf(server)
  expect((await fetch(`${url}/v1/members/me`, { headers: mara })).status).toBe(200)
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('The page')
})

it('tells other commands the scheme of a preview', async () => {
  const root = page()
  mkdirSync(join(root, 'dist'))
  const plugins = [workspaceSandbox({ size: 3, data: 'data' })]
  const server = await preview({ ...quiet, root, plugins, preview: { port: 0, https: {} } })
  onTestFinished(() => server.close())
  expect(readFileSync(join(root, 'data', 'lock.json'), 'utf8')).toContain('"url":"https://')
})
