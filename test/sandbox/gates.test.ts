import { expect, it } from 'vitest'

import { as, control, createJsonPost, expectProblem, note, notes, openSandbox } from '../support.ts'

const operationId = 'createCustomerNote'

async function openGated(options: object = {}) {
  const sandbox = await openSandbox()
  const session = sandbox.session({ id: 'gated' })
  const { faults, gates, requests } = session
  faults.add({ operationId, gate: true, ...options })
  const mara = as(session, 'mara')
  const count = async () => (await mara.get<{ totalCount: number }>(notes)).totalCount
  const send = (init: RequestInit = {}) => mara.send(notes, { ...createJsonPost(note), ...init })
  /** Sends a request, and returns when it is held. */
  const hold = async () => {
    const response = send()
    const { id } = await gates.next({ operationId })
    return { id, response }
  }
  return { sandbox, session, faults, gates, requests, mara, count, before: await count(), send, hold }
}

type Gated = Awaited<ReturnType<typeof openGated>>

it('a gate holds a request until it is released, and the service then responds', async () => {
  const { gates, requests, count, before, send } = await openGated()
  const response = send()
  const held = await gates.next({ operationId })
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
  expect(gates.list()).toEqual([held])
  expect(requests.list({ operationId })).toMatchObject([{ status: 'pending', fault: 'fault-1' }])
  expect(await count()).toBe(before)
  expect(gates.release(held.id)).toEqual(held)
  expect(gates.list()).toEqual([])
  const { status, headers } = await response
  expect({ status, fault: headers.get('sandbox-fault') }).toEqual({ status: 200, fault: 'fault-1' })
  expect(await count()).toBe(before + 1)
  expect(requests.list({ operationId })).toMatchObject([{ status: 200 }])
})

it('next returns each held request once, whether it arrives before or after the call', async () => {
  const { gates, mara } = await openGated({ operationId: undefined, after: 1 })
  const later = gates.next({ operationId: 'listMembers' })
  const responses = [mara.send('/members/me'), mara.send('/organizations/harbor/members')]
  expect(await later).toMatchObject({ operationId: 'listMembers' })
  expect(await gates.next()).toMatchObject({ operationId: 'getCurrentMember' })
  expect(gates.releaseAll()).toHaveLength(2)
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200])
})

const ended = 'did not reach the service: the session was reset or restored'

it.for<readonly [how: string, end: (gated: Gated, id: string) => unknown, status: number, text: string]>([
  ['a release with a status', ({ gates }, id) => gates.release(id, { status: 502 }), 502, 'did not reach'],
  ['the removal of its fault', ({ faults }) => faults.remove('fault-1'), 200, note.content],
  ['the removal of all faults', ({ faults }) => faults.clear(), 200, note.content],
  ['a reset', ({ session }) => session.reset(), 503, ended],
  ['a restore', ({ session }) => session.restore(session.snapshot()), 503, ended],
])('a held request is answered after %s, and only a 200 is stored', async ([, end, status, text]) => {
  const gated = await openGated()
  const { gates, faults, count, before, hold } = gated
  const { id, response } = await hold()
  await end(gated, id)
  const answer = await response
  expect(answer.status).toBe(status)
  expect(await answer.text()).toContain(text)
  expect(gates.list()).toEqual([])
  faults.clear()
  expect(await count()).toBe(status === 200 ? before + 1 : before)
})

it.for<readonly [what: string, end: (gated: Gated) => unknown, answer: RegExp]>([
  ['session', ({ session }) => session.close(), /^404 .*Session gated has been dropped/],
  ['sandbox', ({ sandbox }) => sandbox.close(), /^200 .*Called them/],
])('the end of the %s answers held requests, and next rejects', async ([what, end, answer]) => {
  const gated = await openGated()
  const { response } = await gated.hold()
  const next = gated.gates.next().catch(String)
  await end(gated)
  expect(`${(await response).status} ${await (await response).text()}`).toMatch(answer)
  expect(await next).toMatch(new RegExp(`No request arrived before the ${what} (?:was dropped|closed)`))
})

it.for<readonly [how: string, end: (gated: Gated) => unknown]>([
  ['removal', ({ faults }) => faults.remove('fault-1')],
  ['clearing', ({ faults }) => faults.clear()],
  ['reset', ({ session }) => session.reset()],
])('next rejects after the %s of the last fault that could hold its request', async ([, end]) => {
  const gated = await openGated()
  const waits = [{ operationId } as const, {}].map((filter) =>
    gated.gates.next(filter).catch((error: unknown) => error),
  )
  await end(gated)
  const message = expect.stringContaining('before the fault that would hold it')
  const error = { code: 'conflict', message }
  expect(await Promise.all(waits)).toMatchObject([error, error])
})

it('next rejects at once if no fault would hold such a request', async () => {
  const { sandbox, faults, gates } = await openGated()
  await expect(gates.next({ operationId: 'listMembers' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'No fault of this session holds listMembers. Add one with "gate": true first.',
  })
  const held = gates.next().catch(() => undefined)
  faults.clear()
  await held
  const response = await control(sandbox, 'POST', '/gates/next', {}, 'gated')
  const { detail } = await expectProblem(response, 'conflict')
  expect(detail).toBe('No fault of this session holds requests. Add one with "gate": true first.')
})

it('a client that gives up is not held any longer, and its request never reaches the service', async () => {
  const { gates, requests, count, before, send } = await openGated()
  const client = new AbortController()
  const response = send({ signal: client.signal })
  const { id } = await gates.next()
  client.abort()
  await expect(response).rejects.toThrow(/abort/)
  expect(gates.list()).toEqual([])
  expect(() => gates.release(id)).toThrow(/No gate holds gate-1: it was released, its client gave up/)
  expect(await count()).toBe(before)
  expect(requests.list({ operationId })).toMatchObject([{ status: 'aborted' }])
})

it('a session holds at most 100 requests; the next one gets a 503 that says so', async () => {
  const { gates, send } = await openGated()
  const responses = Array.from({ length: 101 }, () => send())
  const full = await Promise.race(responses)
  expect(full.status).toBe(503)
  expect(await full.text()).toMatch(/already holds 100 requests/)
  expect(gates.releaseAll({ status: 502 })).toHaveLength(100)
  const statuses = (await Promise.all(responses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 502)).toHaveLength(100)
})

it('a gate cannot be released twice or in an unknown way', async () => {
  const { gates, hold } = await openGated()
  const { id, response } = await hold()
  expect(() => gates.release(id, { status: 99 })).toThrow('status: must be a whole number from 200')
  expect(() => gates.release(id, JSON.parse('{"state":1}'))).toThrow('state')
  gates.release(id)
  expect(() => gates.release(id)).toThrow('No gate holds gate-1')
  await response
  await expect(gates.next(JSON.parse('{"operationId":"listCustomer"}'))).rejects.toThrow('operation')
})

it('a wait for a request that its client has given up takes none', async () => {
  const { sandbox, gates, hold } = await openGated()
  const abandoned = new AbortController()
  const init = createJsonPost({}, { 'sandbox-session': 'gated' })
  const waiting = sandbox.fetch('/_sandbox/gates/next', { ...init, signal: abandoned.signal })
  // Until the wait has begun, a request is not announced to it.
  await new Promise((resolve) => setImmediate(resolve))
  abandoned.abort()
  await expect(waiting).rejects.toThrow('aborted')
  const { id, response } = await hold()
  gates.release(id)
  expect((await response).status).toBe(200)
})
