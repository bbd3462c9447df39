import { expect, it } from 'vitest'

import { createClient } from '../../src/client.ts'
import { createSandbox } from '../../src/index.ts'
import {
  brief,
  findLatest,
  judge,
  open,
  openMeetings,
  organizationId,
  readAll,
  readPage,
} from './sync-support.ts'

it('unknown: a row that the service has never had', async () => {
  const syncing = open()
  await readAll(syncing)
  const { ghosts } = await syncing.session.sync.verdict({ customers: [...syncing.copy.keys(), 4_711] })
  expect(brief(ghosts)).toEqual([{ id: 4_711, reason: 'unknown', requests: [], heals: 'never' }])
})

it('what has changed since the last run began is pending', async () => {
  const syncing = open()
  await readAll(syncing)
  await syncing.session.data.customers.patch(4, { employeeCount: 7 })
  await syncing.session.data.customers.delete(5)
  await syncing.session.data.customers.put({ name: 'New' })
  expect(await judge(syncing)).toMatchObject({ correct: true, pending: 3, causes: [] })
})

it('compares ids only, if the copy has only these', async () => {
  const syncing = open()
  await readAll(syncing)
  const ids = [...syncing.copy.keys()]
  const { session } = syncing
  expect((await session.sync.verdict({ customers: ids })).correct).toBe(true)
  const { missed, doubled } = await session.sync.verdict({ customers: [...ids.slice(1), '2', 3] })
  expect(brief(missed)).toMatchObject([{ id: 1, reason: 'delivered_not_stored' }])
  expect(doubled.map(({ id }) => id)).toEqual([2, 3])
})

it('compares the fields that the copy has, instants and numbers by value, without those to ignore', async () => {
  const syncing = open()
  await readAll(syncing)
  const rows = Array.from(syncing.copy.values(), ({ id, employeeCount, updatedDate, products }) => ({
    id,
    employeeCount: `${employeeCount}.0`,
    updatedDate: new Date(updatedDate),
    products,
    syncedAt: 1,
  }))
  const { session } = syncing
  expect((await session.sync.verdict({ customers: rows })).correct).toBe(true)
  const [first, ...others] = rows
  const customers = [{ ...first, id: 1, employeeCount: '1e9' }, ...others]
  const { stale } = await session.sync.verdict({ customers })
  expect(stale).toMatchObject([{ id: 1, fields: ['employeeCount'], reason: 'delivered_not_stored' }])
  expect((await session.sync.verdict({ customers }, { ignore: ['employeeCount'] })).correct).toBe(true)
})

/** Keeps some customers, under other names. */
const map = ({ id, name }: Readonly<Record<string, unknown>>) =>
  Number(id) > 30 ? undefined : { customer: id, label: String(name).toUpperCase() }

it("compares in the client's own form, whatever it calls the id, and without the rows that it does not keep", async () => {
  const syncing = open()
  await readAll(syncing)
  const rows = Array.from(syncing.copy.values(), (customer) => map({ ...customer })).filter(Boolean)
  const { session } = syncing
  expect(rows.length).toBe(30)
  expect((await session.sync.verdict({ customers: rows }, { row: map })).correct).toBe(true)
  await session.data.customers.patch(7, { name: 'Renamed' })
  await readPage(syncing)
  const { stale } = await session.sync.verdict({ customers: rows }, { row: { customers: map } })
  expect(stale).toMatchObject([{ id: 7, fields: ['label'], reason: 'delivered_not_stored', requests: [5] }])
})

it('takes what scenarios have sent for the truth', async () => {
  const syncing = open()
  syncing.session.scenarios.add({ name: 'extra-field' })
  syncing.session.scenarios.add({ name: 'new-enum-value', field: 'customers.segment', value: 'Paused' })
  await readAll(syncing)
  expect([...syncing.copy.values()][0]).toMatchObject({ lifecycleStage: 'expansion', segment: 'Paused' })
  expect(await judge(syncing)).toMatchObject({ correct: true })
})

it('does not ask for rows that a member does not see any more, nor against them', async () => {
  const syncing = open()
  await readAll(syncing)
  const before = new Map(syncing.copy)
  syncing.session.scenarios.add({ name: 'scope-narrowed', after: 0, scope: 'mine' })
  syncing.copy.clear()
  await readAll(syncing)
  expect(syncing.copy.size).toBeLessThan(40)
  expect((await judge(syncing)).correct).toBe(true)
  const { sync } = syncing.session
  expect((await sync.verdict({ customers: [...before.values()] })).correct).toBe(true)
})

it('judges the requests of one member, who must be named if there are several', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  const headers = { authorization: 'Bearer sbx_harbor_2' }
  await session.fetch('/v1/organizations/harbor/customers?limit=5', { headers })
  await expect(session.sync.verdict()).rejects.toThrow(
    'is required, because several members have sent requests: 1, 2',
  )
  expect((await session.sync.verdict(undefined, { as: 1 })).correct).toBe(true)
  const { missed } = await session.sync.verdict(undefined, { as: 'sbx_harbor_2' })
  expect(missed.length).toBe(35)
  await expect(session.sync.verdict({}, { as: 'sbx_nobody_1' })).rejects.toThrow(
    'must be the token or the id',
  )
})

it.each([
  [{ customer: [] }, 'Did you mean customers?'],
  [
    { customers: [{ name: 'Acme' }] },
    'has no id. Keep the id of the service in each row, as id, or say with `row`',
  ],
  [{ customers: ['x'] }, 'is neither a row nor an id'],
  [{ customers: 3 }, 'must be a list'],
])('rejects a copy that is none: %o', async (copy, message) => {
  const { session } = open()
  await expect(session.sync.verdict(copy as never)).rejects.toThrow(message)
})

const loseId = ({ name }: Readonly<Record<string, unknown>>) => ({ name })

it('rejects options that do not exist, and a mapper that loses the id', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  await expect(session.sync.verdict({}, { allow: ['silent'] as never })).rejects.toThrow('silent_change')
  await expect(session.sync.verdict({}, { ignored: [] } as never)).rejects.toThrow('ignore')
  await expect(session.sync.verdict({ customers: [] }, { row: loseId })).rejects.toThrow(
    'with the id of the service',
  )
})

it('begins anew with a reset of the session, but not with a cleared journal', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  session.requests.clear()
  expect((await judge(syncing)).walks.length).toBe(1)
  await session.reset()
  expect((await judge(syncing)).walks).toEqual([])
})

it('says since when it can judge, if it had to forget', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  const before = session.snapshot()
  await session.data.customers.patch(3, { employeeCount: 1 })
  session.restore(before)
  await readAll(syncing, findLatest(syncing))
  const verdict = await judge(syncing)
  expect(verdict).toMatchObject({ correct: true, since: 5, walks: [{ requests: [5] }] })
  syncing.copy.delete(3)
  expect((await judge(syncing)).missed).toMatchObject([{ id: 3, heals: 'full' }])
  const [unread] = (await session.sync.verdict({ signals: [] })).missed
  expect(unread).toMatchObject({ reason: 'unknown', text: expect.stringContaining('before 5 are forgotten') })
})

it('reads the truth of any collection, as a member sees it, at any instant', async () => {
  const { session, client } = open()
  const { sync, clock } = session
  const first = clock.now()
  const { items } = await client.listSignals({ organizationId, limit: 250 })
  expect((await sync.truth('signals')).items).toEqual(items)
  const members = await sync.truth('members', { as: 'sbx_quill_501' })
  expect(members.items[0]).toMatchObject({ id: 501, organizationId: 'quill' })
  clock.advance('PT1H')
  await session.data.customers.patch(3, { name: 'Renamed' })
  clock.advance('PT1H')
  const names = async (at?: string) => (await sync.truth('customers', { at })).items[2]?.['name']
  expect(await names()).toBe('Renamed')
  expect(await names(first)).not.toBe('Renamed')
  expect((await sync.truth('customers', { at: first })).now).toBe(first)
})

it('reads the truth with the scenarios of the session, or without', async () => {
  const { session } = open()
  session.scenarios.add({ name: 'late-visibility', seconds: 30 })
  session.clock.advance('PT1M')
  await session.data.customers.delete(3)
  expect((await session.sync.truth('customers')).items.length).toBe(40)
  expect((await session.sync.truth('customers', { scenarios: false })).items.length).toBe(39)
})

it('the records of a customer go with it, also in a living tenant', async () => {
  const living = await createSandbox({ size: 3, future: 'living' })
  const session = living.session()
  const client = createClient({ baseUrl: 'http://sandbox/v1', token: 'sbx_harbor_1', fetch: session.fetch })
  const customer = { organizationId: 'harbor', customerId: 1 }
  await client.listCustomers({ organizationId: 'harbor' })
  const { items } = await client.listCustomerMeetings({ ...customer, limit: 250 })
  session.clock.advance('P3D')
  await session.data.customers.delete(1)
  const options = { allow: ['never_requested'] } as const
  const verdict = await session.sync.verdict({ meetings: items }, options)
  expect(verdict).toMatchObject({ correct: true, pending: items.length, ghosts: [] })
  await client.listCustomers({ organizationId: 'harbor' })
  const { ghosts } = await session.sync.verdict({ meetings: items }, options)
  expect(brief(ghosts)).toEqual(
    items.map(({ id }) => ({ id, reason: 'deleted_unseen', requests: [2], heals: 'full' })),
  )
})

it('fault_not_retried: a run that fails with its first request has read nothing', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  session.clock.advance('PT1M')
  for (let id = 1; id <= 12; id += 1) await session.data.customers.patch(id, { employeeCount: 7 })
  session.faults.add({ operationId: 'listCustomers', status: 503 })
  await readPage(syncing, 0, session.clock.now()).catch(() => undefined)
  const { causes } = await judge(syncing)
  expect(causes).toMatchObject([{ reason: 'fault_not_retried', kind: 'stale', count: 12, requests: [5] }])
})

it('late_visible: a list that lags still shows a row that is gone', async () => {
  const syncing = open()
  const { session } = syncing
  await readAll(syncing)
  session.scenarios.add({ name: 'late-visibility', seconds: 30 })
  session.clock.advance('PT1M')
  await session.data.customers.delete(4)
  session.clock.advance('PT10S')
  await readAll(syncing)
  expect(brief((await judge(syncing)).ghosts)).toEqual([
    { id: 4, reason: 'late_visible', requests: [5], heals: 'next' },
  ])
})

it('deleted_unseen: the response 404 tells a client enough, too', async () => {
  const syncing = open()
  const { session, client } = syncing
  await readAll(syncing)
  await session.data.customers.delete(7)
  await readAll(syncing, session.clock.now())
  expect((await session.sync.verdict()).ghosts).toMatchObject([{ id: 7 }])
  await client.getCustomer({ organizationId, customerId: 7 }).catch(() => undefined)
  expect((await session.sync.verdict()).ghosts).toEqual([])
})

it('fault_not_retried: a page that failed has also lost what comes after it', async () => {
  const syncing = open()
  syncing.session.faults.add({ operationId: 'listCustomers', status: 503, after: 2, times: 1 })
  await readPage(syncing)
  await readPage(syncing, 10)
  await readPage(syncing, 20).catch(() => undefined)
  const { causes } = await judge(syncing)
  expect(causes).toMatchObject([{ reason: 'fault_not_retried', count: 20, requests: [3] }])
})

it('never_requested: nothing asks for a page between two others', async () => {
  const syncing = open()
  await readPage(syncing)
  await readAll(syncing, undefined, 20)
  const { missed, causes } = await judge(syncing)
  expect(brief(missed)[0]).toEqual({ id: 11, reason: 'never_requested', requests: [1, 2], heals: 'never' })
  expect(causes).toMatchObject([{ count: 10, requests: [1, 2] }])
})

it('older_overwrote_newer: of two requests in flight, the first one is stored last', async () => {
  const syncing = open()
  const { session, client, copy } = syncing
  await readAll(syncing)
  session.clock.advance('PT1M')
  session.scenarios.add({ name: 'late-visibility', seconds: 30 })
  session.faults.add({ operationId: 'listCustomers', delayMs: 50 })
  await session.data.customers.patch(4, { employeeCount: 7 })
  const page = readPage(syncing)
  copy.set(4, await client.getCustomer({ organizationId, customerId: 4 }))
  await page
  expect(brief((await judge(syncing)).stale)).toMatchObject([
    { id: 4, reason: 'older_overwrote_newer', requests: [6, 5] },
  ])
})

it('a meeting whose changed customer a cursor has passed is stale by the same cause', async () => {
  const { session, meetings, read } = openMeetings()
  await read()
  session.clock.advance('PT1M')
  const { customerId } = await session.data.meetings.get(1)
  await session.data.meetings.patch(1, { topic: 'Another topic' })
  await session.data.customers.patch(customerId, { employeeCount: 7 })
  session.clock.advance('PT1M')
  await read(session.clock.now())
  const { stale } = await session.sync.verdict({ meetings: [...meetings.values()] })
  expect(brief(stale)).toMatchObject([{ id: 1, reason: 'cursor_past_change' }])
  expect(stale[0]?.text).toContain(`the change of customer ${customerId} was not seen`)
})
