import { expect, it } from 'vitest'

import type { Client } from '../../src/client.ts'
import type { Customer } from '../../src/index.ts'
import {
  addSeconds,
  type Copy,
  findLatest,
  open,
  openSynced,
  organizationId,
  readAll,
  readTruth,
  store,
  toCopy,
} from './scenarios-support.ts'

it('bulk-update-ties: one page of changes for each run never gets past equal dates', async () => {
  const { session, client, copy, cursor } = await openSynced({ name: 'bulk-update-ties' })
  const wrong: Copy = new Map(copy)
  let wrongCursor = cursor
  for (let run = 0; run < 5; run += 1) {
    const { items } = await client.listCustomers({ organizationId, updatedSince: wrongCursor, limit: 10 })
    store(wrong, items)
    wrongCursor = findLatest(items, wrongCursor)
  }
  store(copy, await readAll(client, cursor))
  const truth = await readTruth(session)
  expect(wrong).not.toEqual(truth)
  expect(copy).toEqual(truth)
})

it('update-at-cursor: a cursor that excludes its own instant misses an update at it', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'update-at-cursor' })
  const first = await readAll(client)
  const cursor = findLatest(first)
  const wrong = toCopy([...first, ...(await readAll(client, addSeconds(cursor, 0.001)))])
  const sound = toCopy([...first, ...(await readAll(client, cursor))])
  const truth = await readTruth(session)
  expect(wrong).not.toEqual(truth)
  expect(sound).toEqual(truth)
})

/** Reads pages that overlap by one record, and starts again if the overlap is not that record. */
async function readWithOverlap(client: Client): Promise<Customer[]> {
  const customers: Customer[] = []
  for (;;) {
    const last = customers.at(-1)
    const offset = Math.max(customers.length - 1, 0)
    const { items, totalCount } = await client.listCustomers({ organizationId, offset, limit: 10 })
    if (last && items[0]?.id !== last.id) customers.length = 0
    else customers.push(...(last ? items.slice(1) : items))
    if (customers.length >= totalCount) return customers
  }
}

it('page-drift: a client that counts offsets skips one record, gets another twice, and still counts right', async () => {
  const clients = { wrong: open(), sound: open() }
  for (const { session } of Object.values(clients)) session.scenarios.add({ name: 'page-drift' })
  const read = (await readAll(clients.wrong.client)).map(({ id }) => id)
  const sound = toCopy(await readWithOverlap(clients.sound.client))
  const truth = await readTruth(clients.sound.session)
  expect([...truth.keys()].filter((id) => !read.includes(id))).toEqual([11])
  expect(read.filter((id, at) => read.indexOf(id) !== at)).toEqual([21])
  expect(read).toHaveLength(truth.size)
  expect(sound).toEqual(truth)
})

it('page-drift: restores exactly what it has deleted, and with `times: 1` nothing', async () => {
  const { session, client } = open()
  await session.data.customers.patch(1, { employeeCount: 4_321 })
  const before = {
    customers: await readTruth(session),
    signals: await session.data.signals.list({ limit: 250 }),
  }
  const once = { name: 'page-drift', times: 1, customerId: 2 } as const
  for (const scenario of [{ name: 'page-drift' }, { ...once, times: 2 }] as const)
    session.scenarios.add(scenario)
  await readAll(client)
  expect(session.scenarios.list()).toMatchObject([{ acted: 2 }, { acted: 2 }])
  expect(await readTruth(session)).toEqual(before.customers)
  expect(await session.data.signals.list({ limit: 250 })).toEqual(before.signals)
  expect((await session.data.changes()).map(({ id }) => id)).toEqual([1])
  session.scenarios.add(once)
  await readAll(client)
  expect((await readTruth(session)).has(2)).toBe(false)
})

it('change-while-reading: a cursor from the end of a run misses what changed during it', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'change-while-reading' })
  const startedAt = session.clock.now()
  const first = await readAll(client)
  const endedAt = session.clock.now()
  const wrong = toCopy([...first, ...(await readAll(client, endedAt))])
  const sound = toCopy([...first, ...(await readAll(client, startedAt))])
  const truth = await readTruth(session)
  expect(wrong).not.toEqual(truth)
  expect(sound).toEqual(truth)
})

it('late-visibility: a cursor without an overlap misses a change that lists show late', async () => {
  const { session, client, copy } = await openSynced({ name: 'late-visibility', seconds: 30 })
  await session.data.customers.patch(5, { employeeCount: 4_321 })
  session.clock.advance('PT10S')
  const cursor = session.clock.now()
  expect(await readAll(client, addSeconds(cursor, -60))).toEqual([])
  session.clock.advance('PT1M')
  const wrong = toCopy(await readAll(client, cursor), copy)
  const sound = toCopy(await readAll(client, addSeconds(cursor, -60)), copy)
  expect(wrong.get(5)).not.toBe(4_321)
  expect(sound).toEqual(await readTruth(session))
})

it('silent-change: changes by date alone never bring a field without a date', async () => {
  const { session, client, copy, cursor } = await openSynced({ name: 'silent-change' })
  const wrong: Copy = new Map(copy)
  store(wrong, await readAll(client))
  store(wrong, await readAll(client, cursor))
  // The sound client compares everything once a day.
  store(copy, await readAll(client))
  const truth = await readTruth(session)
  expect(wrong).not.toEqual(truth)
  expect(copy).toEqual(truth)
})

it('deleted: a list of changes does not report what is gone', async () => {
  const { session, client, copy, cursor } = await openSynced({ name: 'deleted' })
  const wrong: Copy = new Map(copy)
  store(wrong, await readAll(client))
  store(wrong, await readAll(client, cursor))
  const ids = new Set((await readAll(client)).map(({ id }) => id))
  const missing = [...copy.keys()].filter((id) => !ids.has(id))
  for (const customerId of missing) {
    const error = await client.getCustomer({ organizationId, customerId }).catch((reason) => reason)
    if (error.status === 404) copy.delete(customerId)
  }
  const truth = await readTruth(session)
  expect(missing).toHaveLength(1)
  expect([...wrong.keys()].filter((id) => !truth.has(id))).toEqual(missing)
  expect(copy).toEqual(truth)
})

it('merged: a 404 is not the end of an account whose id lives on in the sources of another one', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'merged' })
  const accounts = new Map((await readAll(client)).map((customer) => [customer.id, customer.sources]))
  const after = new Set((await readAll(client)).map(({ id }) => id))
  const gone = [...accounts.keys()].find((id) => !after.has(id)) ?? 0
  // The wrong client deletes the account. The sound one asks who has its id in the external system.
  const [source] = accounts.get(gone) ?? []
  const found = await client.listCustomers({
    organizationId,
    sourceKey: source?.key,
    sourceExternalId: source && [source.externalId],
  })
  const [act] = session.requests.list().flatMap(({ scenarios = [] }) => scenarios)
  expect(act?.did).toBe(`merged customer ${gone} into customer ${found.items[0]?.id}`)
})

it('child-only-change: meetings of unchanged customers change, too', async () => {
  const { session, client, cursor } = await openSynced({ name: 'child-only-change' })
  const readMeetings = async (customers: readonly Customer[]): Promise<Map<number, string>> => {
    const meetings = new Map<number, string>()
    for (const { id: customerId } of customers) {
      const { items } = await client.listCustomerMeetings({ organizationId, customerId, limit: 250 })
      for (const { id, updatedDate } of items) meetings.set(id, updatedDate)
    }
    return meetings
  }
  const customers = await readAll(client)
  const [meeting = ''] = session.requests.list().flatMap(({ scenarios = [] }) => scenarios[0]?.did ?? [])
  const id = Number(/^updated meeting (\d+)/.exec(meeting)?.[1])
  const now = session.clock.now()
  expect((await readMeetings(await readAll(client, addSeconds(cursor, 0.001)))).get(id)).not.toBe(now)
  expect((await readMeetings(customers)).get(id)).toBe(now)
})

it('member-leaves: signals still name a member that nobody can read', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'member-leaves', memberId: 2 })
  const before = await client.listMembers({ organizationId })
  await readAll(client)
  const members = new Map((await client.listMembers({ organizationId })).map((member) => [member.id, member]))
  const { items } = await client.listSignals({ organizationId, limit: 250 })
  const owners = items.map(({ ownerId }) => members.get(ownerId))
  expect(before).toHaveLength(members.size + 1)
  // The wrong client reads the email of an owner that it does not know.
  expect(() => owners.map((owner) => Object(owner).email.toLowerCase())).toThrow(TypeError)
  expect(owners.map((owner) => owner?.email ?? 'former member')).toContain('former member')
  const error = await client.getMember({ organizationId, memberId: 2 }).catch((reason) => reason)
  expect(error.status).toBe(404)
})
