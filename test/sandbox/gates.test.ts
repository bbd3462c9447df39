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

it('a request held by a session that is dropped gets a 404, and next rejects', async () => {
  const { session, gates, hold } = await openGated()
  const { response } = await hold()
  const next = gates.next().catch((error: Error) => error.message)
  session.close()
  const { detail } = await expectProblem(await response, 'not_found')
  expect(detail).toMatch(/Session gated has been dropped/)
  expect(await next).toMatch(/No request arrived before the session was dropped/)
})

it.each(['remove', 'clear', 'reset'] as const)(
  'next rejects after a %s of the fault it waits for',
  async (end) => {
    const { session, faults, gates } = await openGated()
    const other = faults.add({ operationId: 'listMembers', gate: true })
    const waits = [gates.next({ operationId }), gates.next({ operationId: 'listMembers' })].map((wait) =>
      wait.catch((error: unknown) => error),
    )
    if (end === 'remove') faults.remove('fault-1')
    else await (end === 'clear' ? faults.clear() : session.reset())
    const error = {
      code: 'conflict',
      message: expect.stringContaining('before the fault that would hold it'),
    }
    expect(await waits[0]).toMatchObject(error)
    if (end === 'remove') faults.remove(other.id)
    expect(await waits[1]).toMatchObject(error)
  },
)

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

it('closing the sandbox lets held requests go on, and ends next', async () => {
  const { sandbox, gates, hold } = await openGated()
  const { response } = await hold()
  const next = gates.next().catch((error: Error) => error.message)
  await sandbox.close()
  expect((await response).status).toBe(200)
  expect(await next).toMatch(/sandbox closed/)
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
