import { expect, it, onTestFinished, vi } from 'vitest'

import type { DatasetOptions } from '../../src/index.ts'
import { as, customers, expectInvalid, openSandbox } from '../support.ts'

const sandbox = await openSandbox()

function opened() {
  const session = sandbox.session()
  const { faults, fetch, requests } = session
  return { faults, fetch, requests, mara: as(session, 'mara') }
}

it('an injected response is a problem document that names its fault, and comes before the 401', async () => {
  const { faults, fetch } = opened()
  faults.add({ status: 503, retryAfterSeconds: 7 })
  const response = await as({ fetch }, 'nobody').send('/nowhere')
  expect(response.status).toBe(503)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('sandbox-fault')).toBe('fault-1')
  expect(response.headers.get('retry-after')).toBe('7')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toEqual({
    type: 'urn:workspace-sandbox:problem:service_unavailable',
    title: 'Service unavailable',
    status: 503,
    detail: 'Injected by fault-1; the request did not reach the service.',
    code: 'service_unavailable',
  })
})

it('every status can be injected, with a body if it allows one: a problem, or an empty JSON object', async () => {
  const { faults, mara } = opened()
  for (let status = 200; status < 600; status += 1) {
    faults.clear()
    faults.add({ status })
    const response = await mara.send('/members/me')
    expect(response.status).toBe(status)
    const body =
      status < 400 ? { type: 'application/json', text: '{}' } : { type: 'application/problem+json' }
    expect({ type: response.headers.get('content-type'), text: await response.text() }).toMatchObject(
      [204, 205, 304].includes(status) ? { type: null, text: '' } : body,
    )
  }
})

it.for([
  ['application/json', '{"items":"none"}', { status: 200, body: { items: 'none' } }],
  ['application/json', 'null', { status: 200, body: null }],
  [
    'text/html',
    '<h1>Oops</h1>',
    { status: 500, body: '<h1>Oops</h1>', headers: { 'Content-Type': 'text/html' } },
  ],
  ['text/plain; charset=utf-8', 'Oops', { status: 500, body: 'Oops' }],
  ['text/plain; charset=utf-8', '', { status: 500, body: '' }],
] as const)('a body is sent as %s %s by %j', async ([type, text, fault]) => {
  const { faults, mara } = opened()
  faults.add(fault)
  const response = await mara.send(customers)
  expect(response.headers.get('content-type')).toBe(type)
  expect(await response.text()).toBe(text)
})

it('a delayed response is that of the service, with its warning', async () => {
  const { faults, mara } = opened()
  faults.add({ delayMs: 40 })
  const before = performance.now()
  const response = await mara.send(`${customers}?colour=red`)
  expect(performance.now() - before).toBeGreaterThan(35)
  expect(response.status).toBe(200)
  expect(response.headers.get('sandbox-fault')).toBe('fault-1')
  expect(response.headers.get('sandbox-warning')).toContain('colour')
  expect(await response.text()).toBe(await (await as(sandbox, 'mara').send(customers)).text())
})

it('headers alone are added to the response of the service', async () => {
  const { faults, mara } = opened()
  faults.add({ headers: { Deprecation: 'true' } })
  const response = await mara.send('/members/me')
  expect(response.headers.get('deprecation')).toBe('true')
  expect(await response.json()).toMatchObject({ organizationId: 'harbor' })
})

it('Prefer injects a fault into one request, before the faults of the session, as the journal says', async () => {
  const { faults, requests, mara } = opened()
  faults.add({ status: 500 })
  const response = await mara.send(customers, { headers: { prefer: 'delay="20ms", code=503' } })
  expect(response.status).toBe(503)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'sandbox-fault': 'prefer',
    'preference-applied': 'code=503, delay=20ms',
    'access-control-expose-headers': expect.stringContaining('preference-applied'),
  })
  expect(faults.list()[0]?.matched).toBe(0)
  expect(requests.list()).toMatchObject([{ status: 503, fault: 'prefer', caller: { id: 1 } }])
  await expectInvalid(await mara.send(customers, { headers: { prefer: 'code=abc' } }), 'header Prefer')
})

it('HEAD gets the faults of GET, without a body', async () => {
  const { faults, mara } = opened()
  faults.add({ operationId: 'listCustomers', sequence: [503, 'truncate', 'malformed', 200] })
  for (const status of [503, 200, 200, 200, 200]) {
    const response = await mara.send(customers, { method: 'HEAD' })
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
  }
})

/** Opens a session with a limit of one request in 30 seconds, and fake real time. */
async function openLimited(options: DatasetOptions = {}) {
  const session = (await openSandbox(options)).session()
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  session.faults.add({ rateLimit: { requests: 1, windowSeconds: 30 } })
  const mara = as(session, 'mara')
  /** Sends a request. Returns the status, and how long to wait. */
  const send = async () => {
    const { status, headers } = await mara.send('/members/me')
    return { status, retryAfter: headers.get('retry-after'), reset: headers.get('ratelimit-reset') }
  }
  return { session, send, pass: (seconds: number) => void vi.advanceTimersByTime(seconds * 1_000) }
}

const passed = { status: 200, retryAfter: null, reset: '30' }
const limited = (seconds: number) => ({ status: 429, retryAfter: `${seconds}`, reset: `${seconds}` })

it('a rate limit responds with 429 and Retry-After, and reports the remaining requests before', async () => {
  const { session } = await openLimited()
  const mara = as(session, 'mara')
  const { headers } = await mara.send('/members/me')
  expect(headers.get('ratelimit')).toBe('"sandbox";r=0;t=30')
  expect(headers.get('ratelimit-policy')).toBe('"sandbox";q=1;w=30')
  expect(headers.has('sandbox-fault')).toBe(false)
  expect(headers.get('access-control-expose-headers')).toContain('ratelimit-remaining')
  const limitedResponse = await mara.send('/members/me')
  expect(limitedResponse.headers.get('retry-after')).toBe('30')
  expect(limitedResponse.headers.get('sandbox-fault')).toBe('fault-1')
})

it('a rate limit begins anew when the clock is set back', async () => {
  const { session, send } = await openLimited()
  expect(await send()).toEqual(passed)
  session.clock.set('2025-01-01T00:00:00Z')
  expect(await send()).toEqual(passed)
  expect(await send()).toEqual(limited(30))
})

it('Retry-After is right for a client that waits and for one that advances the clock, in any order', async () => {
  const waiting = await openLimited()
  await waiting.send()
  waiting.session.clock.advance('PT20S')
  expect(await waiting.send()).toEqual(limited(10))
  waiting.pass(10)
  expect(await waiting.send()).toEqual(passed)
  waiting.pass(20)
  expect(await waiting.send()).toEqual(limited(10))
  waiting.session.clock.advance('PT10S')
  expect(await waiting.send()).toEqual(passed)
})

it('time counts once if the clock of the session runs', async () => {
  const { send, pass, session } = await openLimited({ now: 'system' })
  expect(await send()).toEqual(passed)
  pass(20)
  expect(await send()).toEqual(limited(10))
  pass(10)
  expect(await send()).toEqual(passed)
  session.clock.advance('PT25S')
  pass(4)
  expect(await send()).toEqual(limited(1))
  pass(1)
  expect(await send()).toEqual(passed)
})
