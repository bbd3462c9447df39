import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { as, customers, home, openSandbox } from '../support.ts'
import { openCustomers, openWith, readItems } from './support.ts'

const acme = {
  id: 1,
  name: 'Acme',
  city: 'Oslo',
  country: 'Norway',
  region: 'Europe',
  timezone: 'Europe/Oslo',
  domain: 'acme.example',
  employeeCount: 120,
  segment: 'Enterprise',
  memberRoles: [{ key: 'csm', memberIds: [1, 3] }],
  customFields: [],
  products: [],
  sources: [{ key: 'salesforce', externalId: '001A' }],
  updatedDate: '2026-01-10T09:30:00.000Z',
}

it('shows the same customer in the list and by its id', async () => {
  const mara = await openCustomers({ id: 1 }, { id: 2 })
  const items = await readItems(mara, 'customers')
  expect(items).toHaveLength(2)
  expect(items[1]).toEqual(await mara.get(`${customers}/2`))
})

it('shows a customer as it is, and the roles that members hold with key, name and complete members', async () => {
  const mara = await openCustomers(acme)
  const members = [await mara.get('/members/me'), await mara.get(`${home}/members/3`)]
  const memberRoles = [{ key: 'csm', name: 'Customer Success Manager', members }]
  const shown = JSON.stringify({ ...acme, memberRoles })
  expect(JSON.stringify(await mara.get(`${customers}/1`))).toBe(shown)
})

it('shows custom field values of any type', async () => {
  const values = ['text', 12.5, true, null, '', 0, ['a', null], { level: { deep: [1] } }, '2026-01-15']
  const given = values.map((value, index) => ({ key: `field${index}`, value }))
  const customFields = given.map(({ key }, index) => ({ id: 40 + index, key, name: 'Field', type: 'text' }))
  const mara = await openWith({ customFields, customers: [{ id: 1, customFields: given }] })
  expect(await mara.get(`${customers}/1`)).toMatchObject({ customFields: given })
})

it('shows a product with exactly the documented fields, in order', async () => {
  const product = {
    key: 'atlas',
    status: 'active',
    arr: 12_000.5,
    renewalDate: '2026-06-30',
    engagement: { level: 'high' },
    upsell: { level: 'low' },
    metrics: [
      { key: 'seats', value: 12 },
      { key: 'plan', value: { name: 'Gold' } },
    ],
  }
  const mara = await openWith({
    products: [{ id: 90, key: 'atlas', name: 'Atlas' }],
    productMetrics: [
      { id: 90, productId: 90, key: 'seats', name: 'Seats', type: 'number' },
      { id: 91, productId: 90, key: 'plan', name: 'Plan', type: 'text' },
    ],
    customers: [{ id: 1, products: [product] }],
  })
  const { products } = await mara.get<Customer>(`${customers}/1`)
  expect(JSON.stringify(products)).toBe(JSON.stringify([product]))
})

it('shows a customer without details with empty lists', async () => {
  const nothing = { memberRoles: [], customFields: [], products: [], sources: [] }
  const mara = await openCustomers({ id: 1, ...nothing })
  expect(await mara.get(`${customers}/1`)).toMatchObject(nothing)
})

it('shows times in UTC with milliseconds and Z (assumed A-35)', async () => {
  const { updatedDate } = await (await openCustomers({ id: 1 })).get<Customer>(`${customers}/1`)
  expect(updatedDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

it('gives every product one of the states active, onboarding and churned (assumed A-37)', async () => {
  const mara = as(await openSandbox({ size: 100 }), 'mara')
  const items = await readItems<Customer>(mara, 'customers?limit=250')
  const statuses = items.flatMap(({ products }) => products.map(({ status }) => status))
  expect(new Set(statuses)).toEqual(new Set(['active', 'onboarding', 'churned']))
})

it('returns a customer with the largest id', async () => {
  const id = 9_007_199_254_740_991
  expect(await (await openCustomers({ id })).get(`${customers}/${id}`)).toMatchObject({ id })
})

it('accepts a customer id with leading zeros (assumed A-16)', async () => {
  expect(await (await openCustomers({ id: 7 })).get(`${customers}/0007`)).toMatchObject({ id: 7 })
})
