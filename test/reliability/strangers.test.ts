import { expect, it } from 'vitest'

import {
  bentPaths,
  expectRefusal,
  foreignHosts,
  foreignOrigins,
  malformedHosts,
  preflight,
  serve,
} from '../sandbox/control-support.ts'

const credentials = '/_sandbox/credentials'
const app = 'https://app.example'

it('rejects every other Host, however similar to a loopback name', async () => {
  const { ask, port } = await serve()
  for (const host of foreignHosts(port)) {
    for (const path of [credentials, '/_sandbox', '/_sandbox/docs/', '/_sandbox/nowhere']) {
      const { status, body } = await ask(path, { headers: { host } })
      expect([400, 403], `${host} ${path}: ${body}`).toContain(status)
    }
  }
  expectRefusal(await ask(credentials, { headers: { host: 'evil.example' } }), 'forbidden')
})

it('rejects a malformed Host and a missing one', async () => {
  const { ask, port } = await serve()
  for (const host of [...malformedHosts(port), null]) {
    expectRefusal(await ask(credentials, { headers: { host } }), 'invalid_request')
  }
})

it('checks the Host, the Origin and the admin token before the session', async () => {
  const { ask, sandbox } = await serve({ adminToken: 'secret' })
  sandbox.session({ id: 'confidential' })
  const headers = { 'sandbox-session': 'x' }
  const paths = ['/_sandbox', '/_sandbox/', credentials, '/_sandbox/nowhere', '/_sandbox/sessions/y']
  for (const path of [...paths, '/docs', '/docs/', '/']) {
    const foreign = [
      await ask(path, { headers: { ...headers, host: 'evil.example' } }),
      await ask(path, { headers: { ...headers, origin: 'http://evil.example' } }),
    ]
    for (const answer of foreign) {
      expectRefusal(answer, 'forbidden')
      expect(answer.headers, `for ${path}`).not.toHaveProperty('access-control-allow-origin')
      expect(answer.body).not.toContain('confidential')
    }
    if (/^\/(?:docs\/?|_sandbox\/?)?$/.test(path)) continue
    expectRefusal(await ask(path, { headers }), 'unauthorized')
  }
})

it('names no session to callers who may not use the control plane', async () => {
  const { ask, sandbox } = await serve({ adminToken: 'secret' })
  sandbox.session({ id: 'confidential' })
  const bases = [
    '/v1/members/me',
    '/_sandbox/sessions/confidentia/v1/members/me',
    '/openapi.json',
    '/health',
    '/nowhere',
  ]
  for (const path of bases) {
    const headers = path.includes('confidentia') ? {} : { 'sandbox-session': 'confidentia' }
    const answer = await ask(path, { headers: { ...headers, host: 'evil.example' } })
    expectRefusal(answer, 'not_found')
    expect(answer.body, `for ${path}`).not.toContain('confidential')
  }
})

it('checks the Host, and changes nothing for a foreign one, however the path is written', async () => {
  const { ask, sandbox, port } = await serve()
  sandbox.session({ id: 'x' })
  sandbox.clock.set('2030-01-01T00:00:00.000Z')
  const headers = { host: 'evil.example' }
  const absolute = ['localhost', `127.0.0.1:${port}`, 'evil.example'].map((host) => `http://${host}`)
  for (const path of [...bentPaths('credentials'), ...absolute.map((origin) => origin + credentials)]) {
    const { status, body } = await ask(path, { headers })
    expect(status, `for ${path}`).toBeGreaterThanOrEqual(400)
    expect(body, `for ${path}`).not.toMatch(/sbx_|"organizations"/)
  }
  for (const path of bentPaths('reset')) {
    await ask(path, { method: 'POST', headers })
    await ask(path, { method: 'POST', headers: { ...headers, 'sandbox-session': 'x' } })
  }
  expect(sandbox.clock.now()).toBe('2030-01-01T00:00:00.000Z')
})

it('rejects pages of every other Origin, and changes nothing for them', async () => {
  const { ask, sandbox, port } = await serve({ allowOrigin: [app] })
  const origins = foreignOrigins(port)
  expect(origins.length).toBeGreaterThan(100)
  sandbox.clock.set('2030-01-01T00:00:00.000Z')
  for (const origin of origins) {
    const read = await ask(credentials, { headers: { origin } })
    expect(expectRefusal(read, 'forbidden').detail, `for ${origin}`).toContain('--allow-origin')
    expect(read.headers, `for ${origin}`).not.toHaveProperty('access-control-allow-origin')
    expectRefusal(await ask('/_sandbox/reset', { method: 'POST', headers: { origin } }), 'forbidden')
    expectRefusal(await ask(credentials, preflight(origin)), 'forbidden')
  }
  expect(sandbox.clock.now()).toBe('2030-01-01T00:00:00.000Z')
})
