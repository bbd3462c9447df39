import { expect, it } from 'vitest'

import type { ScenarioInput } from '../../src/index.ts'
import { scenarioNames } from '../../src/testing/scenarios/definitions.ts'
import { as, control, customers, expectProblem, notes } from '../support.ts'
import { connect, open, organizationId, readAll, sandbox } from './scenarios-support.ts'

it.each([
  [{}, 'name'],
  [{ name: 'page-drfit' }, 'name'],
  [{ name: 'page-drift', seconds: 3 }, 'seconds'],
  [{ name: 'page-drift', on: 'listCustomer' }, 'on'],
  [{ name: 'page-drift', customerId: 999_999 }, 'customerId'],
  [{ name: 'token-revoked', memberId: 999_999 }, 'memberId'],
  [{ name: 'child-only-change', collection: 'products' }, 'collection'],
  [{ name: 'new-enum-value', field: 'signals.summary' }, 'field'],
  [{ name: 'daily-quota', requests: 0 }, 'requests'],
  [{ name: 'deleted', on: 'getCurrentMember' }, 'on'],
  [{ name: 'new-enum-value', value: 'x'.repeat(101) }, 'value'],
  [{ name: 'new-enum-value', value: '', field: 'signals.summary' }, 'value', 'field'],
  [{ name: 'new-enum-value', value: 'open' }, 'value'],
  [{ name: 'extra-field', field: 'id' }, 'field'],
  [{ name: 'page-drift', collection: 'signals' }, 'on'],
  [{ name: 'page-drift', collection: 'triggerLogs', on: 'listAutomationActionLogs' }, 'on'],
  [
    { name: 'page-drift', collection: 'actionLogs', on: 'listAutomationActionLogs', customerId: 1 },
    'customerId',
  ],
  [{ name: 'deleted', collection: 'triggerLogs' }, 'collection'],
  [{ name: 'child-only-change', field: 'summary' }, 'field'],
  [{ name: 'late-visibility', lag: 'some' }, 'lag'],
  [{ name: 'wrong-total', on: 'listMembers' }, 'on'],
  [{ name: 'wrong-total', total: 'none' }, 'total'],
])('refuses %o and names the field', async (scenario, ...fields) => {
  const response = await control(open().session, 'POST', '/scenarios', scenario)
  const { errors = [] } = await expectProblem(response, 'invalid_request')
  expect(errors.map(({ name }) => name)).toEqual(fields)
})

it('acts as often as `times` says, from the request that `after` says, on a record of its own choice', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'deleted', after: 2, times: 2, customerId: undefined })
  const totals: number[] = []
  for (let run = 0; run < 5; run += 1) totals.push((await readAll(client)).length)
  expect(totals).toEqual([40, 40, 39, 38, 38])
  expect(scenarios.list()).toMatchObject([{ matched: 5, acted: 2 }])
})

it('acts on the customer of the request, whichever operation it is', async () => {
  const { scenarios, client, listActs } = open()
  scenarios.add({ name: 'silent-change', on: 'getCustomer' })
  scenarios.add({ name: 'child-only-change', on: 'listSignals', collection: 'signals' })
  scenarios.add({ name: 'child-only-change', on: 'listCustomerNotes', collection: 'notes' })
  await client.getCustomer({ organizationId, customerId: 5 })
  const [signal] = (await client.listSignals({ organizationId, limit: 250 })).items
  const [note] = (await client.listCustomerNotes({ organizationId, customerId: 1 })).items
  expect(listActs()).toEqual([
    'changed employeeCount of customer 5',
    `updated signal ${signal?.id} of customer ${signal?.customerId}`,
    `updated note ${note?.id} of customer 1`,
  ])
})

it('merged acts on the only customer that a response shows', async () => {
  const { scenarios, client, listActs } = open()
  scenarios.add({ name: 'merged', on: 'getCustomer' })
  await client.getCustomer({ organizationId, customerId: 2 })
  scenarios.add({ name: 'merged' })
  await client.listCustomers({ organizationId, domain: ['auwaldcastings.example'] })
  expect(listActs()).toEqual(['merged customer 2 into customer 1', 'merged customer 3 into customer 1'])
})

it('changes nothing without scenarios, and nothing in other sessions', async () => {
  const [played, other] = [open(), open()]
  const before = await readAll(other.client)
  for (const name of scenarioNames) played.session.scenarios.add({ name })
  await readAll(played.client).catch(() => undefined)
  expect(await played.session.data.changes()).not.toEqual([])
  expect(await readAll(other.client)).toEqual(before)
  played.session.scenarios.clear()
  await played.session.data.undoAll()
  expect(await readAll(played.client)).toEqual(before)
})

it('is named by the requests on which it has acted, also in an archive', async () => {
  const session = sandbox.session()
  session.scenarios.add({ name: 'deleted' })
  await connect(session).listCustomers({ organizationId })
  expect(session.requests.list()[0]?.scenarios).toMatchObject([{ did: 'deleted customer 1' }])
  expect(session.requests.har().log.entries).toMatchObject([{ _scenarios: ['deleted: deleted customer 1'] }])
})

it('acts between pages that are bare arrays', async () => {
  const session = sandbox.session({ assumptions: { pages: 'array' } })
  session.scenarios.add({ name: 'page-drift', on: 'listSignals' })
  session.scenarios.add({ name: 'page-drift', on: 'listCustomerNotes', customerId: 3 })
  await as(session, 'mara').send(`${notes}?limit=1`)
  expect(session.scenarios.list()).toMatchObject([{ acted: 0 }, { acted: 1 }])
})

const waiting = ['deleted', 'change-while-reading', 'extra-field'] as const

it.each(waiting)('an empty page does not count for %s', async (name) => {
  const { scenarios, client } = open()
  scenarios.add({ name, after: 2 })
  const readTwice = async (updatedSince?: string) => {
    for (let run = 0; run < 2; run += 1) await client.listCustomers({ organizationId, updatedSince })
  }
  await readTwice('2030-01-01T00:00Z')
  expect(scenarios.list()).toMatchObject([{ matched: 0, acted: 0 }])
  await readTwice()
  await readTwice()
  expect(scenarios.list()[0]?.acted).toBeGreaterThan(0)
})

it('a request that the client has aborted does not count, and nothing acts on it', async () => {
  const { session, scenarios } = open()
  for (const name of ['deleted', 'bulk-update-ties', 'token-revoked'] as const) scenarios.add({ name })
  const read = (signal?: AbortSignal) => as(session, 'mara').send(customers, signal && { signal })
  await read(AbortSignal.abort()).catch(() => undefined)
  const counts = { matched: 0, acted: 0 }
  expect(scenarios.list()).toMatchObject([counts, counts, counts])
  await read()
  expect(scenarios.list()).toMatchObject([{ acted: 1 }, { acted: 1 }, { matched: 1 }])
})

it('update-at-cursor updates one customer before the list and another after it, both at the present', async () => {
  const { scenarios, clock, client, listActs } = open()
  scenarios.add({ name: 'update-at-cursor', customerId: 7 })
  const now = clock.now()
  const dates = (await readAll(client)).map(({ updatedDate }) => updatedDate)
  expect(dates.toSorted().at(-1)).toBe(now)
  const { items } = await client.listCustomers({ organizationId, updatedSince: now })
  expect(items.map(({ updatedDate }) => updatedDate)).toEqual([now, now])
  const first = expect.stringMatching(/^updated customer \d+ at/)
  expect(listActs()).toEqual([first, `updated customer 7 at ${now}`])
  expect(scenarios.list()).toMatchObject([{ acted: 1 }])
})

it('update-at-cursor updates the customer that is read by its path', async () => {
  const { scenarios, client, listActs } = open()
  scenarios.add({ name: 'update-at-cursor', on: 'getCustomer' })
  await client.getCustomer({ organizationId, customerId: 20 })
  expect(listActs()[0]).toMatch(/^updated customer 20 at/)
})

it.each<readonly ScenarioInput[][]>([
  [[{ name: 'late-visibility' }, { name: 'scope-narrowed', after: 0, scope: 'mine' }]],
  [[{ name: 'scope-narrowed', after: 0, scope: 'mine' }, { name: 'late-visibility' }]],
])('scenarios compose: %o', async (inputs) => {
  const { scenarios, clock, data, client } = open()
  const own = (await client.listCustomers({ organizationId, scope: 'mine' })).items
  for (const input of inputs) scenarios.add(input)
  const [first] = own
  await data.customers.patch(first?.id ?? 0, { city: 'Bergen' })
  expect(await readAll(client)).toEqual(own)
  expect(scenarios.list().map(({ acted }) => acted > 0)).toEqual([true, true])
  clock.advance('PT30S')
  expect((await readAll(client)).map(({ city }) => city)).toContain('Bergen')
})

it('edits a customer that has as many employees as there can be', async () => {
  const { scenarios, data, client } = open()
  await data.customers.patch(1, { employeeCount: Number.MAX_SAFE_INTEGER })
  scenarios.add({ name: 'silent-change', customerId: 1 })
  await readAll(client)
  expect((await readAll(client))[0]?.employeeCount).toBe(Number.MAX_SAFE_INTEGER - 1)
})

it('member-leaves: what is past goes on naming the member', async () => {
  const { session, scenarios, clock, data, client, listActs } = open()
  const memberId = 2
  const now = clock.now()
  const readPast = async () => [
    (await data.meetings.list({ limit: 150 })).items.filter(({ startDate }) => startDate <= now),
    (await data.signals.list()).items.filter(({ closedDate }) => closedDate !== ''),
    (await data.notes.list()).items,
  ]
  const before = await readPast()
  scenarios.add({ name: 'member-leaves', memberId })
  await readAll(client)
  expect(listActs()).toEqual([expect.stringContaining('removed member 2')])
  expect(await readPast()).toEqual(before.map((records) => expect.arrayContaining([...records])))
  // Meetings to come do not name them any more.
  const later = (await data.meetings.list({ limit: 150 })).items.filter(({ startDate }) => startDate > now)
  expect(later.flatMap(({ members }) => members.map(({ id }) => id))).not.toContain(memberId)
  const owned = (await data.signals.list()).items.filter(({ ownerId }) => ownerId === memberId)
  expect(owned.length).toBeGreaterThan(0)
  expect(owned.map(({ closedDate }) => closedDate)).not.toContain('')
  expect((await client.listMembers({ organizationId })).map(({ id }) => id)).not.toContain(memberId)
  await expect(client.getMember({ organizationId, memberId })).rejects.toMatchObject({ status: 404 })
  const theo = connect(session, 'sbx_harbor_2')
  await expect(theo.getCurrentMember()).rejects.toMatchObject({ status: 401 })
  expect(() => scenarios.add({ name: 'token-revoked', memberId })).toThrow('who has not left')
})

it('late-visibility: many writes of one instant are undone together, in a copy as well', async () => {
  const { session, scenarios, clock, data, client } = open()
  const readCount = async () =>
    (await client.listCustomers({ organizationId, limit: 1 })).items[0]?.employeeCount
  const before = await readCount()
  scenarios.add({ name: 'late-visibility', seconds: 20 })
  for (const employeeCount of [1_001, 1_002]) await data.customers.patch(1, { employeeCount })
  clock.advance('PT10S')
  await data.customers.patch(1, { employeeCount: 1_003 })
  const snapshot = session.snapshot()
  await data.customers.patch(1, { employeeCount: 1_004 })
  await data.customers.delete(1)
  expect(await readCount()).toBe(before)
  clock.advance('PT10S')
  expect(await readCount()).toBe(1_002)
  session.restore(snapshot)
  clock.advance('PT10S')
  expect(await readCount()).toBe(1_002)
  clock.advance('PT10S')
  expect(await readCount()).toBe(1_003)
})

it('member-leaves: one who has no manager hands over to a report', async () => {
  const { scenarios, client } = open()
  const top = (await client.listMembers({ organizationId })).find(({ id, managerId }) => id === managerId)
  scenarios.add({ name: 'member-leaves', on: 'getCurrentMember', memberId: top?.id })
  await client.getCurrentMember()
  expect(scenarios.list()).toMatchObject([{ acted: 1 }])
  const members = await client.listMembers({ organizationId })
  expect(members.filter(({ managerId }) => managerId === top?.id)).toEqual([])
  expect(members.filter(({ id, managerId }) => id === managerId)).toHaveLength(1)
})
