import { expect, it } from 'vitest'

import { open, openSynced, organizationId } from './sync-support.ts'

it('deleted_unseen: a deleted row stays until a full walk shows that it is gone, and for good in a copy that ignores that', async () => {
  const { scenarios, sync, readAll, findLatest, judge } = open()
  scenarios.add({ name: 'deleted', customerId: 7 })
  await readAll()
  await readAll(findLatest())
  const ghost = { id: 7, reason: 'deleted_unseen' }
  expect(await judge()).toMatchObject({ ghosts: [{ ...ghost, requests: [1], heals: 'full' }] })
  expect((await sync.verdict()).ghosts).toMatchObject([ghost])
  await readAll()
  expect(await judge()).toMatchObject({ ghosts: [{ ...ghost, requests: [6, 7, 8, 9], heals: 'never' }] })
  // The responses tell a client enough.
  expect((await sync.verdict()).ghosts).toEqual([])
})

it('deleted_unseen: the response 404 tells a client enough, too', async () => {
  const { client, clock, data, sync, readAll } = await openSynced()
  await data.customers.delete(7)
  await readAll(clock.now())
  expect((await sync.verdict()).ghosts).toMatchObject([{ id: 7 }])
  await client.getCustomer({ organizationId, customerId: 7 }).catch(() => undefined)
  expect((await sync.verdict()).ghosts).toEqual([])
})

it('deleted_unseen: the response 404 to a note says nothing about the note that has the id of its customer', async () => {
  const { client, data, faults, sync } = open()
  const note = { categoryId: 1, content: 'Called them' }
  const readNotes = () => client.listCustomerNotes({ organizationId, customerId: 1 }).catch(() => undefined)
  await data.notes.put({ id: 900, customerId: 1, ...note })
  await readNotes()
  await data.notes.delete(900)
  faults.add({ operationId: 'listCustomerNotes', status: 503 })
  await readNotes()
  await client.createCustomerNote({ organizationId, customerId: 900, body: note }).catch(() => undefined)
  expect((await sync.verdict()).ghosts).toMatchObject([{ collection: 'notes', id: 900 }])
})

it('deleted_unseen: a walk that has begun in the middle, and shown the row there, leaves it to the next one', async () => {
  const { data, readPage, judge } = open()
  for (const offset of [30, 0, 10, 20]) await readPage(offset)
  await data.customers.delete(35)
  await readPage(30)
  await readPage()
  const ghost = { id: 35, reason: 'deleted_unseen', requests: [1], heals: 'full' }
  expect(await judge()).toMatchObject({ ghosts: [ghost], walks: [{ isComplete: true }, {}] })
})
