import { expect, it } from 'vitest'

import type { Client } from '../../src/client.ts'
import { createSandbox, type SessionHandle } from '../../src/index.ts'
import {
  addSeconds,
  type Copy,
  findLatest,
  open,
  openSynced,
  organizationId,
  readAll,
  readTruth,
  sandbox,
  toCopy,
} from './scenarios-support.ts'

interface Listed {
  readonly id: number
}

interface Page {
  readonly items: readonly Listed[]
  readonly totalCount: number
}

/** Reads a list by counting offsets, as far as `totalCount` says. */
async function readByOffset(read: (page: { offset: number; limit: number }) => Promise<Page>, limit: number) {
  const ids: number[] = []
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const page = await read({ offset, limit })
    ids.push(...page.items.map(({ id }) => id))
    total = page.totalCount
  }
  return ids
}

const findDoubled = (ids: readonly number[]): number[] => ids.filter((id, at) => ids.indexOf(id) !== at)

/** Lists what scenarios have done. Order: as they did it. */
const listActs = ({ requests }: Pick<SessionHandle, 'requests'>): string[] =>
  requests.list().flatMap(({ scenarios = [] }) => scenarios.map(({ did }) => did))

/** Changes two customers in turn, lets a client with the greatest date as its cursor read, and again when all is visible. */
async function readBetweenChanges(lag: 'all' | 'alternate') {
  const { session, client, copy, cursor } = await openSynced({ name: 'late-visibility', seconds: 30, lag })
  for (const id of [5, 6]) {
    session.clock.advance('PT10S')
    await session.data.customers.patch(id, { employeeCount: 4_321 })
  }
  const first = await readAll(client, cursor)
  const later = findLatest(first, cursor)
  session.clock.advance('PT1M')
  const wrong = toCopy([...first, ...(await readAll(client, later))], copy)
  const sound = toCopy(await readAll(client, addSeconds(later, -60)), copy)
  return { session, first, wrong, sound, truth: await readTruth(session) }
}

it('late-visibility: the greatest date as a cursor survives a lag that is the same for all, but not one that is not', async () => {
  const same = await readBetweenChanges('all')
  expect(same.wrong).toEqual(same.truth)
  const { session, first, wrong, sound, truth } = await readBetweenChanges('alternate')
  expect(first.map(({ id }) => id)).toContain(6)
  expect(first.map(({ id, employeeCount }) => ({ id, employeeCount }))).not.toContainEqual({
    id: 5,
    employeeCount: 4_321,
  })
  expect(wrong.get(5)).not.toBe(4_321)
  expect(sound).toEqual(truth)
  expect(listActs(session)[0]).toMatch(/^answered as of /)
})

it('late-visibility: a copy of the session goes on alternating', async () => {
  const { session } = open()
  session.scenarios.add({ name: 'late-visibility', lag: 'alternate' })
  await session.data.customers.patch(5, { employeeCount: 4_321 })
  const copy = sandbox.session({ from: session.id })
  await copy.data.customers.patch(6, { employeeCount: 4_321 })
  await copy.data.customers.patch(7, { employeeCount: 4_321 })
  const { body } = await copy.preview({
    path: `/organizations/${organizationId}/customers?limit=7`,
    token: 'sbx_harbor_1',
  })
  const shown = JSON.parse(JSON.stringify(body)).items.map(
    (one: { employeeCount: number }) => one.employeeCount,
  )
  expect(shown.map((count: number) => count === 4_321)).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
    false,
  ])
})

it('late-visibility: in a living tenant, odd records lag while even ones are up to date', async () => {
  const living = await createSandbox({ size: 40, future: 'living' })
  const session = living.session()
  session.clock.advance('P36D')
  const list = async (): Promise<Copy> => {
    const { body } = await session.preview({
      path: `/organizations/${organizationId}/signals?limit=250`,
      token: 'sbx_harbor_1',
    })
    const { items }: { items: { id: number; updatedDate: string }[] } = JSON.parse(JSON.stringify(body))
    return new Map(items.map(({ id, updatedDate }) => [id, Date.parse(updatedDate)]))
  }
  const before = await list()
  session.clock.advance('P1D')
  const after = await list()
  session.scenarios.add({ name: 'late-visibility', seconds: 86_400, lag: 'alternate' })
  const mixed = await list()
  const moved = [...new Set([...before.keys(), ...after.keys()])].filter(
    (id) => before.get(id) !== after.get(id),
  )
  expect(moved.some((id) => id % 2 === 1)).toBe(true)
  expect(moved.some((id) => id % 2 === 0)).toBe(true)
  for (const id of moved) expect(mixed.get(id)).toBe((id % 2 === 1 ? before : after).get(id))
})

it.each([
  ['signals', 'listSignals', (client: Client) => client.listSignals],
  ['meetings', 'listCustomerMeetings', (client: Client) => client.listCustomerMeetings],
  ['notes', 'listCustomerNotes', (client: Client) => client.listCustomerNotes],
] as const)(
  'page-drift: a client that counts offsets skips one of the %s, and gets another twice',
  async (collection, on, get) => {
    const { session, client } = open()
    const customerId = 4
    await session.data[collection].create(Array.from({ length: 9 }, () => ({ customerId })))
    const read = (page: { offset: number; limit: number }): Promise<Page> =>
      get(client)({ organizationId, customerId, ...page })
    const truth = await readByOffset(read, 2)
    session.scenarios.add({ name: 'page-drift', on, collection })
    const ids = await readByOffset(read, 2)
    expect(truth.filter((id) => !ids.includes(id))).toEqual([truth[2]])
    expect(findDoubled(ids)).toEqual([truth[4]])
    expect(await readByOffset(read, 2)).toEqual(truth)
    const noun = collection.slice(0, -1)
    expect(listActs(session)).toEqual([`deleted ${noun} ${truth[0]}`, `restored ${noun} ${truth[0]}`])
  },
)

it('page-drift: a log that is added at the top shows the last entry of each page again', async () => {
  const { session, client } = open()
  const { items: logs } = await session.data.triggerLogs.list({ organizationId })
  const { automationId = 0, triggerId = 0 } =
    logs.find((log) => logs.filter((one) => one.triggerId === log.triggerId).length > 8) ?? {}
  const read = (page: { offset: number; limit: number }) =>
    client.listAutomationTriggerLogs({ organizationId, automationId, triggerId, ...page })
  const truth = await readByOffset(read, 4)
  session.scenarios.add({ name: 'page-drift', on: 'listAutomationTriggerLogs', collection: 'triggerLogs' })
  const ids = await readByOffset(read, 4)
  expect(truth.length).toBeGreaterThan(8)
  expect(findDoubled(ids)).toEqual([truth[3], truth[6]])
  const { items } = await read({ offset: 0, limit: 4 })
  const added = items.slice(0, 2)
  expect(added.map(({ createdDate }) => createdDate)).toEqual([session.clock.now(), session.clock.now()])
  expect(listActs(session)).toEqual(added.toReversed().map(({ id }) => `added trigger log ${id}`))
  expect(new Set(items.map(({ message }) => message)).size).toBeGreaterThan(1)
  await session.data.undoAll()
  expect(await readByOffset(read, 4)).toEqual(truth)
})

it.each([
  ['signals', (client: Client) => client.listSignals],
  ['meetings', (client: Client) => client.listCustomerMeetings],
  ['notes', (client: Client) => client.listCustomerNotes],
] as const)('deleted: one of the %s goes, and its customer stays as it was', async (collection, get) => {
  const { session, client, cursor } = await openSynced({ name: 'deleted', collection, customerId: 3 })
  await session.data[collection].put({ customerId: 3 })
  const read = async (): Promise<number[]> => {
    const { items } = await get(client)({ organizationId, customerId: 3, limit: 250 })
    return items.filter((one) => one.customerId === 3).map(({ id }) => id)
  }
  const before = await read()
  await readAll(client)
  const left = await read()
  const [act = ''] = listActs(session)
  const id = Number(/\d+$/.exec(act)?.[0])
  expect(act).toBe(`deleted ${collection.slice(0, -1)} ${id}`)
  expect(before.filter((one) => !left.includes(one))).toEqual([id])
  // A client that reads only the customers that have changed never finds out.
  expect((await readAll(client, addSeconds(cursor, 0.001))).map((one) => one.id)).not.toContain(3)
  await session.data.undo(collection, id)
  expect(await read()).toEqual(before)
})

it('deleted: takes the records that the response shows', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'deleted', on: 'listSignals', collection: 'signals', count: 2 })
  const { items } = await client.listSignals({ organizationId, limit: 250, status: 'open' })
  const { items: left } = await client.listSignals({ organizationId, limit: 250, status: 'open' })
  expect(left.map(({ id }) => id)).toEqual(items.slice(2).map(({ id }) => id))
})

it('child-only-change: a transcript that arrives late stays missing in a copy that reads each meeting once', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'child-only-change', field: 'transcript' })
  const customers = await readAll(client)
  const [act = ''] = listActs(session)
  const [, meetingId = 0, customerId = 0] =
    /^added the transcript of meeting (\d+) of customer (\d+)$/.exec(act)?.map(Number) ?? []
  const before = await open().client.getCustomerMeeting({ organizationId, customerId, meetingId })
  expect(before).toMatchObject({ hasTranscript: false, transcript: null })
  const after = await client.getCustomerMeeting({ organizationId, customerId, meetingId })
  expect(after).toMatchObject({ hasTranscript: true, updatedDate: session.clock.now() })
  expect(after.transcript?.length).toBeGreaterThan(3)
  expect(await readAll(client)).toEqual(customers)
  await session.data.undoAll()
  expect(await client.getCustomerMeeting({ organizationId, customerId, meetingId })).toEqual(before)
})

it('child-only-change: the transcript is that of the meeting that was read', async () => {
  const { session, client } = open()
  const { items } = await session.data.meetings.list({ organizationId })
  const meeting = items.findLast(
    (one) => !one.hasTranscript && one.contacts.length > 0 && one.endDate < '2026',
  )
  const place = { organizationId, customerId: meeting?.customerId ?? 0, meetingId: meeting?.id ?? 0 }
  session.scenarios.add({ name: 'child-only-change', on: 'getCustomerMeeting', field: 'transcript' })
  expect((await client.getCustomerMeeting(place)).transcript).toBeNull()
  expect((await client.getCustomerMeeting(place)).transcript).not.toBeNull()
})

it('wrong-total: a client that stops at totalCount misses the end, and one that stops at a short page does not', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'wrong-total', on: 'listCustomers', count: 10 })
  const read = (page: { offset: number; limit: number }) => client.listCustomers({ organizationId, ...page })
  const wrong = await readByOffset(read, 10)
  const sound: number[] = []
  for (;;) {
    const { items } = await read({ offset: sound.length, limit: 10 })
    sound.push(...items.map(({ id }) => id))
    if (items.length < 10) break
  }
  const truth = [...(await readTruth(session)).keys()]
  expect(wrong).toEqual(truth.slice(0, 30))
  expect(sound).toEqual(truth)
  expect(listActs(session)[0]).toBe('answered with a totalCount of 30 in place of 40')
})

it('wrong-total: a total that is too high is never reached', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'wrong-total', after: 1, total: 'high' })
  const totals = [
    (await client.listCustomers({ organizationId, limit: 1 })).totalCount,
    (await client.listCustomers({ organizationId, limit: 1 })).totalCount,
    (await client.listCustomers({ organizationId, offset: 40 })).totalCount,
  ]
  await client.listMembers({ organizationId })
  expect(totals).toEqual([40, 41, 41])
  expect(session.scenarios.list()).toMatchObject([{ matched: 3, acted: 2 }])
})
