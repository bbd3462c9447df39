import { expect, it } from 'vitest'

import { createClient } from '../../src/client.ts'
import { createSandbox, type ScenarioInput } from '../../src/index.ts'
import { as } from '../support.ts'
import { notes, open as openLimited } from './control-support.ts'
import { connect, findLatest, open, openSynced, organizationId, readAll } from './scenarios-support.ts'

/** Lists what scenarios did, in the order of the requests. */
const listActs = ({ requests }: Pick<ReturnType<typeof open>['session'], 'requests'>): string[] =>
  requests.list().flatMap(({ scenarios = [] }) => scenarios.map(({ did }) => did))

it.each<ScenarioInput>([
  { name: 'deleted', after: 2 },
  { name: 'change-while-reading', after: 2 },
  { name: 'extra-field', after: 2 },
])('an empty page does not count for $name', async (scenario) => {
  const { session, client } = open()
  session.scenarios.add(scenario)
  for (let run = 0; run < 3; run += 1)
    await client.listCustomers({ organizationId, updatedSince: '2030-01-01T00:00Z' })
  await client.listCustomers({ organizationId })
  expect(session.scenarios.list()).toMatchObject([{ matched: 1, acted: 0 }])
  await client.listCustomers({ organizationId })
  await client.listCustomers({ organizationId })
  expect(session.scenarios.list()[0]?.acted).toBeGreaterThan(0)
})

const createRequest = (signal?: AbortSignal): Request =>
  new Request(`http://sandbox/v1/organizations/${organizationId}/customers`, {
    headers: { authorization: 'Bearer sbx_harbor_1' },
    ...(signal && { signal }),
  })

it('a request that the client has aborted does not count, and nothing acts on it', async () => {
  const { session } = open()
  session.scenarios.add({ name: 'deleted' })
  session.scenarios.add({ name: 'bulk-update-ties' })
  session.scenarios.add({ name: 'token-revoked' })
  await session.fetch(createRequest(AbortSignal.abort())).catch(() => undefined)
  expect(session.scenarios.list().map(({ matched, acted }) => [matched, acted])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  await session.fetch(createRequest())
  expect(session.scenarios.list()).toMatchObject([{ acted: 1 }, { acted: 1 }, { matched: 1 }])
})

it('update-at-cursor updates one customer before the list and another after it, both at the present', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'update-at-cursor', customerId: 7 })
  const now = session.clock.now()
  const cursor = findLatest(await readAll(client))
  const { items } = await client.listCustomers({ organizationId, updatedSince: now })
  expect(cursor).toBe(now)
  expect(items.map(({ updatedDate }) => updatedDate)).toEqual([now, now])
  expect(listActs(session)).toEqual([
    expect.stringMatching(/^updated customer \d+ at/),
    `updated customer 7 at ${now}`,
  ])
  expect(session.scenarios.list()).toMatchObject([{ acted: 1 }])
})

it('update-at-cursor waits for the list that `after` says, and takes the time of its first page', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'update-at-cursor', after: 2 })
  session.clock.tick({ by: 'PT1M' })
  await readAll(client)
  expect(listActs(session)).toEqual([])
  const startedAt = session.clock.now()
  await readAll(client)
  const acts = listActs(session)
  expect(acts).toHaveLength(2)
  expect(acts.filter((did) => did.endsWith(`at ${startedAt}`))).toEqual(acts)
})

it.each(['update-at-cursor', 'change-while-reading', 'bulk-update-ties'] as const)(
  '%s: the time before the first request is a sound cursor',
  async (name) => {
    const { session, client } = open()
    session.scenarios.add({ name })
    const startedAt = session.clock.now()
    const copy = new Map((await readAll(client)).map((customer) => [customer.id, customer]))
    for (const customer of await readAll(client, startedAt)) copy.set(customer.id, customer)
    expect([...copy.values()]).toEqual(await readAll(client))
  },
)

it.each<readonly ScenarioInput[][]>([
  [[{ name: 'late-visibility' }, { name: 'scope-narrowed', after: 0, scope: 'mine' }]],
  [[{ name: 'scope-narrowed', after: 0, scope: 'mine' }, { name: 'late-visibility' }]],
])('scenarios compose: %o', async (scenarios) => {
  const { session, client } = open()
  const own = (await client.listCustomers({ organizationId, scope: 'mine' })).items
  for (const scenario of scenarios) session.scenarios.add(scenario)
  const [first] = own
  await session.data.customers.patch(first?.id ?? 0, { city: 'Bergen' })
  expect(await readAll(client)).toEqual(own)
  expect(session.scenarios.list().map(({ acted }) => acted > 0)).toEqual([true, true])
  session.clock.advance('PT30S')
  expect((await readAll(client)).map(({ city }) => city)).toContain('Bergen')
})

it('scopes that narrow each other compose, and of two lags the longer one counts', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'scope-narrowed', after: 0, scope: 'team' })
  session.scenarios.add({ name: 'scope-narrowed', after: 0, scope: 'mine' })
  const seen = (await readAll(client)).length
  session.scenarios.clear()
  expect(seen).toBe((await client.listCustomers({ organizationId, scope: 'mine' })).totalCount)
  session.scenarios.add({ name: 'late-visibility', seconds: 10 })
  session.scenarios.add({ name: 'late-visibility', seconds: 60 })
  const before = await readAll(client)
  await session.data.customers.patch(1, { city: 'Bergen' })
  session.clock.advance('PT30S')
  expect(await readAll(client)).toEqual(before)
  session.clock.advance('PT30S')
  expect((await readAll(client))[0]?.city).toBe('Bergen')
})

it.each(['bulk-update-ties', 'update-at-cursor', 'change-while-reading', 'silent-change'] as const)(
  '%s takes another customer if it cannot edit one',
  async (name) => {
    const { session, client } = open()
    const largest = { employeeCount: Number.MAX_SAFE_INTEGER }
    for (const id of [1, 2]) await session.data.customers.patch(id, largest)
    session.scenarios.add({ name })
    await readAll(client)
    const customers = await readAll(client)
    expect(session.scenarios.list()).toMatchObject([{ acted: 1 }])
    expect(customers.slice(0, 2)).toMatchObject([largest, largest])
    expect(() => session.scenarios.add({ name: 'silent-change', customerId: 1 })).toThrow('employeeCount')
    expect(session.scenarios.add({ name: 'deleted', customerId: 1 })).toMatchObject({ customerId: 1 })
  },
)

it('change-while-reading moves no clock if no customer of the page can be edited', async () => {
  const { session, client } = open()
  await session.data.customers.patch(1, { employeeCount: Number.MAX_SAFE_INTEGER })
  const now = session.clock.now()
  session.scenarios.add({ name: 'change-while-reading' })
  await client.listCustomers({ organizationId, limit: 1 })
  expect(session.clock.now()).toBe(now)
  expect(session.scenarios.list()).toMatchObject([{ acted: 0 }])
})

it('a bulk update of the edge cases leaves every list readable', async () => {
  const sandbox = await createSandbox({ size: 'small', fixture: 'edge-cases' })
  sandbox.scenarios.add({ name: 'bulk-update-ties' })
  const client = createClient({ baseUrl: 'http://sandbox/v1', token: 'sbx_harbor_1', fetch: sandbox.fetch })
  const customers = await readAll(client)
  expect(customers.filter(({ employeeCount }) => !Number.isSafeInteger(employeeCount))).toEqual([])
  expect(sandbox.scenarios.list()).toMatchObject([{ acted: 1 }])
})

it('new-enum-value takes the next record if one has no such field', async () => {
  const { session, client } = open()
  await session.data.customers.patch(1, { products: [] })
  session.scenarios.add({ name: 'new-enum-value', field: 'customers.products.status', value: 'paused' })
  const { items } = await client.listCustomers({ organizationId, limit: 3 })
  expect(items.map((item) => JSON.stringify(item).includes('"paused"'))).toEqual([false, true, false])
})

it('member-leaves: what is past goes on naming the member', async () => {
  const { session, client } = open()
  const memberId = 2
  const readPast = async () => {
    const { data } = session
    const now = session.clock.now()
    const lists = {
      meetings: (await data.meetings.list()).items.filter(({ startDate }) => startDate <= now),
      signals: (await data.signals.list()).items.filter(({ closedDate }) => closedDate !== ''),
      notes: (await data.notes.list()).items,
      briefs: (await data.briefContents.list()).items,
      triggers: (await data.triggerLogs.list()).items,
      actions: (await data.actionLogs.list()).items,
    }
    const records = Object.entries<readonly object[]>(lists).flatMap(([name, items]) =>
      items.map((item) => [`${name}/${Object(item).id}`, JSON.stringify(item)] as const),
    )
    return new Map(records)
  }
  const before = await readPast()
  session.scenarios.add({ name: 'member-leaves', memberId })
  await readAll(client)
  expect(listActs(session)).toEqual([expect.stringContaining('removed member 2')])
  const after = await readPast()
  expect([...before].filter(([key, record]) => after.get(key) !== record)).toEqual([])
  // Meetings to come do not name them any more.
  const { items: meetings } = await session.data.meetings.list()
  const later = meetings.filter(({ startDate }) => startDate > session.clock.now())
  expect(later.flatMap(({ members }) => members.map(({ id }) => id))).not.toContain(memberId)
  const { items: signals } = await session.data.signals.list()
  const owned = signals.filter(({ ownerId }) => ownerId === memberId)
  expect(owned.length).toBeGreaterThan(0)
  expect(owned.map(({ closedDate }) => closedDate)).not.toContain('')
  expect((await client.listMembers({ organizationId })).map(({ id }) => id)).not.toContain(memberId)
  expect(
    (
      await connect(session, 'sbx_harbor_2')
        .getCurrentMember()
        .catch((error) => error)
    ).status,
  ).toBe(401)
  expect(() => session.scenarios.add({ name: 'token-revoked', memberId })).toThrow('who has not left')
})

it('member-leaves: one who has no manager hands over to a report', async () => {
  const { session, client } = open()
  const top = (await client.listMembers({ organizationId })).find(({ id, managerId }) => id === managerId)
  session.scenarios.add({ name: 'member-leaves', on: 'getCurrentMember', memberId: top?.id })
  await client.getCurrentMember()
  expect(session.scenarios.list()).toMatchObject([{ acted: 1 }])
  const members = await client.listMembers({ organizationId })
  expect(members.filter(({ managerId }) => managerId === top?.id)).toEqual([])
  expect(members.filter(({ id, managerId }) => id === managerId)).toHaveLength(1)
})

/** Opens a session that is evicted as soon as it takes more than a megabyte. */
async function openSmall() {
  const { sandbox, json } = await openLimited({ sessions: { bytes: 1_000_000, inUse: 0 } })
  const session = sandbox.session()
  session.scenarios.add({ name: 'late-visibility', seconds: 3_600 })
  const countSessions = async () => (await json<{ totalCount: number }>('GET', '/sessions')).totalCount
  return { session, countSessions }
}

it('late-visibility: what lists do not show yet takes memory as the changes do, however many moments', async () => {
  const { session, countSessions } = await openSmall()
  session.clock.tick({ by: 'PT1S' })
  const mara = as(session, 'mara')
  const { totalCount } = await mara.get<{ totalCount: number }>(notes)
  for (let count = 0; count < 150; count += 1) {
    await mara.post(notes, { categoryId: 1, content: 'x'.repeat(1_000) })
  }
  expect(await mara.get(notes)).toMatchObject({ totalCount })
  expect(await countSessions()).toBe(1)
})

it('late-visibility: the former rows count among the memory of the session', async () => {
  const { session, countSessions } = await openSmall()
  for (let count = 0; count < 150; count += 1) {
    session.clock.advance('PT1S')
    await session.data.notes.put({ id: 9_001, customerId: 1, content: `${count}`.padEnd(10_000) })
  }
  expect(await countSessions()).toBe(0)
})

it('late-visibility: many writes of one instant are undone together, in a copy as well', async () => {
  const { session, client, copy } = await openSynced({ name: 'late-visibility', seconds: 20 })
  const readOne = async (from: typeof client) =>
    (await from.listCustomers({ organizationId, limit: 1 })).items[0]?.employeeCount
  const before = copy.get(1)
  for (const employeeCount of [1_001, 1_002]) await session.data.customers.patch(1, { employeeCount })
  session.clock.advance('PT10S')
  await session.data.customers.patch(1, { employeeCount: 1_003 })
  const snapshot = session.snapshot()
  await session.data.customers.patch(1, { employeeCount: 1_004 })
  await session.data.customers.delete(1)
  expect(await readOne(client)).toBe(before)
  session.clock.advance('PT10S')
  expect(await readOne(client)).toBe(1_002)
  session.restore(snapshot)
  session.clock.advance('PT10S')
  expect(await readOne(client)).toBe(1_002)
  session.clock.advance('PT10S')
  expect(await readOne(client)).toBe(1_003)
})
