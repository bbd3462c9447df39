import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { tableNames } from '../../src/store/tables.ts'
import { note, notes, openSandbox, type Page } from '../support.ts'
import { openRecords } from './data-support.ts'

const sandbox = await openSandbox()
const NOW = '2026-01-15T12:00:00.000Z'

const open = () => openRecords(sandbox)

it('generates the missing fields of a customer, and the service returns it at once', async () => {
  const { data, mara, home } = open()
  const before = await mara.get<Page<Customer>>(`${home}/customers`)
  const { organizationId, ...customer } = await data.customers.put({ name: 'Bramble Books' })
  expect(organizationId).toBe('harbor')
  expect(customer).toMatchObject({ id: 26, name: 'Bramble Books', updatedDate: NOW })
  expect(await mara.get(`${home}/customers/26`)).toEqual(customer)
  const after = await mara.get<Page<Customer>>(`${home}/customers`)
  expect(after).toEqual({ items: [...before.items, customer], totalCount: before.totalCount + 1 })
})

it('finds an arranged customer by all filters that match it, and no longer by former values', async () => {
  const { data, mara, home } = open()
  const listed = async (query: string) => {
    const { items, totalCount } = await mara.get<Page<Customer>>(`${home}/customers?${query}`)
    expect(items).toHaveLength(totalCount)
    return items.some(({ id }) => id === 2)
  }
  const sources = [{ key: 'netsuite', externalId: 'n-1' }]
  const products = [{ key: 'alerts', status: 'onboarding' as const }]
  const memberRoles = [{ key: 'csm', members: [1] }]
  await data.customers.put({ id: 2, segment: 'Mine', city: 'Oz', sources, products, memberRoles })
  expect(await listed('segment=Mine&city=Oz&status=onboarding&scope=mine')).toBe(true)
  expect(await listed('memberId=1&memberRoleId=1')).toBe(true)
  expect(await listed('sourceKey=netsuite&sourceExternalId=n-1')).toBe(true)
  expect(await listed('status=active')).toBe(false)
  expect(await listed('segment=Enterprise')).toBe(false)
})

it('stores the same row when a record is put back unchanged, in every collection', async () => {
  const { data } = openRecords(await openSandbox({ size: 4 }))
  for (const name of tableNames) {
    const collection = data[name as 'customers']
    for (const record of (await collection.list()).items) {
      expect(await collection.put(record as { id: number })).toEqual(record)
    }
  }
  expect(await data.changes()).toEqual([])
})

it('lists the records of all organizations or of one, in pages', async () => {
  const { data } = open()
  const all = await data.customers.list()
  expect(new Set(all.items.map(({ organizationId }) => organizationId))).toEqual(new Set(['harbor', 'quill']))
  const quill = await data.customers.list({ organizationId: 'quill' })
  expect(quill.items.map(({ id }) => id)).toEqual([1000001, 1000002, 1000003])
  const second = await data.customers.list({ organizationId: 'quill', offset: 1, limit: 1 })
  expect(second).toEqual({ items: quill.items.slice(1, 2), totalCount: 3 })
})

it('accepts members by id, embedded, or as `memberIds`', async () => {
  const { data } = open()
  const one = await data.customers.patch(3, { memberRoles: [{ key: 'csm', members: [1, 2] }] })
  expect(one.memberRoles).toMatchObject([
    { key: 'csm', name: 'Customer Success Manager', members: [{ id: 1, firstName: 'Mara' }, { id: 2 }] },
  ])
  const embedded = [{ key: 'csm', members: [{ id: 1, firstName: 'Somebody' }, { id: 2 }] }]
  expect(await data.customers.patch(3, { memberRoles: embedded })).toEqual(one)
  expect(await data.customers.patch(3, { memberRoles: [{ key: 'csm', memberIds: [1, 2] }] })).toEqual(one)
  const meeting = await data.meetings.patch(1, { members: [2, { id: 3 }] })
  expect(meeting.members.map(({ id }) => id)).toEqual([2, 3])
  expect(await data.meetings.patch(1, { memberIds: [2, 3] })).toEqual(meeting)
})

it('accepts a product by key or id, and a category by id or embedded', async () => {
  const { data } = open()
  const alerts = { productKey: 'alerts', productId: 3 }
  expect(await data.signals.patch(1, { productKey: 'alerts' })).toMatchObject(alerts)
  const dashboards = { productKey: 'dashboards', productId: 1 }
  expect(await data.signals.patch(1, { productId: 1 })).toMatchObject(dashboards)
  expect((await data.notes.patch(1, { categoryId: 2 })).category).toMatchObject({ id: 2 })
  expect((await data.notes.patch(1, { category: { id: 1 } })).category).toEqual({ id: 1, name: 'Call' })
})

it('completes a product of a customer from existing ones', async () => {
  const { data } = open()
  const [before] = (await data.customers.get(1)).products
  const { products } = await data.customers.patch(1, { products: [{ key: 'dashboards', status: 'churned' }] })
  expect(products).toEqual([{ ...before, status: 'churned' }])
})

it('changes only the fields of a merge patch, and updatedDate, in the form of responses', async () => {
  const { data } = open()
  const before = await data.customers.get(1)
  const patched = await data.customers.patch(1, { city: 'Arnhem' })
  expect(patched).toEqual({ ...before, city: 'Arnhem', updatedDate: NOW })
  const { updatedDate } = await data.customers.patch(1, { updatedDate: '2026-01-02T03:04Z' })
  expect(updatedDate).toBe('2026-01-02T03:04:00.000Z')
  const signal = await data.signals.get(1)
  const changed = { latestNote: '', category: { id: 1, name: 'Use' }, updatedDate: NOW }
  const patch = { latestNote: null, category: { name: 'Use' } as never }
  expect(await data.signals.patch(1, patch)).toEqual({ ...signal, ...changed })
})

it('accepts "", null and the "none" entry as absent values', async () => {
  const { data } = open()
  const { outcome } = await data.signals.put({ status: 'closed', outcome: { id: 1, name: 'No outcome' } })
  expect(outcome).toEqual({ id: 1, name: 'No outcome' })
  for (const absent of [null, ''] as const) {
    const signal = await data.signals.put({ raisedDate: absent, competitor: absent, opportunity: absent })
    const competitor = { id: 1, name: 'No competitor' }
    expect(signal).toMatchObject({ isDraft: true, raisedDate: '', competitor, opportunity: '' })
  }
})

it('gives each new record the next id of its organization, and no id twice', async () => {
  const { data } = open()
  const given = { organizationId: 'quill' }
  expect((await data.customers.put({}, given)).id).toBe(1000004)
  expect((await data.customers.put({})).id).toBe(26)
  await data.customers.delete(26)
  expect((await data.customers.put({})).id).toBe(27)
  const [first, second] = await data.notes.create([{}, {}])
  const { id } = await open().mara.post<{ id: number }>(notes, note)
  expect([first?.id, second?.id]).toEqual([id, id + 1])
})

it('lists the members of an organization, also those who have left', async () => {
  const { data } = await openSandbox({ size: 'small' })
  await data.members.patch(9, { leftDate: '2026-01-01T00:00:00.000Z' })
  const { items } = await data.members.list({ organizationId: 'harbor' })
  expect(items.map(({ id }) => id)).toContain(9)
})

const LATER = '2026-01-20T08:30:00.000Z'

it.each(['customers', 'signals', 'meetings', 'notes'] as const)(
  'moves the updatedDate of %s to the session’s now with a patch',
  async (collection) => {
    const { data, session } = open()
    const { items } = await data[collection].list({ limit: 10 })
    session.clock.set(LATER)
    for (const { id } of items) {
      const before = await data[collection].get(id)
      const after = await data[collection].patch(id, {})
      expect(after).toEqual({ ...before, updatedDate: LATER })
      expect(await data[collection].get(id)).toEqual(after)
      await data.undo(collection, id)
      expect(await data[collection].get(id)).toEqual(before)
    }
  },
)

it('keeps the updatedDate of a record that is ahead of the session’s clock', async () => {
  const { data, session } = open()
  session.clock.set('2020-01-01T00:00Z')
  for (const collection of ['signals', 'meetings', 'notes'] as const) {
    const { items } = await data[collection].list({ limit: 10 })
    for (const before of items) expect(await data[collection].patch(before.id, {})).toEqual(before)
  }
})
