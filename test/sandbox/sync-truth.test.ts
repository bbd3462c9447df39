import { expect, it } from 'vitest'

import { createSandbox } from '../../src/index.ts'
import { connect } from './scenarios-support.ts'
import { open, organizationId } from './sync-support.ts'

it('reads the truth of any collection, as a member sees it, at any instant', async () => {
  const { client, sync, clock, data } = open()
  const first = clock.now()
  const { items } = await client.listSignals({ organizationId, limit: 250 })
  expect((await sync.truth('signals')).items).toEqual(items)
  const members = await sync.truth('members', { as: 'sbx_quill_501' })
  expect(members.items[0]).toMatchObject({ id: 501, organizationId: 'quill' })
  clock.advance('PT1H')
  await data.customers.patch(3, { name: 'Renamed' })
  clock.advance('PT1H')
  expect((await sync.truth('customers')).items[2]).toHaveProperty('name', 'Renamed')
  const then = await sync.truth('customers', { at: first })
  expect(then.items[2]).not.toHaveProperty('name', 'Renamed')
  expect(then.now).toBe(first)
})

it('reads the truth with the scenarios of the session, or without', async () => {
  const { scenarios, clock, data, sync } = open()
  scenarios.add({ name: 'late-visibility', seconds: 30 })
  clock.advance('PT1M')
  await data.customers.delete(3)
  expect((await sync.truth('customers')).items.length).toBe(40)
  expect((await sync.truth('customers', { scenarios: false })).items.length).toBe(39)
})

it('shows no member who has left, and finds none missing in the copy of a client', async () => {
  const { client, data, clock, sync } = open()
  const before = await client.listMembers({ organizationId })
  clock.advance('PT1H')
  await data.members.patch(9, { leftDate: clock.now() })
  const members = await client.listMembers({ organizationId })
  expect((await sync.truth('members')).items).toEqual(members)
  expect(await sync.verdict({ members })).toMatchObject({ correct: true })
  expect(await sync.verdict({ members: before })).toMatchObject({ ghosts: [{ id: 9 }] })
})

it('finds no message of a log stale that names a customer whom the member does not see any more', async () => {
  const { scenarios, sync, client } = open()
  scenarios.add({ name: 'scope-narrowed', after: 0, scope: 'mine' })
  const path = { organizationId, automationId: 4, triggerId: 41 }
  const { items: triggerLogs } = await client.listAutomationTriggerLogs(path)
  expect(triggerLogs.length).toBeGreaterThan(10)
  expect(await sync.verdict({ triggerLogs })).toMatchObject({ stale: [] })
})

it('reads the truth page by page', async () => {
  const { scenarios, sync } = open()
  const all = (await sync.truth('customers')).items
  const page = await sync.truth('customers', { offset: 38, limit: 5 })
  expect(page).toMatchObject({ items: all.slice(38), totalCount: 40 })
  scenarios.add({ name: 'new-enum-value', field: 'customers.segment', value: 'Paused', after: 0 })
  const [first, second] = [{ limit: 1 }, { limit: 1, offset: 1 }].map((one) => sync.truth('customers', one))
  expect([(await first)?.items, (await second)?.items]).toMatchObject([[{ segment: 'Paused' }], [all[1]]])
  await expect(sync.truth('customers', { limit: 1_001 })).rejects.toThrow('must be at most 1000')
})

it('the records of a customer go with it, also in a living tenant', async () => {
  const session = (await createSandbox({ size: 3, future: 'living' })).session()
  const client = connect(session)
  await client.listCustomers({ organizationId })
  const { items } = await client.listCustomerMeetings({ organizationId, customerId: 1, limit: 250 })
  session.clock.advance('P3D')
  await session.data.customers.delete(1)
  const judge = () => session.sync.verdict({ meetings: items }, { allow: ['never_requested'] })
  expect(await judge()).toMatchObject({ correct: true, pending: items.length, ghosts: [] })
  await client.listCustomers({ organizationId })
  const ghosts = items.map(({ id }) => ({ id, reason: 'deleted_unseen', requests: [3], heals: 'never' }))
  expect(await judge()).toMatchObject({ ghosts })
})

it('what a living tenant has shown is pending once the clock has gone back', async () => {
  const session = (await createSandbox({ size: 14, future: 'living' })).session()
  session.clock.advance('P200D')
  const client = connect(session)
  const { items } = await client.listCustomers({ organizationId })
  session.clock.reset()
  const { correct, pending } = await session.sync.verdict({ customers: items })
  expect([correct, pending > 0]).toEqual([true, true])
})
