import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { as, expectProblem, note, notes, openSandbox, type Page, readControl } from '../support.ts'
import { fixture, open, type Opened } from './control-support.ts'

/** Counts the notes that a session has besides that of the fixture. */
const countNew = async (session: Parameters<typeof as>[0]): Promise<number> =>
  (await as(session, 'mara').get<Page<CustomerNote>>(notes)).totalCount - 1

it('a session starts from the dataset, and a reset affects only its own session', async () => {
  const sandbox = await openSandbox({ fixture })
  await as(sandbox, 'mara').post(notes, note)
  const [one, two] = [sandbox.session(), sandbox.session()]
  expect(await countNew(one)).toBe(0)
  const first = await as(one, 'mara').post(notes, note)
  await as(two, 'mara').post(notes, note)
  await one.reset()
  expect([await countNew(sandbox), await countNew(one), await countNew(two)]).toEqual([1, 0, 1])
  // A reset session assigns the same ids again.
  expect(await as(one, 'mara').post(notes, note)).toEqual(first)
  await sandbox.reset()
  expect([await countNew(sandbox), await countNew(two)]).toEqual([0, 1])
})

it('a closed session rejects each use of its handle, also of parts that were taken before', async () => {
  const sandbox = await openSandbox({ fixture })
  const session = sandbox.session({ id: 'over' })
  const { clock, data, faults, gates, requests, scenarios } = session
  const [snapshot, state] = [session.snapshot(), await session.saveState()]
  session.close()
  const path = '/members/me'
  const uses: readonly (() => unknown)[] = [
    () => clock.now(),
    () => clock.advance('P1D'),
    () => clock.reset(),
    () => clock.events(),
    () => data.customers.get(1),
    () => data.customers.patch(1, { name: 'Tern & Co' }),
    () => faults.list(),
    () => faults.add({ status: 503 }),
    () => gates.list(),
    () => requests.list(),
    () => scenarios.list(),
    () => session.explain({ path, token: 'sbx_harbor_1' }),
    () => session.preview({ path, token: 'sbx_harbor_1' }),
    () => session.snapshot(),
    () => session.restore(snapshot),
    () => session.saveState(),
    () => session.restoreState(state),
    () => session.reset(),
  ]
  for (const use of uses) {
    const outcome = (async () => use())()
    await expect(outcome, `for ${String(use)}`).rejects.toMatchObject({
      code: 'not_found',
      message: 'Session over has been dropped. Open a new one.',
    })
  }
  await expectProblem(await as(session, 'mara').send(path), 'not_found')
  expect(session.id).toBe('over')
  expect(() => session.close()).not.toThrow()
})

it('a snapshot belongs to one sandbox and its dataset', async () => {
  const sandbox = await openSandbox({ size: 3 })
  const snapshot = sandbox.session().snapshot()
  const other = await openSandbox({ size: 3, seed: 7 })
  expect(() => other.session().restore(snapshot)).toThrow(/Cannot restore the snapshot/)
  await sandbox.reseed({ seed: 7 })
  const session = sandbox.session()
  expect(() => session.restore(snapshot)).toThrow(expect.objectContaining({ code: 'conflict' }))
  session.restore(session.snapshot())
})

it('after a reset, data is still or living as when the session was opened, whatever state was restored', async () => {
  const sandbox = await openSandbox({ fixture })
  const openAs = async (future: 'still' | 'living') => {
    const { id } = await readControl<{ id: string }>(sandbox, 'POST', '/sessions', { future })
    return sandbox.ensureSession(id)
  }
  const [still, living] = [await openAs('still'), await openAs('living')]
  const [first, other] = [await still.saveState(), await living.saveState()]
  await still.restoreState(other)
  await living.restoreState(first)
  for (const session of [still, living]) await session.reset()
  expect(await still.saveState()).toEqual(first)
  expect(await living.saveState()).toEqual(other)
})

it('PUT opens a session with an id, and then returns the one that exists', async () => {
  const { sandbox, send } = await open()
  const put = async (body?: unknown) => {
    const response = await send('PUT', '/sessions/checkout', body)
    return { status: response.status, body: await response.json() }
  }
  const input = { name: 'Checkout', assumptions: { errorFormat: 'message' }, faults: { status: 503 } }
  const first = await put(input)
  const body: Opened = {
    id: 'checkout',
    name: 'Checkout',
    baseUrl: 'http://sandbox/_sandbox/sessions/checkout/v1',
    now: '2026-01-15T12:00:00.000Z',
  }
  expect(first).toEqual({ status: 201, body })
  sandbox.ensureSession('checkout').clock.advance('P1D')
  const moved = { ...body, now: '2026-01-16T12:00:00.000Z' }
  expect(await put()).toEqual({ status: 200, body: moved })
  expect(await put(input)).toEqual({ status: 200, body: moved })
  expect(sandbox.ensureSession('checkout').faults.list()).toHaveLength(1)
})

it('PUT with options other than those of the session is refused, and names them', async () => {
  const { send } = await open()
  await send('PUT', '/sessions/checkout', { name: 'Checkout' })
  const other = { name: 'Checkout', now: '2026-03-01T00:00Z', faults: { status: 500 } }
  const { detail } = await expectProblem(await send('PUT', '/sessions/checkout', other), 'conflict')
  expect(detail).toMatch(/opened with another value of now, faults\. Leave the options out/)
  expect((await send('PUT', '/sessions/checkout')).status).toBe(200)
})

it('many PUTs at once open one session', async () => {
  const { send } = await open()
  const puts = Array.from({ length: 20 }, () => send('PUT', '/sessions/checkout', { future: 'living' }))
  const statuses = (await Promise.all(puts)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 200)).toHaveLength(19)
})
