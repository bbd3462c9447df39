import { expect, it } from 'vitest'

import type { SessionHandle } from '../../src/index.ts'
import { note, openSandbox } from '../support.ts'
import { expectRejected, openRecords } from './data-support.ts'

const sandbox = await openSandbox()
const open = () => openRecords(sandbox)

/** The collections that have parts, or are parts. */
const collections = ['customers', 'signals', 'notes', 'briefs', 'briefContents', 'automations'] as const

const readRecords = (data: SessionHandle['data']) => Promise.all(collections.map((name) => data[name].list()))

const untouched = await readRecords(sandbox.session().data)

async function expectUntouched({ data }: SessionHandle): Promise<void> {
  expect(await data.changes()).toEqual([])
  expect(await readRecords(data)).toEqual(untouched)
}

it('keeps other changes, also those of the parts of the record', async () => {
  const { data } = open()
  await data.customers.patch(1, { name: 'New' })
  await data.signals.patch(1, { summary: 'Mine' })
  await data.notes.delete(1)
  await data.undo('customers', 1)
  expect(await data.changes()).toEqual([
    { collection: 'signals', id: 1, kind: 'replaced' },
    { collection: 'notes', id: 1, kind: 'deleted' },
  ])
  expect(await data.signals.get(1)).toMatchObject({ summary: 'Mine' })
})

it('removes a created record with its parts, and moves records back that were moved to it', async () => {
  const { session, data } = open()
  await data.create({
    customers: [{ id: 900 }],
    notes: [{ id: 950, customerId: 900 }],
    meetings: [{ id: 960, customerId: 900 }],
  })
  await data.signals.patch(1, { customerId: 900 })
  expect(await data.undo('customers', 900)).toEqual({ customers: 1, signals: 1, meetings: 1, notes: 1 })
  await expectUntouched(session)
})

it('keeps records that have moved elsewhere', async () => {
  const { data } = open()
  await data.signals.patch(1, { customerId: 2 })
  const { signals = 0 } = await data.customers.delete(1)
  expect(await data.undo('customers', 1)).toMatchObject({ customers: 1, signals })
  expect(await data.signals.get(1)).toMatchObject({ customerId: 2 })
  expect(await data.changes()).toEqual([{ collection: 'signals', id: 1, kind: 'replaced' }])
})

it('restores a part of two deleted records with the second of them', async () => {
  const { session, data } = open()
  const [content] = (await data.briefContents.list()).items
  const { id = 0, customerId = 0, briefId = 0 } = content ?? {}
  await data.briefs.delete(briefId)
  await data.customers.delete(customerId)
  await data.undo('customers', customerId)
  await expectRejected(data.briefContents.get(id), 'not_found')
  await data.undo('briefs', briefId)
  expect(await data.briefContents.get(id)).toEqual(content)
  await expectUntouched(session)
})

it('does not restore a record without its owner, and names the owner', async () => {
  const { data } = open()
  await data.customers.delete(1)
  const before = await data.changes()
  const fact = 'Cannot undo the change of signal 1: customerId 1 matches no customer.'
  const advice = 'Undo or change that first, or undo all changes.'
  await expectRejected(data.undo('signals', 1), 'conflict', `${fact} ${advice}`)
  expect(await data.changes()).toEqual(before)
})

it('does not restore a record that refers to a missing one, nor its parts', async () => {
  const { data } = open()
  const { id } = await data.noteCategories.put({ name: 'Own', organizationId: 'harbor' })
  const notes = (await data.notes.list({ organizationId: 'harbor' })).items
  for (const { id: own } of notes) await data.notes.patch(own, { categoryId: id })
  await data.noteCategories.delete(1)
  const first = notes.find(({ category }) => category.id === 1)
  const { id: noteId = 0, customerId = 0 } = first ?? {}
  const missing = 'categoryId 1 matches no note category.'
  await expectRejected(data.undo('notes', noteId), 'conflict', `note ${noteId}: ${missing}`)
  await data.customers.delete(customerId)
  const whole = await expectRejected(data.undo('customers', customerId), 'conflict', missing)
  expect(whole.message).toMatch(/customer \d+: of note \d+, /)
})

it('does not remove a created record that others refer to, and names the first of them', async () => {
  const { data } = open()
  const { id, key } = await data.memberRoles.put({ name: 'Pilot' })
  await data.customers.patch(5, { memberRoles: [{ key, members: [1] }] })
  const used = `customer 5 refers to member role ${id}.`
  await expectRejected(data.undo('memberRoles', id), 'conflict', used)
  await data.undo('customers', 5)
  expect(await data.undo('memberRoles', id)).toEqual({ memberRoles: 1 })
})

it('neither restores a key that another record has taken, nor removes one that others refer to', async () => {
  const { data } = open()
  const { id, key } = await data.customFields.get(1)
  for (const customer of (await data.customers.list({ organizationId: 'harbor' })).items) {
    await data.customers.patch(customer.id, { customFields: [] })
  }
  await data.customFields.patch(id, { key: 'mine' })
  const taker = await data.customFields.put({ key })
  const taken = `key ${key} is already the key of custom field ${taker.id}`
  await expectRejected(data.undo('customFields', id), 'conflict', taken)
  await data.customFields.delete(taker.id)
  await data.customers.patch(2, { customFields: [{ key: 'mine', value: 1 }] })
  await expectRejected(data.undo('customFields', id), 'conflict', 'customer 2 refers to it by its key')
  await data.customers.patch(2, { customFields: [] })
  await data.undo('customFields', id)
  expect(await data.customFields.get(id)).toMatchObject({ key })
})

it('rejects the undo of a record that is unchanged or never existed', async () => {
  const { data } = open()
  const unchanged = 'Cannot undo the change of customer 1: it is unchanged.'
  await expectRejected(data.undo('customers', 1), 'not_found', unchanged)
  await expectRejected(data.undo('customers', 900), 'not_found')
  await data.customers.put({ id: 900 })
  await data.customers.delete(900)
  await expectRejected(data.undo('customers', 900), 'not_found')
})

it('undoes everything at once, and the session continues as if nothing had happened', async () => {
  const { session, data, mara, home } = open()
  session.clock.advance('P1D')
  await data.members.patch(1, { title: 'Lead' })
  await data.customers.create([{}, { id: 900 }])
  await data.customers.delete(900)
  await data.automations.delete(2)
  await data.customers.delete(4)
  const listed = await data.changes()
  const undone = await data.undoAll()
  expect(Object.values(undone).reduce((sum, count) => sum + count, 0)).toBe(listed.length)
  expect(undone).toMatchObject({ members: 1, customers: 2 })
  expect(session.clock.now()).toBe('2026-01-16T12:00:00.000Z')
  expect(session.requests.list().length).toBe(0)
  await expectUntouched(session)
  expect(await data.undoAll()).toEqual({})
  const { id } = await open().data.notes.put({})
  expect(await mara.post(`${home}/customers/1/notes`, note)).toMatchObject({ id })
})
