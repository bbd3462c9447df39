import { expect, it } from 'vitest'
import * as z from 'zod'

import { Customer, Signal } from '../../src/index.ts'
import { open, organizationId, readAll, readTruth } from './scenarios-support.ts'

it('new-enum-value: a client that knows all values loses the page', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'new-enum-value' })
  const { items } = await client.listSignals({ organizationId, limit: 10 })
  const wrong = z.array(Signal).safeParse(items)
  const sound = z.array(Signal.extend({ status: z.string() })).safeParse(items)
  expect(wrong.success).toBe(false)
  expect(sound.data?.map(({ status }) => status)[0]).toBe('paused')
})

it('new-enum-value: a record keeps the value, in lists and by itself', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'new-enum-value', count: 2, value: 'on_hold' })
  const first = await client.listSignals({ organizationId, limit: 5 })
  const second = await client.listSignals({ organizationId, limit: 5, offset: 5 })
  const statuses: string[] = [...first.items, ...second.items].map(({ status }) => status)
  expect(statuses.filter((status) => status === 'on_hold')).toHaveLength(2)
  const signalId = first.items[0]?.id ?? 0
  expect((await client.getSignal({ organizationId, signalId })).status).toBe('on_hold')
})

it('extra-field: a client that refuses unknown fields loses every page', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'extra-field' })
  const { items } = await client.listCustomers({ organizationId, limit: 3 })
  const wrong = z.array(z.strictObject(Customer.shape)).safeParse(items)
  const sound = z.array(Customer).safeParse(items)
  expect(wrong.success).toBe(false)
  expect(sound.data).toHaveLength(3)
  const readOne = () => client.getCustomer({ organizationId, customerId: 1 })
  expect(await readOne()).toHaveProperty('lifecycleStage', 'expansion')
  scenarios.clear()
  expect(await readOne()).not.toHaveProperty('lifecycleStage')
})

it('late-visibility: the list lags behind the single record and the own note', async () => {
  const { scenarios, clock, data, client } = open()
  scenarios.add({ name: 'late-visibility', seconds: 20 })
  const one = { organizationId, customerId: 1 }
  const readLists = async () => ({
    city: (await client.listCustomers({ organizationId })).items[0]?.city,
    notes: (await client.listCustomerNotes(one)).items.map(({ content }) => content),
  })
  const before = await readLists()
  await data.customers.patch(1, { city: 'Bergen' })
  await client.createCustomerNote({ ...one, body: { categoryId: 1, content: 'Called them.' } })
  expect((await client.getCustomer(one)).city).toBe('Bergen')
  expect(await readLists()).toEqual(before)
  clock.advance('PT20S')
  expect(await readLists()).toEqual({ city: 'Bergen', notes: [...before.notes, 'Called them.'] })
})

it('page-drift: restores exactly what it has deleted, and with `times: 1` nothing', async () => {
  const { session, scenarios, data, client } = open()
  await data.customers.patch(1, { employeeCount: 4_321 })
  const readBoth = async () => [await readTruth(session), await data.signals.list({ limit: 250 })]
  const before = await readBoth()
  scenarios.add({ name: 'page-drift' })
  scenarios.add({ name: 'page-drift', times: 2, customerId: 2 })
  await readAll(client)
  expect(scenarios.list()).toMatchObject([{ acted: 2 }, { acted: 2 }])
  expect(await readBoth()).toEqual(before)
  expect((await data.changes()).map(({ id }) => id)).toEqual([1])
  scenarios.add({ name: 'page-drift', times: 1, customerId: 2 })
  await readAll(client)
  expect((await readTruth(session)).has(2)).toBe(false)
})

it('merged: a 404 is not the end of an account whose id lives on in the sources of another one', async () => {
  const { scenarios, listActs, client } = open()
  scenarios.add({ name: 'merged' })
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
  expect(listActs()).toEqual([`merged customer ${gone} into customer ${found.items[0]?.id}`])
})

it('member-leaves: signals still name a member that nobody can read', async () => {
  const { scenarios, client } = open()
  scenarios.add({ name: 'member-leaves', memberId: 2 })
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
