import { expect, it } from 'vitest'

import type { CustomerNote } from '../../src/index.ts'
import { as, control, crawl, expectInvalid, openSandbox, type Page } from '../support.ts'

const fixture = { extends: 'empty', customers: [{ id: 1 }], notes: [{ id: 5, customerId: 1 }] }
const notes = '/organizations/harbor/customers/1/notes'
const called = { categoryId: 1, content: 'Called.' }

it('reset restores every response, byte by byte', async () => {
  const sandbox = await openSandbox({ size: 3 })
  const mara = as(sandbox, 'mara')
  const before = await crawl(mara)
  await mara.post(notes, called)
  expect(await crawl(mara)).not.toEqual(before)
  await sandbox.reset()
  expect(await crawl(mara)).toEqual(before)
})

it('reset works over HTTP, returns the state of the sandbox, and keeps the tokens and the fingerprint', async () => {
  const sandbox = await openSandbox({ fixture })
  const mara = as(sandbox, 'mara')
  const { credentials } = sandbox
  const fingerprint = await sandbox.dataset.fingerprint()
  await mara.post(notes, called)
  const response = await control(sandbox, 'POST', '/reset')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'ok', seed: 42 })
  expect(sandbox.credentials).toEqual(credentials)
  expect(await sandbox.dataset.fingerprint()).toBe(fingerprint)
  expect(await mara.get(notes)).toMatchObject({ totalCount: 1 })
})

it('a note that is created during a reset exists before it or not at all', async () => {
  const sandbox = await openSandbox({ fixture })
  const mara = as(sandbox, 'mara')
  const [note] = await Promise.all([mara.post<CustomerNote>(notes, called), sandbox.reset()])
  const { items } = await mara.get<Page<CustomerNote>>(notes)
  expect([[5], [5, note.id]]).toContainEqual(items.map(({ id }) => id))
})

it('reseed drops new notes, and generates other data', async () => {
  const sandbox = await openSandbox({ seed: 1, size: 3 })
  const mara = as(sandbox, 'mara')
  const { items } = await mara.get<Page<{ id: number; name: string }>>('/organizations/harbor/customers')
  const list = `/organizations/harbor/customers/${items[0]?.id}/notes`
  const { totalCount } = await mara.get<Page<CustomerNote>>(list)
  const note = await mara.post<CustomerNote>(list, { ...called, content: 'Before the reseed' })
  await sandbox.reseed({ seed: 2 })
  expect(sandbox.dataset).toMatchObject({ seed: 2, size: 3 })
  expect(JSON.stringify(await mara.get(list))).not.toContain('Before the reseed')
  await sandbox.reseed({ seed: 1 })
  expect(await mara.get(list)).toMatchObject({ totalCount })
  expect(await mara.post(list, { ...called, content: 'Before the reseed' })).toEqual(note)
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

it('reseed rejects an unknown option, suggests the nearest known one, and changes nothing', async () => {
  const sandbox = await openSandbox({ fixture })
  const before = await sandbox.dataset.fingerprint()
  const send = (body: unknown) => control(sandbox, 'POST', '/reseed', body)
  const errors = [{ in: 'body', name: 'sede', message: 'is not known. Did you mean seed?' }]
  expect(await (await send({ sede: 1 })).json()).toMatchObject({ errors })
  await expectInvalid(await send({ seed: -1, size: 2 }), 'body seed', 'body size')
  await expectInvalid(await send([]), 'body ')
  // A fixture has a name or content, never a path.
  await expectInvalid(await send({ fixture: './fixtures/empty.json' }), 'body fixture')
  expect(await sandbox.dataset.fingerprint()).toBe(before)
})
