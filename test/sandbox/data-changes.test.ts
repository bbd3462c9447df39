import { expect, it } from 'vitest'

import type { WrittenChange } from '../../src/index.ts'
import { control, expectInvalid, openSandbox, overHttp, type Page, readControl } from '../support.ts'
import { openRemote, serve } from './control-support.ts'
import { expectRejected } from './data-support.ts'
import { open, organizationId, readAll } from './scenarios-support.ts'

const body = { categoryId: 1, content: 'Asked for a call next week.' }
const note = { organizationId, customerId: 7, body }
const now = '2026-01-15T12:00:00.000Z'

it('a change has its author, its time, and the record before and after', async () => {
  const { scenarios, data, client } = open()
  await data.customers.patch(3, { segment: 'Startup' })
  const created = await client.createCustomerNote(note)
  scenarios.add({ name: 'silent-change', customerId: 5 })
  await readAll(client)
  const changes = await data.changes({})
  expect(changes).toMatchObject([
    { collection: 'customers', id: 3, kind: 'replaced', by: 'control', at: now },
    { collection: 'notes', id: created.id, kind: 'created', by: 'service', request: 1, before: null },
    { collection: 'customers', id: 5, by: 'scenario', scenario: 'silent-change', fields: ['employeeCount'] },
  ])
  expect(changes[0]).toMatchObject({
    fields: ['segment', 'updatedDate'],
    before: { segment: expect.not.stringMatching('Startup') },
    after: { segment: 'Startup' },
  })
  expect(changes[1]?.after).toMatchObject(created)
  expect(await data.changes({ by: 'service' })).toEqual([changes[1]])
  expect(await data.changes({ by: 'clock' })).toEqual([])
})

it('since a request, the change that it has made itself is not listed', async () => {
  const { data, client } = open()
  await client.createCustomerNote(note)
  const second = await client.createCustomerNote(note)
  await data.customers.patch(3, { segment: 'Startup' })
  const list = async (since: number) =>
    (await data.changes({ since })).map(({ collection, id }) => `${collection} ${id}`)
  expect(await list(0)).toHaveLength(3)
  expect(await list(1)).toEqual([`notes ${second.id}`, 'customers 3'])
  expect(await list(2)).toEqual(['customers 3'])
})

it('since an instant, what changed at it is listed, and nothing from before', async () => {
  const { clock, data, client } = open()
  await client.createCustomerNote(note)
  clock.advance('PT1H')
  const later = await client.createCustomerNote(note)
  const since = clock.now()
  expect(await data.changes({ since })).toMatchObject([{ id: later.id, at: since }])
  expect(await data.changes({ since: now })).toHaveLength(2)
})

it('what is as it was before does not count as changed', async () => {
  const { data } = open()
  const { segment, updatedDate } = await data.customers.get(3)
  await data.customers.patch(3, { segment: 'Startup' })
  await data.customers.patch(3, { segment, updatedDate })
  const created = await data.notes.put({ customerId: 7, content: 'Nothing new.' })
  await data.notes.delete(created.id)
  expect((await data.customers.history(3)).items).toEqual([])
  expect(await data.changes()).toEqual([])
  expect(await data.changes({})).toEqual([])
})

it('an author has the fields of its own changes, not those that others have made in between or since', async () => {
  const { session, scenarios, data, client } = open()
  await data.customers.patch(5, { segment: 'Startup' })
  scenarios.add({ name: 'silent-change', customerId: 5 })
  await readAll(client)
  const read = (query: string) => readControl(session, 'GET', `/data/changes?${query}`)
  const found = await read('by=control')
  expect(found).toMatchObject({ items: [{ id: 5, fields: ['segment', 'updatedDate'] }], totalCount: 1 })
  expect(await read('by=control&latest=9')).toEqual(found)
  await data.customers.patch(5, { city: 'Oslo' })
  const [change] = await data.changes({ by: 'control' })
  expect(change?.fields).toEqual(['city', 'segment', 'updatedDate'])
  expect((await data.changes({}))[0]?.fields).toContain('employeeCount')
})

it('a session begins again when it is reset or restored, and as a copy', async () => {
  const { session, data, client } = open()
  await data.customers.patch(3, { segment: 'Startup' })
  const before = session.snapshot()
  await client.createCustomerNote(note)
  session.restore(before)
  expect(await data.changes({})).toEqual([])
  expect(await data.changes()).toHaveLength(1)
  await client.createCustomerNote(note)
  expect(await data.changes({})).toMatchObject([{ kind: 'created', request: 2 }])
  await expectRejected(data.changes({ since: 1 }), 'conflict', 'Choose a later request')
  await session.reset()
  expect(await data.changes({})).toEqual([])
})

it('time counts as an author in a living tenant, and the session’s own changes as those of others', async () => {
  const session = (await openSandbox({ future: 'living' })).session()
  session.clock.advance('P10D')
  const since = session.clock.now()
  const counts = session.clock.advance('P5D')
  const { customers = 0 } = counts
  const byTime = await session.data.changes({ since, by: 'clock' })
  expect(byTime).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0))
  const changed = byTime.find(({ collection, kind }) => collection === 'customers' && kind === 'replaced')
  expect(changed?.fields).toContain('updatedDate')
  await session.data.customers.patch(changed?.id ?? 0, { city: 'Oslo' })
  const left = await session.data.changes({ since, by: 'clock' })
  expect(left.filter(({ collection }) => collection === 'customers')).toHaveLength(customers - 1)
  // By anybody, the record is compared with what it was before time changed it.
  const all = await session.data.changes({ since })
  expect(all.find(({ by }) => by === 'control')).toMatchObject({ before: changed?.before })
  expect(all).toHaveLength(byTime.length)
})

it('the latest changes come first, each with its time, and those from before a copy without their author', async () => {
  const sandbox = await openSandbox({ future: 'living' })
  await sandbox.data.customers.patch(3, { city: 'Bath' })
  const copy = sandbox.session({ from: 'default' })
  copy.clock.advance('P5D')
  const [{ id } = { id: 0 }] = await copy.data.notes.create([{ customerId: 7 }])
  const read = readControl<Page<Partial<WrittenChange>>>(copy, 'GET', '/data/changes?latest=250')
  const { items } = await read
  expect(items.find(({ at }) => at !== undefined)).toMatchObject({ id, collection: 'notes', by: 'control' })
  const times = items.flatMap(({ at }) => at ?? [])
  expect(times).toEqual(times.toSorted().toReversed())
  expect(items.some(({ by, at }) => by === 'clock' && at !== undefined)).toBe(true)
  const inherited = items.find((one) => one.collection === 'customers' && one.id === 3)
  expect(inherited).toMatchObject({ fields: ['city', 'updatedDate'], after: { city: 'Bath' } })
  expect(inherited).not.toHaveProperty('by')
})

it('changes that are too many to keep are an error, but not if they are by somebody else', async () => {
  const { data, client } = open()
  for (const length of [5_000, 5_000, 1_000]) {
    await data.notes.create(Array.from({ length }, () => ({ customerId: 7 })))
  }
  await client.createCustomerNote(note)
  expect(await data.changes({ by: 'service' })).toHaveLength(1)
  await expectRejected(data.changes({}), 'conflict', 'Choose a later request or instant')
})

it('over HTTP, changes come page by page, or the latest first, and a handle reads all of them', async () => {
  const { session } = await openRemote(await serve({ size: 'small' }))
  await session.data.notes.create(Array.from({ length: 1_009 }, () => ({ customerId: 7 })))
  await session.data.customers.patch(3, { segment: 'Startup' })
  const remote = overHttp(new URL(session.baseUrl).origin, { 'sandbox-session': session.id })
  const send = (query: string) => control(remote, 'GET', `/data/changes${query}`)
  const read = async (query: string): Promise<Page<{ readonly id: number }>> => (await send(query)).json()
  for (const query of ['?limit=100', '?since=0&limit=100', '?by=control&limit=100', '?latest=100']) {
    const [first, last] = [await read(query), await read(`${query}&offset=950`)]
    expect([first.items.length, last.items.length]).toEqual([100, 60])
    expect([first.totalCount, last.totalCount]).toEqual([1_010, 1_010])
    expect(new Set([...first.items, ...last.items].map(({ id }) => id)).size).toBe(160)
  }
  expect((await read('')).items).toHaveLength(1_000)
  expect(await read('?kind=replaced')).toMatchObject({ items: [{ id: 3 }], totalCount: 1 })
  expect(await read('?latest=1')).toMatchObject({ items: [{ id: 3, by: 'control' }], totalCount: 1_010 })
  expect(await read('?latest=1&kind=created')).toMatchObject({ items: [{ collection: 'notes' }] })
  expect(await read('?since=0&latest=1')).toEqual(await read('?latest=1'))
  expect(await read('?by=service&latest=5')).toEqual({ items: [], totalCount: 0 })
  await expectInvalid(await send('?limit=1001'), 'query limit')
  await expectInvalid(await send('?limit=9&latest=9'), 'query limit')
  expect(await session.data.changes()).toHaveLength(1_010)
  expect(await session.data.changes({})).toHaveLength(1_010)
})
