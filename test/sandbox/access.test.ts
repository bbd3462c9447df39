import { expect, it } from 'vitest'

import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { expectWellFormed } from '../reliability/raw-http.ts'
import { expectProblem, words } from '../support.ts'
import { expectRefusal, foreignHosts, preflight, reads, serve, wrongCalls } from './control-support.ts'

const credentials = '/_sandbox/credentials'
const app = 'https://app.example'
const mara = { authorization: 'Bearer sbx_harbor_1' }

it('responds under every loopback name, in any case and with any port', async () => {
  const { ask, port } = await serve()
  const names = words(`
    localhost LOCALHOST LocalHost:1 127.0.0.1 127.255.255.254:65535 [::1] app.localhost A.B.LOCALHOST:${port}
    localhost. app.localhost.:${port} 127.0.0.1. [::1]:${port} localhost:${port}
  `)
  for (const host of names) {
    expect((await ask(credentials, { headers: { host } })).status, `for ${host}`).toBe(200)
  }
  for (const name of ['app.localhost', 'localhost.']) {
    const headers = { host: `127.0.0.1:${port}`, origin: `http://${name}:${port}` }
    expect((await ask(credentials, { headers })).status, `for a page of ${name}`).toBe(200)
  }
})

it('takes the Host of a request without a server in front from that header, or from its URL', async () => {
  const sandbox = await openSandbox({ size: 3 }, { access: { hosts: [], origins: [] } })
  const ask = (origin: string, headers = {}) =>
    sandbox.fetch(new Request(`${origin}${credentials}`, { headers }))
  expect((await ask('http://app.localhost:8787')).status).toBe(200)
  for (const host of foreignHosts('8787')) {
    await expectProblem(await ask('http://app.localhost:8787', { host }), 'forbidden')
  }
  await expectProblem(await ask('http://evil.example'), 'forbidden')
})

it('leaves the service open to every Host and Origin', async () => {
  const { ask, sandbox } = await serve()
  sandbox.session({ id: 'x' })
  for (const base of ['/v1', '/_sandbox/sessions/x/v1', '/%5fsandbox/sessions/x/%761']) {
    const foreign = { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = await ask(`${base}/members/me`, { headers: { ...mara, ...foreign } })
    expect(answer.status, `answered ${answer.body}`).toBe(200)
    expect(answer.headers['access-control-allow-origin']).toBe(foreign.origin)
  }
})

it('responds under allowed host names', async () => {
  const { ask } = await serve({ allowHost: ['Sandbox.test', 'fe80::1'] })
  for (const host of ['sandbox.test', 'SANDBOX.TEST:8080', 'sandbox.test.', '[fe80::1]:80']) {
    expect((await ask(credentials, { headers: { host } })).status, `for ${host}`).toBe(200)
  }
  for (const host of ['xsandbox.test', 'sandbox.test.evil.example', 'sandboxxtest', '[fe80::2]']) {
    expect((await ask(credentials, { headers: { host } })).status, `for ${host}`).toBe(403)
  }
})

it('accepts its own pages and those of allowed origins, and lets only them read responses', async () => {
  const { ask, port } = await serve({ allowOrigin: [app, 'HTTP://App.Test:5173/'] })
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `http://${name}:${port}`)
  for (const origin of [app, 'http://app.test:5173', ...own]) {
    const sent = { origin, 'sec-fetch-site': 'cross-site' }
    const { status, headers } = await ask(credentials, { headers: sent })
    expect(status, `for ${origin}`).toBe(200)
    expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
  }
  const { headers } = await ask(credentials)
  expect(headers).toMatchObject({ vary: 'Origin' })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

it('responds to the preflight of an allowed origin', async () => {
  const { ask } = await serve({ allowOrigin: [app], adminToken: 'secret' })
  for (const path of ['/_sandbox/data/customers/1', '/_sandbox/clock', '/_sandbox/sessions', '/health']) {
    const asked = preflight(app)
    const wanted = { ...asked.headers, 'access-control-request-headers': 'authorization,baggage' }
    const { status, headers } = await ask(path, { ...asked, headers: wanted })
    expect(status, `for ${path}`).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,baggage',
      vary: 'Origin',
    })
  }
})

it('lets an allowed origin read errors', async () => {
  const { ask } = await serve({ allowOrigin: [app], adminToken: 'secret' })
  const headers = { origin: app, authorization: 'Bearer secret' }
  const refusals = [
    await ask(credentials, { headers: { origin: app } }),
    await ask('/_sandbox/nowhere', { headers }),
    await ask('/_sandbox/clock', { method: 'PUT', headers, body: '{"now":"noon"}' }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([401, 404, 400])
  for (const refusal of refusals) expect(refusal.headers['access-control-allow-origin']).toBe(app)
})

it('gives everybody its public URL, and answers to that name and its pages', async () => {
  const publicUrl = 'https://sandbox.example'
  const { ask, url, baseUrl } = await serve({ publicUrl: `${publicUrl}/` })
  expect([url, baseUrl]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:/), `${publicUrl}/v1`])
  for (const host of ['sandbox.example', 'localhost']) {
    const headers = { host, origin: publicUrl, 'sec-fetch-site': 'same-origin' }
    const read = async (path: string, method = 'GET') => {
      const answer = await ask(path, { method, headers })
      expect(answer.status, `for ${path}: ${answer.body}`).toBe(200)
      return JSON.parse(answer.body)
    }
    const session = await read('/_sandbox/sessions', 'POST')
    expect(session).toMatchObject({ baseUrl: `${publicUrl}/_sandbox/sessions/${session.id}/v1` })
    expect(await read('/openapi.json')).toMatchObject({ servers: [{ url: `${publicUrl}/v1` }] })
    expect(await read('/_sandbox/openapi.json')).toMatchObject({ servers: [{ url: publicUrl }] })
  }
  for (const headers of [
    { host: 'evil.example' },
    { host: 'sandbox.example', origin: 'https://evil.example' },
  ]) {
    expectRefusal(await ask(credentials, { headers }), 'forbidden')
  }
  for (const wrong of words('sandbox.example ftp://a.test https://a.test/path https://a.test?x https://:1')) {
    const message =
      'Cannot start with option publicUrl: it must be the URL of a server like https://sandbox.example, without a path.'
    await expect(serve({ publicUrl: wrong })).rejects.toThrow(message)
  }
})

it('rejects cross-site requests, except links to the console and the documentation', async () => {
  const { ask } = await serve()
  const from = (site: string, path: string, mode = 'no-cors') =>
    ask(path, { headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode } })
  expectRefusal(await from('cross-site', credentials), 'forbidden')
  expectRefusal(await from('cross-site', credentials, 'navigate'), 'forbidden')
  expectRefusal(await from('cross-site', '/_sandbox'), 'forbidden')
  expectRefusal(await from('cross-site', '/_sandbox/docs/'), 'forbidden')
  expectRefusal(await from('cross-site', '/health', 'navigate'), 'forbidden')
  expect((await from('cross-site', '/_sandbox', 'navigate')).status).toBe(200)
  // The documentation may not be built.
  expect((await from('cross-site', '/_sandbox/docs/', 'navigate')).status).not.toBe(403)
  for (const site of ['none', 'same-origin', 'same-site']) {
    expect((await from(site, credentials)).status, `for ${site}`).toBe(200)
  }
})

it('requires the admin token for everything except the console', async () => {
  const { ask, baseUrl } = await serve({ adminToken: 'secret' })
  const calls = words(
    `${credentials} /_sandbox/health /_sandbox/sessions /_sandbox/nowhere /%5fsandbox/clock`,
  )
  for (const path of calls) {
    const refused = await ask(path)
    expectRefusal(refused, 'unauthorized')
    expect(refused.headers['www-authenticate']).toBe('Bearer')
    expect((await ask(path, { headers: { authorization: 'Bearer secret' } })).status).not.toBe(401)
  }
  expect((await ask('/_sandbox')).status).toBe(200)
  expect((await fetch(`${baseUrl}/members/me`, { headers: mara })).status).toBe(200)
})

it('answers /health under every Host and without the admin token, as probes ask', async () => {
  const { ask, sandbox } = await serve({ adminToken: 'secret' })
  const health = await sandbox.fetch('/health')
  const body = await health.text()
  for (const host of ['10.1.2.3:4500', 'sandbox.svc.cluster.local', 'evil.example']) {
    for (const path of ['/health', '/%68ealth']) {
      expect(await ask(path, { headers: { host } }), `for ${host}`).toMatchObject({ status: 200, body })
    }
    expectRefusal(await ask('/_sandbox/health', { headers: { host } }), 'forbidden')
    const foreign = { host, origin: app, 'sec-fetch-site': 'cross-site' }
    expectRefusal(await ask('/health', { headers: foreign }), 'forbidden')
  }
  expectRefusal(await ask('/_sandbox/health'), 'unauthorized')
})

it('rejects every token except the admin token', async () => {
  const { ask } = await serve({ adminToken: 'secret' })
  const wrong = ['', 'Bearer', 'Bearer ', 'Bearer secre', 'Bearer secrets', 'Bearer Secret', 'secret']
  const bent = ['Basic secret', 'Bearer secret secret', 'Bearer secret, Bearer secret', 'Bearer "secret"']
  for (const authorization of [...wrong, ...bent, mara.authorization]) {
    expectRefusal(await ask(credentials, { headers: { authorization } }), 'unauthorized')
  }
  for (const authorization of ['Bearer secret', 'bearer secret', 'BEARER  secret']) {
    expect((await ask(credentials, { headers: { authorization } })).status, `for ${authorization}`).toBe(200)
  }
})

it('forbids caching and sniffing, and reveals nothing about the machine or the program in errors', async () => {
  const { ask, sandbox } = await serve()
  sandbox.session({ id: 'x' })
  expect((await ask(credentials)).headers['cache-control']).toBe('no-store')
  const gets = [...reads.map((path) => ['GET', path] as const), ['HEAD', credentials] as const]
  for (const [method, path] of gets) {
    const answer = await ask(path, { method, headers: mara })
    expect(answer.headers['x-content-type-options'], `${method} ${path}`).toBe('nosniff')
  }
  for (const [method, path, body] of wrongCalls) {
    const answer = await ask(path, { method, headers: mara, ...(body !== undefined && { body }) })
    expectWellFormed(answer, `${method} ${path}`)
    expect(Math.floor(answer.status / 100), `for ${path}`).toBe(4)
  }
})

it('changes nothing on GET and HEAD, and records no requests for the sandbox itself or for what browsers ask for', async () => {
  const { ask, sandbox } = await serve()
  sandbox.session({ id: 'x', now: '2030-01-01T00:00:00Z' })
  sandbox.faults.add({ operationId: 'getCurrentMember', status: 503, times: 1, after: 1_000 })
  sandbox.clock.advance('P1D')
  await sandbox.data.customers.put({ id: 1, name: 'Arranged' })
  const state = async () => ({
    clock: sandbox.clock.now(),
    faults: sandbox.faults.list(),
    changes: await sandbox.data.changes(),
    journal: (await ask('/_sandbox/requests?bodies=true')).body,
    warnings: (await ask('/_sandbox/requests/warnings')).body,
    sessions: (await ask('/_sandbox/sessions')).body,
    fingerprint: await sandbox.dataset.fingerprint(),
  })
  const before = await state()
  const files = ['/favicon.ico', '/apple-touch-icon.png', '/robots.txt', '/.well-known/appspecific/x.json']
  for (const path of [...reads, ...files, '/health/', '/docs/a/b'])
    for (const method of ['GET', 'HEAD']) await ask(path, { method })
  expect(await state()).toEqual(before)
})

it('suggests a similar session, or how to open one', async () => {
  const { ask, sandbox } = await serve()
  const lost = async (method: string, path: string, session: string | null = null) => {
    const answer = await ask(path, { method, headers: { 'sandbox-session': session } })
    return expectRefusal(answer, 'not_found').detail
  }
  expect(await lost('GET', '/_sandbox/sessions/check')).toContain('POST /_sandbox/sessions opens a session')
  sandbox.session({ id: 'checkout' })
  const meant = 'There is no session chekout. Did you mean checkout?'
  expect(await lost('GET', '/_sandbox/sessions/chekout')).toBe(meant)
  expect(await lost('DELETE', '/_sandbox/sessions/chekout')).toBe(meant)
  expect(await lost('GET', '/_sandbox/clock', 'chekout')).toBe(meant)
})
