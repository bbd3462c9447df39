import { expect, it } from 'vitest'

import { createSandbox } from '../../src/index.ts'
import { connect, open, organizationId, readAll } from './scenarios-support.ts'

/** Reads a list page by page, as a client that counts offsets. */
async function readIds(records: AsyncIterable<{ readonly id: number }>): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of records) ids.push(id)
  return ids
}

const findDoubled = (ids: readonly number[]): number[] => ids.filter((id, at) => ids.indexOf(id) !== at)

/** The records of a customer, each with the operation that lists them. */
const children = [
  ['signals', 'listSignals'],
  ['meetings', 'listCustomerMeetings'],
  ['notes', 'listCustomerNotes'],
] as const

it.each(children)(
  'page-drift: a client that counts offsets skips one of the %s, and gets another twice',
  async (collection, on) => {
    const { scenarios, data, listActs, client } = open()
    const customerId = 4
    await data[collection].create(Array.from({ length: 9 }, () => ({ customerId })))
    const read = () => readIds(client.each[on]({ organizationId, customerId, limit: 2 }))
    const truth = await read()
    scenarios.add({ name: 'page-drift', on, collection })
    const ids = await read()
    expect(truth.filter((id) => !ids.includes(id))).toEqual([truth[2]])
    expect(findDoubled(ids)).toEqual([truth[4]])
    expect(await read()).toEqual(truth)
    const noun = collection.slice(0, -1)
    expect(listActs()).toEqual([`deleted ${noun} ${truth[0]}`, `restored ${noun} ${truth[0]}`])
  },
)

it('page-drift: a log that is added at the top shows the last entry of each page again', async () => {
  const { scenarios, clock, data, listActs, client } = open()
  const { items: logs } = await data.triggerLogs.list({ organizationId })
  const { automationId = 0, triggerId = 0 } =
    logs.find((log) => logs.filter((one) => one.triggerId === log.triggerId).length > 8) ?? {}
  const input = { organizationId, automationId, triggerId, limit: 4 }
  const read = () => readIds(client.each.listAutomationTriggerLogs(input))
  const truth = await read()
  scenarios.add({ name: 'page-drift', on: 'listAutomationTriggerLogs', collection: 'triggerLogs' })
  const ids = await read()
  expect(truth.length).toBeGreaterThan(8)
  expect(findDoubled(ids)).toEqual([truth[3], truth[6]])
  const { items } = await client.listAutomationTriggerLogs(input)
  const added = items.slice(0, 2)
  expect(added.map(({ createdDate }) => createdDate)).toEqual([clock.now(), clock.now()])
  expect(listActs()).toEqual(added.toReversed().map(({ id }) => `added trigger log ${id}`))
  expect(new Set(items.map(({ message }) => message)).size).toBeGreaterThan(1)
  await data.undoAll()
  expect(await read()).toEqual(truth)
})

it.each(children)('deleted: one of the %s goes, and its customer stays as it was', async (collection, on) => {
  const { scenarios, clock, data, listActs, client } = open()
  scenarios.add({ name: 'deleted', collection, customerId: 3 })
  await data[collection].put({ customerId: 3 })
  const read = () => readIds(client.each[on]({ organizationId, customerId: 3 }))
  const before = await read()
  await readAll(client)
  const left = await read()
  const [act = ''] = listActs()
  const id = Number(/\d+$/.exec(act)?.[0])
  expect(act).toBe(`deleted ${collection.slice(0, -1)} ${id}`)
  expect(before.filter((one) => !left.includes(one))).toEqual([id])
  // A client that reads only the customers that have changed never finds out.
  expect(await readAll(client, clock.now())).toEqual([])
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

it.each([
  ['low', 30],
  ['high', 50],
] as const)('wrong-total: a total is too %s from the second request for a list on', async (total, wrong) => {
  const { scenarios, listActs, client } = open()
  scenarios.add({ name: 'wrong-total', after: 1, total, count: 10 })
  const totals: number[] = []
  for (const offset of [0, 0, 40]) {
    totals.push((await client.listCustomers({ organizationId, offset, limit: 10 })).totalCount)
  }
  await client.listMembers({ organizationId })
  expect(totals).toEqual([40, wrong, wrong])
  expect(scenarios.list()).toMatchObject([{ matched: 3, acted: 2 }])
  expect(listActs()[0]).toBe(`answered with a totalCount of ${wrong} in place of 40`)
})

it('late-visibility: acts only on lists that a change concerns', async () => {
  const { session, client, scenarios } = open()
  scenarios.add({ name: 'late-visibility' })
  await session.data.customers.patch(3, { city: 'Bath' })
  await session.data.notes.put({ customerId: 3 })
  await client.listProducts({ organizationId })
  await client.listMembers({ organizationId })
  await client.listSignals({ organizationId })
  await client.listCustomerNotes({ organizationId, customerId: 4 })
  expect(scenarios.list()).toMatchObject([{ acted: 0 }])
  await client.listCustomers({ organizationId })
  await client.listCustomerNotes({ organizationId, customerId: 3 })
  expect(scenarios.list()).toMatchObject([{ acted: 2 }])
  expect(session.requests.list().flatMap(({ scenarios: acts = [] }) => acts)).toHaveLength(2)
})

it('late-visibility: the first of two changes lags, and the second one does not', async () => {
  const { scenarios, data, client } = open()
  const before = await readAll(client)
  scenarios.add({ name: 'late-visibility', lag: 'alternate' })
  for (const id of [5, 6]) await data.customers.patch(id, { city: 'Oslo' })
  const changed = (await readAll(client)).filter(({ city }, at) => city !== before[at]?.city)
  expect(changed).toMatchObject([{ id: 6, city: 'Oslo' }])
})

it('late-visibility: in a living tenant, odd records lag while even ones are up to date', async () => {
  const session = (await createSandbox({ size: 40, future: 'living' })).session()
  session.clock.advance('P36D')
  const client = connect(session)
  const list = async () => {
    const { items } = await client.listSignals({ organizationId, limit: 250 })
    return new Map(items.map(({ id, updatedDate }) => [id, updatedDate]))
  }
  const before = await list()
  session.clock.advance('P1D')
  const after = await list()
  session.scenarios.add({ name: 'late-visibility', seconds: 86_400, lag: 'alternate' })
  const mixed = await list()
  const moved = [...new Map([...before, ...after]).keys()].filter((id) => before.get(id) !== after.get(id))
  expect(new Set(moved.map((id) => id % 2))).toEqual(new Set([0, 1]))
  for (const id of moved) expect(mixed.get(id)).toBe((id % 2 === 1 ? before : after).get(id))
})
