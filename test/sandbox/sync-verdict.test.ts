import { expect, it } from 'vitest'

import { open, openSynced, organizationId } from './sync-support.ts'

it('unknown: a row changes while a scenario hides it from the list', async () => {
  const { scenarios, data, readAll, judge } = await openSynced()
  scenarios.add({ name: 'scope-narrowed', after: 0 })
  await data.customers.patch(3, { city: 'Bergen' })
  await readAll()
  const text = expect.stringContaining(
    'request 5, GET …/customers?offset=0&limit=10, has not shown it, although the service had it',
  )
  const stale = [{ id: 3, reason: 'unknown', requests: [5], heals: 'never', text }]
  expect(await judge()).toMatchObject({ stale })
})

it('never_requested: nothing asks for the rows, or for those of a list with a filter', async () => {
  const { sync, client, copy, judge } = open()
  const { items } = await client.listCustomers({ organizationId, scope: 'mine', limit: 250 })
  for (const customer of items) copy.set(customer.id, customer)
  const missed = Array.from({ length: 40 - items.length }, () => ({
    reason: 'never_requested',
    heals: 'never',
  }))
  expect(await judge()).toMatchObject({ missed, ghosts: [], stale: [] })
  // The verdict on what was delivered considers only lists that were read.
  expect((await sync.verdict()).correct).toBe(true)
})

it('never_requested: nothing asks for a page between two others', async () => {
  const { readPage, readAll, judge } = open()
  await readPage()
  await readAll(undefined, 20)
  const { missed, causes } = await judge()
  const text = expect.stringContaining(
    'a page was skipped: request 1, GET …/customers?offset=0&limit=10, ends',
  )
  expect(missed[0]).toMatchObject({
    id: 11,
    reason: 'never_requested',
    requests: [1, 2],
    heals: 'never',
    text,
  })
  expect(causes).toMatchObject([{ count: 10, requests: [1, 2] }])
})

it('never_requested: a walk begins after the row', async () => {
  const { data, readAll, judge } = await openSynced()
  await data.customers.patch(3, { employeeCount: 7 })
  await readAll(undefined, 20)
  const text = expect.stringContaining(
    'the walk begins with request 5, GET …/customers?offset=20&limit=10, and',
  )
  expect(await judge()).toMatchObject({ stale: [{ id: 3, reason: 'never_requested', text }] })
})

it('never_requested: a row moves to a list that was read before it', async () => {
  const { client, data, sync } = open()
  await data.customers.patch(3, { segment: 'Enterprise' })
  const read = (segment: string) => client.listCustomers({ organizationId, segment: [segment], limit: 250 })
  const { items } = await read('SMB')
  await data.customers.patch(3, { segment: 'SMB' })
  items.push(...(await read('Enterprise')).items)
  const { missed } = await sync.verdict({ customers: items })
  const text = expect.stringMatching(/it came into the list after request 1, .* was not read again/)
  expect(missed.find(({ id }) => id === 3)).toMatchObject({ reason: 'never_requested', requests: [1], text })
})

it('the meetings of a customer that was lost are lost with it, by the same cause', async () => {
  const { scenarios, sync, client, copy, readAll } = open()
  scenarios.add({ name: 'page-drift', times: 1 })
  await readAll()
  const meetings: object[] = []
  for (const customerId of copy.keys()) {
    const page = client.listCustomerMeetings({ organizationId, customerId, limit: 250 })
    meetings.push(...(await page.catch(() => ({ items: [] }))).items)
  }
  const text = expect.stringContaining('customer 11 is missing')
  const causes = [{ reason: 'page_drift', kind: 'missed', requests: [1, 2], text }]
  expect(await sync.verdict({ meetings })).toMatchObject({ causes })
})

it.for([
  ['parameters that the service ignores', ['offset=0&limit=20&_=1'], ['offset=20&limit=20&_=2']],
  ['a look before pages in any order', ['limit=1', 'offset=20&limit=20'], ['offset=0&limit=20']],
  ['pages that overlap', ['limit=20', 'offset=19&limit=20', 'offset=38&limit=20'], ['offset=57&limit=20']],
  ['pages after the end', ['limit=20', 'offset=20&limit=20', 'offset=40&limit=20'], ['offset=60&limit=20']],
  ['a first page that failed before', ['offset=20&limit=20', 'limit=20', 'offset=40&limit=20'], ['limit=20']],
] as const)('does not begin to read a list again with %s', async ([name, before, after]) => {
  const { session, data, faults, sync } = open()
  const copy = new Map<number, object>()
  const read = async (query: string): Promise<void> => {
    const headers = { authorization: 'Bearer sbx_harbor_1' }
    const response = await session.fetch(`/v1/organizations/${organizationId}/customers?${query}`, {
      headers,
    })
    for (const row of response.ok ? (await response.json()).items : []) copy.set(row.id, row)
  }
  if (name.includes('failed')) faults.add({ operationId: 'listCustomers', status: 503, after: 1, times: 1 })
  for (const query of before) await read(query)
  const id = [...copy.keys()].at(-1) ?? 0
  await data.customers.patch(id, { employeeCount: 7 })
  for (const query of after) await read(query)
  expect(await sync.verdict({ customers: [...copy.values()] })).toMatchObject({ correct: true, pending: 1 })
})

it('compares ids only, if the copy has only these', async () => {
  const { sync, copy } = await openSynced()
  const ids = [...copy.keys()]
  expect((await sync.verdict({ customers: ids })).correct).toBe(true)
  expect(await sync.verdict({ customers: [...ids.slice(1), '2', 3] })).toMatchObject({
    missed: [{ id: 1, reason: 'delivered_not_stored' }],
    doubled: [{ id: 2 }, { id: 3 }],
  })
})

it('names the first requests that have delivered a doubled row, and says how many others have', async () => {
  const { copy, readPage, sync } = open()
  for (let reads = 0; reads < 7; reads += 1) await readPage()
  const [row] = copy.values()
  const text = expect.stringContaining('requests 1, 2, 3, 4, 5 and 2 more (the last: request 7,')
  expect((await sync.verdict({ customers: [row, row] })).doubled).toMatchObject([{ id: 1, text }])
})

it('compares the fields that the copy has in the types of the service, without those to ignore', async () => {
  const { data, sync, copy, readPage } = await openSynced()
  const rows = Array.from(copy.values(), ({ id, employeeCount, updatedDate, products }) => ({
    id,
    employeeCount: `${employeeCount}.0`,
    updatedDate: new Date(updatedDate),
    products,
    syncedAt: 1,
  }))
  expect((await sync.verdict({ customers: rows })).correct).toBe(true)
  await data.customers.patch(2, { name: '00123' })
  await readPage()
  const named = rows.map((row) => (row.id === 2 ? { ...row, ...copy.get(2), name: 123 } : row))
  expect(await sync.verdict({ customers: named })).toMatchObject({ stale: [{ id: 2, fields: ['name'] }] })
  const customers = rows.map((row) =>
    row.id === 1 ? { ...row, employeeCount: '1e9' } : { ...row, ...copy.get(row.id) },
  )
  const stale = [{ id: 1, fields: ['employeeCount'], reason: 'delivered_not_stored' }]
  expect(await sync.verdict({ customers })).toMatchObject({ stale })
  expect((await sync.verdict({ customers }, { ignore: ['employeeCount'] })).correct).toBe(true)
})

/** Maps a customer as a client keeps it to the service's form. */
const map = ({ customer, label }: { customer: number; label: string }) => ({ id: customer, name: label })

it("maps the copy to the service's form, whatever the client calls the id", async () => {
  const { data, sync, copy, readPage } = await openSynced()
  const customers = Array.from(copy.values(), ({ id, name }) => ({ customer: id, label: name }))
  expect((await sync.verdict({ customers }, { row: map })).correct).toBe(true)
  await data.customers.patch(7, { name: 'Renamed' })
  await readPage()
  const stale = [{ id: 7, fields: ['name'], reason: 'delivered_not_stored', requests: [5] }]
  expect(await sync.verdict({ customers }, { row: { customers: map } })).toMatchObject({ stale })
})

it('takes what scenarios have sent for the truth', async () => {
  const { scenarios, copy, readAll, judge } = open()
  scenarios.add({ name: 'extra-field' })
  scenarios.add({ name: 'new-enum-value', field: 'customers.segment', value: 'Paused' })
  await readAll()
  expect([...copy.values()][0]).toMatchObject({ lifecycleStage: 'expansion', segment: 'Paused' })
  expect((await judge()).correct).toBe(true)
})

it('does not ask for rows that a member does not see any more, nor against them', async () => {
  const { scenarios, sync, copy, readAll, judge } = await openSynced()
  const customers = [...copy.values()]
  scenarios.add({ name: 'scope-narrowed', after: 0, scope: 'mine' })
  copy.clear()
  await readAll()
  expect(copy.size).toBeLessThan(40)
  expect((await judge()).correct).toBe(true)
  expect((await sync.verdict({ customers })).correct).toBe(true)
})

it('is an error if there is nothing to judge: no request, or neither rows nor a walk', async () => {
  const { sync, client, readAll } = open()
  await expect(sync.verdict({ customers: [] })).rejects.toThrow('member 1 has sent no request')
  await client.getCustomer({ organizationId, customerId: 1 })
  await expect(sync.verdict()).rejects.toThrow('no request of member 1 has listed records')
  await readAll()
  await expect(sync.verdict({})).rejects.toThrow('There is nothing to judge: the copy has no collection')
  expect(await sync.verdict()).toMatchObject({ correct: true })
})

it('unknown: lists the first 1,000 of the rows that the service has never had, and counts all', async () => {
  const { sync, copy } = await openSynced()
  const unknown = Array.from({ length: 1_200 }, (_, at) => 9_000 + at)
  const { ghosts, counts, causes, text } = await sync.verdict({ customers: [...copy.keys(), ...unknown] })
  expect(ghosts.map(({ id }) => id)).toEqual(unknown.slice(0, 1_000))
  expect(ghosts[0]).toMatchObject({ reason: 'unknown', requests: [], heals: 'never' })
  expect(counts).toEqual({ missed: 0, stale: 0, doubled: 0, ghosts: 1_200 })
  expect(causes).toMatchObject([{ count: 1_200, ids: unknown.slice(0, 1_000) }])
  expect(text).toContain('1200 ghosts')
})

it('judges the requests of one member, who must be named if there are several', async () => {
  const { session, sync } = await openSynced()
  const headers = { authorization: 'Bearer sbx_harbor_2' }
  await session.fetch('/v1/organizations/harbor/customers?limit=5', { headers })
  await expect(sync.verdict()).rejects.toThrow(
    'is required, because several members have sent requests: 1, 2',
  )
  expect((await sync.verdict(undefined, { as: 1 })).correct).toBe(true)
  expect((await sync.verdict(undefined, { as: 'sbx_harbor_2' })).missed.length).toBe(35)
  await expect(sync.verdict(undefined, { as: 'sbx_nobody_1' })).rejects.toThrow('must be the token or the id')
})

const loseId = ({ name }: Readonly<Record<string, unknown>>) => ({ name })

it.for([
  [{ customer: [] }, {}, 'Did you mean customers?'],
  [{ customerNotes: [] }, {}, 'Did you mean notes?'],
  [[{ id: 1 }], {}, 'must be an object'],
  [{ customers: [{ name: 'Acme' }] }, {}, "has no id. Give each row in the service's form"],
  [{ customers: ['x'] }, {}, 'is neither a row nor an id'],
  [{ customers: 3 }, {}, 'must be a list'],
  [{}, { allow: ['silent'] }, 'silent_change'],
  [{}, { ignored: [] }, 'ignore'],
  [{ customers: [{ id: 1 }] }, { row: loseId }, 'has no id'],
] as const)(
  'rejects a copy that is none, and options that do not exist: %o %o',
  async ([copy, options, message]) => {
    const { sync } = await openSynced()
    await expect(sync.verdict(copy as never, options as never)).rejects.toThrow(message)
  },
)

it('begins anew with a reset of the session, but not with a cleared journal', async () => {
  const { session, requests, readPage, judge } = await openSynced()
  requests.clear()
  expect((await judge()).walks.length).toBe(1)
  await session.reset()
  await readPage()
  expect((await judge()).walks).toMatchObject([{ requests: [1] }])
})

it('says since when it can judge, if it had to forget', async () => {
  const { session, data, sync, copy, readAll, findLatest, judge } = await openSynced()
  const before = session.snapshot()
  await data.customers.patch(3, { employeeCount: 1 })
  session.restore(before)
  await readAll(findLatest())
  expect(await judge()).toMatchObject({ correct: true, since: 5, walks: [{ requests: [5] }] })
  copy.delete(3)
  expect(await judge()).toMatchObject({ missed: [{ id: 3, heals: 'full' }] })
  const [unread] = (await sync.verdict({ signals: [] })).missed
  expect(unread).toMatchObject({ reason: 'unknown', text: expect.stringContaining('before 5 are forgotten') })
})

it.each([0, 10])(
  'a page at %i that is asked for again while it is still in flight begins no new read',
  async (slow) => {
    const { session, faults, data, copy, readPage, judge } = open()
    faults.add({ operationId: 'listCustomers', gate: true, times: 1 })
    const late = readPage(slow)
    await session.gates.next()
    for (const offset of [0, 10, 20, 30]) if (offset !== slow) await readPage(offset)
    await data.customers.patch(35, { employeeCount: 7 })
    await readPage(slow)
    session.gates.releaseAll()
    await late
    expect(await judge()).toMatchObject({ correct: true, pending: 1, walks: [{ isComplete: true }] })
    expect(copy.size).toBe(40)
  },
)

it.for([
  ['is complete', [30, 0, 10, 20, 20], 25, [0, 30, 10]],
  ['has a gap', [30, 0, 10, 30], 35, [0, 10, 20]],
] as const)(
  'begins a read in any order with a page of the one before, which %s',
  async ([, begun, id, rest]) => {
    const { data, readPage, judge } = open()
    for (const offset of begun) await readPage(offset)
    await data.customers.patch(id, { employeeCount: 7 })
    for (const offset of rest) await readPage(offset)
    expect(await judge()).toMatchObject({ correct: true, pending: 1 })
  },
)

it('begins a read with a repeated request if the first one is answered later', async () => {
  const { client, copy, data, faults, session, readPage, judge } = open()
  for (const offset of [0, 10, 20, 30]) await readPage(offset)
  faults.add({ gate: true, times: 1 })
  const first = client.listCustomers({ organizationId, offset: 10, limit: 10 })
  await session.gates.next()
  const before = new Map(copy)
  await data.customers.patch(35, { employeeCount: 7 })
  for (const offset of [10, 30, 0, 20]) await readPage(offset)
  session.gates.releaseAll()
  await first
  for (const [id, customer] of before) copy.set(id, customer)
  expect((await judge()).stale).toMatchObject([{ id: 35, reason: 'delivered_not_stored' }])
})
