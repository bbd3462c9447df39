import { expect, it } from 'vitest'

import { as, createJsonPost, expectProblem, openSandbox } from '../support.ts'
import { serve } from './control-support.ts'

const note = { categoryId: 1, content: 'Called them.' }
const notes = '/organizations/harbor/customers/1/notes'
const operationId = 'createCustomerNote'

async function openGated(options: object = {}) {
  const sandbox = await openSandbox()
  const session = sandbox.session({ id: 'gated' })
  session.faults.add({ operationId, gate: true, ...options })
  const mara = as(session, 'mara')
  const count = async () => (await mara.get<{ totalCount: number }>(notes)).totalCount
  return { sandbox, session, mara, count }
}

it('a gate holds a request until it is released, and the service then responds', async () => {
  const { session, mara, count } = await openGated()
  const before = await count()
  const response = mara.send(notes, createJsonPost(note))
  const held = await session.gates.next({ operationId })
  expect(held).toMatchObject({
    id: 'gate-1',
    requestId: 2,
    operationId,
    method: 'POST',
    path: `/v1${notes}`,
    caller: { id: 1, organizationId: 'harbor' },
    fault: 'fault-1',
    since: '2026-01-15T12:00:00.000Z',
  })
  expect(session.gates.list()).toEqual([held])
  expect(session.requests.list({ operationId })).toMatchObject([{ status: 'pending', fault: 'fault-1' }])
  expect(await count()).toBe(before)
  expect(session.gates.release(held.id)).toEqual(held)
  expect(session.gates.list()).toEqual([])
  const { status, headers } = await response
  expect({ status, fault: headers.get('sandbox-fault') }).toEqual({ status: 200, fault: 'fault-1' })
  expect(await count()).toBe(before + 1)
  expect(session.requests.list({ operationId })).toMatchObject([{ status: 200 }])
})

it('next returns each held request once, whether it arrives before or after the call', async () => {
  const { session, mara } = await openGated({ operationId: undefined })
  const later = session.gates.next({ operationId: 'listMembers' })
  const responses = [mara.send('/members/me'), mara.send('/organizations/harbor/members')]
  expect(await later).toMatchObject({ operationId: 'listMembers' })
  expect(await session.gates.next()).toMatchObject({ operationId: 'getCurrentMember' })
  expect(session.gates.releaseAll()).toHaveLength(2)
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200])
})

it('a stored request is handled before it is held', async () => {
  const { session, mara, count } = await openGated({ stored: true })
  const before = await count()
  const response = mara.send(notes, createJsonPost(note))
  const { id } = await session.gates.next()
  expect(await count()).toBe(before + 1)
  session.gates.release(id)
  expect((await response).status).toBe(200)
  expect(await count()).toBe(before + 1)
})

it('a request released with a status does not reach the service', async () => {
  const { session, mara, count } = await openGated()
  const before = await count()
  const response = mara.send(notes, createJsonPost(note))
  session.gates.release((await session.gates.next()).id, { status: 503 })
  expect((await response).status).toBe(503)
  expect(await count()).toBe(before)
  expect(session.requests.list({ operationId })).toMatchObject([{ status: 503 }])
})

it('removing the fault releases its requests to the service', async () => {
  const { session, mara } = await openGated()
  const response = mara.send(notes, createJsonPost(note))
  await session.gates.next()
  session.faults.remove('fault-1')
  expect((await response).status).toBe(200)
  session.faults.add({ operationId, gate: true })
  const second = mara.send(notes, createJsonPost(note))
  await session.gates.next()
  session.faults.clear()
  expect((await second).status).toBe(200)
})

it('a reset or restored session answers held requests with 503, and stores nothing', async () => {
  const { session, mara, count } = await openGated()
  const before = await count()
  const snapshot = session.snapshot()
  const ends = [async () => session.reset(), async () => session.restore(snapshot)]
  for (const end of ends) {
    if (session.faults.list().length === 0) session.faults.add({ operationId, gate: true })
    const response = mara.send(notes, createJsonPost(note))
    await session.gates.next()
    await end()
    const problem: { detail: string } = JSON.parse(await (await response).text())
    expect(problem.detail).toMatch(/did not reach the service: the session was reset or restored/)
    expect(session.gates.list()).toEqual([])
    session.faults.clear()
    expect(await count()).toBe(before)
  }
})

it('a request held by a session that is dropped gets a 404, and next rejects', async () => {
  const { session, mara } = await openGated()
  const response = mara.send(notes, createJsonPost(note))
  await session.gates.next()
  const next = session.gates.next().catch((error: Error) => error.message)
  session.close()
  const { detail } = await expectProblem(await response, 'not_found')
  expect(detail).toMatch(/Session gated has been dropped/)
  expect(await next).toMatch(/No request arrived before the session was dropped/)
})

it('closing the sandbox lets held requests go on, and ends next', async () => {
  const { sandbox, session, mara } = await openGated()
  const response = mara.send(notes, createJsonPost(note))
  await session.gates.next()
  const next = session.gates.next().catch((error: Error) => error.message)
  await sandbox.close()
  expect((await response).status).toBe(200)
  expect(await next).toMatch(/sandbox closed/)
})

it('a client that gives up is not held any longer, and its request never reaches the service', async () => {
  const { session, mara, count } = await openGated()
  const before = await count()
  const client = new AbortController()
  const response = mara.send(notes, { ...createJsonPost(note), signal: client.signal })
  const { id } = await session.gates.next()
  client.abort()
  await expect(response).rejects.toThrow(/abort/)
  expect(session.gates.list()).toEqual([])
  expect(() => session.gates.release(id)).toThrow(/No gate holds gate-1: it was released, its client gave up/)
  expect(await count()).toBe(before)
  expect(session.requests.list({ operationId })).toMatchObject([{ status: 'aborted' }])
})

it('a session holds at most 100 requests; the next one gets a 503 that says so', async () => {
  const { session, mara } = await openGated()
  const responses = Array.from({ length: 101 }, () => mara.send(notes, createJsonPost(note)))
  const full = await Promise.race(responses)
  expect(full.status).toBe(503)
  expect(await full.text()).toMatch(/already holds 100 requests/)
  expect(session.gates.releaseAll({ status: 502 })).toHaveLength(100)
  const statuses = await Promise.all(responses.map(async (response) => (await response).status))
  expect(statuses.filter((status) => status === 502)).toHaveLength(100)
})

it('a gate cannot be combined with another effect, nor released twice or in an unknown way', async () => {
  const { session, mara } = await openGated()
  expect(() => session.faults.add({ gate: true, status: 503 })).toThrow(
    /gate: cannot be combined with status/,
  )
  expect(() => session.faults.add({ gate: true, repeat: true })).toThrow(/repeat: requires sequence/)
  const response = mara.send(notes, createJsonPost(note))
  const { id } = await session.gates.next()
  expect(() => session.gates.release(id, { status: 99 })).toThrow(/status: must be a whole number from 200/)
  expect(() => session.gates.release(id, JSON.parse('{"state":1}'))).toThrow(/state/)
  session.gates.release(id)
  expect(() => session.gates.release(id)).toThrow(/No gate holds gate-1/)
  await response
  await expect(session.gates.next(JSON.parse('{"operationId":"listCustomer"}'))).rejects.toThrow(/operation/)
})

it('over HTTP, a test waits for a held request and releases it', async () => {
  const { url, baseUrl } = await serve()
  const call = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${url}/_sandbox/${path}`, init)
    const body: Record<string, unknown> = JSON.parse(await response.text())
    return { status: response.status, body }
  }
  await fetch(`${url}/_sandbox/faults`, createJsonPost({ operationId: 'getCurrentMember', gate: true }))
  const next = call('gates/next', createJsonPost({ operationId: 'getCurrentMember' }))
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const response = fetch(`${baseUrl}/members/me`, { headers })
  expect(await next).toMatchObject({ status: 200, body: { id: 'gate-1', path: '/v1/members/me' } })
  expect((await call('gates')).body).toMatchObject({ items: [{ id: 'gate-1' }], totalCount: 1 })
  expect((await call('gates/gate-1/release', { method: 'POST' })).status).toBe(200)
  expect((await response).status).toBe(200)
  const again = await call('gates/gate-1/release', { method: 'POST' })
  expect(again).toMatchObject({ status: 404, body: { detail: expect.stringMatching(/it was released/) } })
  const second = fetch(`${baseUrl}/members/me`, { headers })
  await call('gates/next', { method: 'POST' })
  expect((await call('gates/release', createJsonPost({ status: 429 }))).body).toMatchObject({ totalCount: 1 })
  expect((await second).status).toBe(429)
})

it('a wait for a request that its client has given up takes none', async () => {
  const { sandbox, session, mara } = await openGated()
  const abandoned = new AbortController()
  const headers = { 'sandbox-session': 'gated', 'content-type': 'application/json' }
  const waiting = sandbox.fetch(
    new Request('http://sandbox/_sandbox/gates/next', {
      method: 'POST',
      headers,
      body: '{}',
      signal: abandoned.signal,
    }),
  )
  // Until the wait has begun, a request is not announced to it.
  await new Promise((resolve) => setImmediate(resolve))
  abandoned.abort()
  await expect(waiting).rejects.toThrow('aborted')
  const response = mara.send(notes, createJsonPost(note))
  const held = await session.gates.next({ operationId })
  session.gates.release(held.id)
  expect((await response).status).toBe(200)
})
