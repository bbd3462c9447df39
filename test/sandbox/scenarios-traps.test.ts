import { expect, it } from 'vitest'

import type { Client } from '../../src/client.ts'
import { createSandbox, type Customer, type SessionHandle } from '../../src/index.ts'
import type { Page } from '../support.ts'
import {
  addSeconds,
  findLatest,
  open,
  openSynced,
  organizationId,
  readAll,
  readTruth,
  toCopy,
} from './scenarios-support.ts'

interface Listed {
  readonly id: number
}

/** Reads a list by counting offsets, as far as `totalCount` says. */
async function readByOffset(
  read: (page: { offset: number; limit: number }) => Promise<Page<Listed>>,
  limit: number,
) {
  const ids: number[] = []
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const page = await read({ offset, limit })
    ids.push(...page.items.map(({ id }) => id))
    total = page.totalCount
  }
  return ids
}

const findDoubled = (ids: readonly number[]): number[] => ids.filter((id, at) => ids.indexOf(id) !== at)

/** Changes two customers in turn, lets a client with the greatest date as its cursor read, and again when all is visible. */
async function readBetweenChanges(lag: 'all' | 'alternate') {
  const opened = await openSynced({ name: 'late-visibility', seconds: 30, lag })
  const { session, clock, data, client, copy, cursor } = opened
  for (const id of [5, 6]) {
    clock.advance('PT10S')
    await data.customers.patch(id, { employeeCount: 4_321 })
  }
  const first = await readAll(client, cursor)
  const later = findLatest(first, cursor)
  clock.advance('PT1M')
  const wrong = toCopy([...first, ...(await readAll(client, later))], copy)
  const sound = toCopy(await readAll(client, addSeconds(later, -60)), copy)
  return { ...opened, first, wrong, sound, truth: await readTruth(session) }
}

it('late-visibility: the greatest date as a cursor survives a lag that is the same for all, but not one that is not', async () => {
  const same = await readBetweenChanges('all')
  expect(same.wrong).toEqual(same.truth)
  const { first, wrong, sound, truth, listActs } = await readBetweenChanges('alternate')
  expect(first.map(({ id }) => id)).toContain(6)
  expect(toCopy(first).get(5)).not.toBe(4_321)
  expect(wrong.get(5)).not.toBe(4_321)
  expect(sound).toEqual(truth)
  expect(listActs()[0]).toMatch(/^answered as of /)
})

it.each([
  ['signals', 'listSignals', (client: Client) => client.listSignals],
  ['meetings', 'listCustomerMeetings', (client: Client) => client.listCustomerMeetings],
  ['notes', 'listCustomerNotes', (client: Client) => client.listCustomerNotes],
] as const)(
  'page-drift: a client that counts offsets skips one of the %s, and gets another twice',
  async (collection, on, get) => {
    const { scenarios, data, listActs, client } = open()
    const customerId = 4
    await data[collection].create(Array.from({ length: 9 }, () => ({ customerId })))
    const read = (page: { offset: number; limit: number }): Promise<Page<Listed>> =>
      get(client)({ organizationId, customerId, ...page })
    const truth = await readByOffset(read, 2)
    scenarios.add({ name: 'page-drift', on, collection })
    const ids = await readByOffset(read, 2)
    expect(truth.filter((id) => !ids.includes(id))).toEqual([truth[2]])
    expect(findDoubled(ids)).toEqual([truth[4]])
    expect(await readByOffset(read, 2)).toEqual(truth)
    const noun = collection.slice(0, -1)
    expect(listActs()).toEqual([`deleted ${noun} ${truth[0]}`, `restored ${noun} ${truth[0]}`])
  },
)

it('page-drift: a log that is added at the top shows the last entry of each page again', async () => {
  const { scenarios, clock, data, listActs, client } = open()
  const { items: logs } = await data.triggerLogs.list({ organizationId })
  const { automationId = 0, triggerId = 0 } =
    logs.find((log) => logs.filter((one) => one.triggerId === log.triggerId).length > 8) ?? {}
  const read = (page: { offset: number; limit: number }) =>
    client.listAutomationTriggerLogs({ organizationId, automationId, triggerId, ...page })
  const truth = await readByOffset(read, 4)
  scenarios.add({ name: 'page-drift', on: 'listAutomationTriggerLogs', collection: 'triggerLogs' })
  const ids = await readByOffset(read, 4)
  expect(truth.length).toBeGreaterThan(8)
  expect(findDoubled(ids)).toEqual([truth[3], truth[6]])
  const { items } = await read({ offset: 0, limit: 4 })
  const added = items.slice(0, 2)
  expect(added.map(({ createdDate }) => createdDate)).toEqual([clock.now(), clock.now()])
  expect(listActs()).toEqual(added.toReversed().map(({ id }) => `added trigger log ${id}`))
  expect(new Set(items.map(({ message }) => message)).size).toBeGreaterThan(1)
  await data.undoAll()
  expect(await readByOffset(read, 4)).toEqual(truth)
})

it.each([
  ['signals', (client: Client) => client.listSignals],
  ['meetings', (client: Client) => client.listCustomerMeetings],
  ['notes', (client: Client) => client.listCustomerNotes],
] as const)('deleted: one of the %s goes, and its customer stays as it was', async (collection, get) => {
  const { data, listActs, client, cursor } = await openSynced({ name: 'deleted', collection, customerId: 3 })
  await data[collection].put({ customerId: 3 })
  const read = async (): Promise<number[]> => {
    const { items } = await get(client)({ organizationId, customerId: 3, limit: 250 })
    return items.filter((one) => one.customerId === 3).map(({ id }) => id)
  }
  const before = await read()
  await readAll(client)
  const left = await read()
  const [act = ''] = listActs()
  const id = Number(/\d+$/.exec(act)?.[0])
  expect(act).toBe(`deleted ${collection.slice(0, -1)} ${id}`)
  expect(before.filter((one) => !left.includes(one))).toEqual([id])
  // A client that reads only the customers that have changed never finds out.
  expect((await readAll(client, addSeconds(cursor, 0.001))).map((one) => one.id)).not.toContain(3)
  await data.undo(collection, id)
  expect(await read()).toEqual(before)
})

it('child-only-change: a transcript that arrives late stays missing in a copy that reads each meeting once', async () => {
  const { scenarios, clock, data, listActs, client } = open()
  scenarios.add({ name: 'child-only-change', field: 'transcript' })
  const customers = await readAll(client)
  const [act = ''] = listActs()
  const [, meetingId = 0, customerId = 0] =
    /^added the transcript of meeting (\d+) of customer (\d+)$/.exec(act)?.map(Number) ?? []
  const before = await open().client.getCustomerMeeting({ organizationId, customerId, meetingId })
  expect(before).toMatchObject({ hasTranscript: false, transcript: null })
  const after = await client.getCustomerMeeting({ organizationId, customerId, meetingId })
  expect(after).toMatchObject({ hasTranscript: true, updatedDate: clock.now() })
  expect(after.transcript?.length).toBeGreaterThan(3)
  expect(await readAll(client)).toEqual(customers)
  await data.undoAll()
  expect(await client.getCustomerMeeting({ organizationId, customerId, meetingId })).toEqual(before)
})

it('child-only-change: a note changes that the clock is behind of, and keeps its updatedDate', async () => {
  const { scenarios, clock, data, client } = open()
  const before = await data.notes.get(1)
  clock.set('2020-01-01T00:00:00Z')
  scenarios.add({ name: 'child-only-change', on: 'listCustomerNotes', collection: 'notes' })
  await client.listCustomerNotes({ organizationId, customerId: before.customerId })
  const after = await data.notes.get(1)
  expect(after).toEqual({ ...before, content: expect.stringContaining('Update: they confirmed it') })
})

it('wrong-total: a client that stops at totalCount misses the end, and one that stops at a short page does not', async () => {
  const { session, scenarios, listActs, client } = open()
  scenarios.add({ name: 'wrong-total', on: 'listCustomers', count: 10 })
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
  expect(listActs()[0]).toBe('answered with a totalCount of 30 in place of 40')
})

it('wrong-total: a total that is too high is never reached', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'wrong-total', after: 1, total: 'high' })
  const totals = [
    (await client.listCustomers({ organizationId, limit: 1 })).totalCount,
    (await client.listCustomers({ organizationId, limit: 1 })).totalCount,
    (await client.listCustomers({ organizationId, offset: 40 })).totalCount,
  ]
  await client.listMembers({ organizationId })
  expect(totals).toEqual([40, 41, 41])
  expect(scenarios.list()).toMatchObject([{ matched: 3, acted: 2 }])
})

async function previewList(session: Pick<SessionHandle, 'preview'>, list: string) {
  const path = `/organizations/${organizationId}/${list}`
  const { body } = await session.preview({ path, token: 'sbx_harbor_1' })
  const { items }: { items: Customer[] } = JSON.parse(JSON.stringify(body))
  return items
}

it('late-visibility: in a living tenant, odd records lag while even ones are up to date', async () => {
  const session = (await createSandbox({ size: 40, future: 'living' })).session()
  session.clock.advance('P36D')
  const list = async () =>
    new Map((await previewList(session, 'signals?limit=250')).map(({ id, updatedDate }) => [id, updatedDate]))
  const before = await list()
  session.clock.advance('P1D')
  const after = await list()
  session.scenarios.add({ name: 'late-visibility', seconds: 86_400, lag: 'alternate' })
  const mixed = await list()
  const moved = [...new Map([...before, ...after]).keys()].filter((id) => before.get(id) !== after.get(id))
  expect(new Set(moved.map((id) => id % 2))).toEqual(new Set([0, 1]))
  for (const id of moved) expect(mixed.get(id)).toBe((id % 2 === 1 ? before : after).get(id))
})
