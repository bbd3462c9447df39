import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { as, control, note, notes, openSandbox, type Page, readControl } from '../support.ts'
import { fixture } from './control-support.ts'

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
