import { expect, it } from 'vitest'
import * as z from 'zod'

import { Customer, Signal } from '../../src/index.ts'
import { open, organizationId } from './scenarios-support.ts'

it('new-enum-value: a client that knows all values loses the page', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'new-enum-value' })
  const { items } = await client.listSignals({ organizationId, limit: 10 })
  const wrong = z.array(Signal).safeParse(items)
  const sound = z.array(Signal.extend({ status: z.string() })).safeParse(items)
  expect(wrong.success).toBe(false)
  expect(sound.data?.map(({ status }) => status)[0]).toBe('paused')
})

it('new-enum-value: a record keeps the value, in lists and by itself', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'new-enum-value', count: 2, value: 'on_hold' })
  const first = await client.listSignals({ organizationId, limit: 5 })
  const second = await client.listSignals({ organizationId, limit: 5, offset: 5 })
  const statuses: string[] = [...first.items, ...second.items].map(({ status }) => status)
  expect(statuses.filter((status) => status === 'on_hold')).toHaveLength(2)
  const signalId = first.items[0]?.id ?? 0
  expect((await client.getSignal({ organizationId, signalId })).status).toBe('on_hold')
})

it.each(['customers.segment', 'customers.products.status'])('new-enum-value: %s', async (field) => {
  const { session, client } = open()
  session.scenarios.add({ name: 'new-enum-value', field, value: 'brand-new' })
  const { items } = await client.listCustomers({ organizationId, limit: 3 })
  expect(items.map((item) => JSON.stringify(item).includes('"brand-new"'))).toEqual([true, false, false])
})

it('extra-field: a client that refuses unknown fields loses every page', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'extra-field' })
  const { items } = await client.listCustomers({ organizationId, limit: 3 })
  const wrong = z.array(z.strictObject(Customer.shape)).safeParse(items)
  const sound = z.array(Customer).safeParse(items)
  expect(wrong.success).toBe(false)
  expect(sound.data).toHaveLength(3)
  expect(await client.getCustomer({ organizationId, customerId: 1 })).toHaveProperty(
    'lifecycleStage',
    'expansion',
  )
  session.scenarios.clear()
  expect(await client.getCustomer({ organizationId, customerId: 1 })).not.toHaveProperty('lifecycleStage')
})

it('late-visibility: the list lags behind the single record and the own note', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'late-visibility', seconds: 20 })
  const readNotes = async () =>
    (await client.listCustomerNotes({ organizationId, customerId: 1 })).items.map(({ content }) => content)
  await session.data.customers.patch(1, { city: 'Bergen' })
  await client.createCustomerNote({
    organizationId,
    customerId: 1,
    body: { categoryId: 1, content: 'Called them.' },
  })
  expect((await client.getCustomer({ organizationId, customerId: 1 })).city).toBe('Bergen')
  expect((await client.listCustomers({ organizationId })).items[0]?.city).not.toBe('Bergen')
  expect(await readNotes()).not.toContain('Called them.')
  session.clock.advance('PT20S')
  expect((await client.listCustomers({ organizationId })).items[0]?.city).toBe('Bergen')
  expect(await readNotes()).toContain('Called them.')
})

it('late-visibility: each change appears in its own time', async () => {
  const { session, client } = open()
  session.scenarios.add({ name: 'late-visibility', seconds: 20, on: 'listCustomers' })
  const readCities = async () =>
    (await client.listCustomers({ organizationId, limit: 2 })).items.map(({ city }) => city)
  const [, second] = await readCities()
  await session.data.customers.patch(1, { city: 'Bergen' })
  session.clock.advance('PT15S')
  await session.data.customers.patch(2, { city: 'Turin' })
  session.clock.advance('PT10S')
  expect(await readCities()).toEqual(['Bergen', second])
  session.clock.advance('PT10S')
  expect(await readCities()).toEqual(['Bergen', 'Turin'])
})
