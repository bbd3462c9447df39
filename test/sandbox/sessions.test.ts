import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { as, control, expectProblem, note, notes, openSandbox, type Page, readControl } from '../support.ts'
import { fixture } from './control-support.ts'

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

it('sessions have their own ids, the same in every run', async () => {
  const [first, again] = [await openSandbox({ fixture }), await openSandbox({ fixture })]
  const ids = [first.session().id, first.session().id]
  expect(new Set(ids).size).toBe(2)
  expect([again.session().id, again.session().id]).toEqual(ids)
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

it('reset works over HTTP, returns the state of the sandbox, and keeps the tokens and the fingerprint', async () => {
  const sandbox = await openSandbox({ fixture })
  const mara = as(sandbox, 'mara')
  const { credentials } = sandbox
  const fingerprint = await sandbox.dataset.fingerprint()
  await mara.post(notes, note)
  const response = await control(sandbox, 'POST', '/reset')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'ok', seed: 42 })
  expect(sandbox.credentials).toEqual(credentials)
  expect(await sandbox.dataset.fingerprint()).toBe(fingerprint)
  expect(await mara.get(notes)).toMatchObject({ totalCount: 1 })
})

it('after a reset, data is still or living as when the session was opened, whatever state was restored', async () => {
  const sandbox = await openSandbox({ fixture })
  const open = async (future: 'still' | 'living') => {
    const { id } = await readControl<{ id: string }>(sandbox, 'POST', '/sessions', { future })
    return sandbox.ensureSession(id)
  }
  const [still, living] = [await open('still'), await open('living')]
  const [first, other] = [await still.saveState(), await living.saveState()]
  await still.restoreState(other)
  await living.restoreState(first)
  for (const session of [still, living]) await session.reset()
  expect(await still.saveState()).toEqual(first)
  expect(await living.saveState()).toEqual(other)
})

it('a note that is created during a reset exists before it or not at all', async () => {
  const sandbox = await openSandbox({ fixture })
  const mara = as(sandbox, 'mara')
  const [created] = await Promise.all([mara.post<CustomerNote>(notes, note), sandbox.reset()])
  const { items } = await mara.get<Page<CustomerNote>>(notes)
  expect([[5], [5, created.id]]).toContainEqual(items.map(({ id }) => id))
})

it('reseed keeps the options that are not given', async () => {
  const options = { size: 4, fixture: 'edge-cases', now: '2026-03-01T00:00:00.000Z' }
  const sandbox = await openSandbox({ seed: 1, ...options })
  await sandbox.reseed({ seed: 2 })
  expect(sandbox.dataset).toMatchObject({ seed: 2, ...options })
})

it('reseed works over HTTP, with the content of a fixture', async () => {
  const sandbox = await openSandbox({ fixture: 'empty' })
  const response = await control(sandbox, 'POST', '/reseed', { seed: 9, size: 3, fixture })
  expect(await response.json()).toMatchObject({ status: 'ok', seed: 9, size: 3 })
  expect(await as(sandbox, 'mara').get(notes)).toMatchObject({ totalCount: 1 })
})
