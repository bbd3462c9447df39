import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { as, openSandbox, type Page } from '../support.ts'

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

const openWith = (...customers: readonly object[]) =>
  openSandbox({ fixture: { extends: 'empty', customers } })

it('shows the same customer in the list and by its id', async () => {
  const mara = as(await openWith({ id: 1 }, { id: 2 }), 'mara')
  const { items } = await mara.get<Page<Customer>>('/organizations/harbor/customers')
  expect(items).toHaveLength(2)
  expect(items[1]).toEqual(await mara.get('/organizations/harbor/customers/2'))
})

it('shows a customer’s location, name and time of update', async () => {
  const mara = as(await openWith(acme), 'mara')
  const { memberRoles, ...shown } = await mara.get<Customer>('/organizations/harbor/customers/1')
  const { memberRoles: _, ...given } = acme
  expect(shown).toEqual(given)
  expect(memberRoles).toHaveLength(1)
})

it('shows the roles that members hold, each with key, name and complete members', async () => {
  const mara = as(await openWith(acme), 'mara')
  const { memberRoles } = await mara.get<Customer>('/organizations/harbor/customers/1')
  const me = await mara.get('/members/me')
  const priya = await mara.get('/organizations/harbor/members/3')
  expect(memberRoles).toEqual([{ key: 'csm', name: 'Customer Success Manager', members: [me, priya] }])
  expect(memberRoles.map((role) => Object.keys(role))).toEqual([['key', 'name', 'members']])
})

it('shows custom field values of any type', async () => {
  const values = ['text', 12.5, true, null, '', 0, ['a', null], { level: { deep: [1] } }, '2026-01-15']
  const customFields = values.map((_, index) => ({
    id: 40 + index,
    key: `field${index}`,
    name: 'Field',
    type: 'text',
  }))
  const given = values.map((value, index) => ({ key: `field${index}`, value }))
  const fixture = { extends: 'empty', customFields, customers: [{ id: 1, customFields: given }] }
  const mara = as(await openSandbox({ fixture }), 'mara')
  const customer = await mara.get<Customer>('/organizations/harbor/customers/1')
  expect(customer.customFields).toEqual(given)
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
  const fixture = {
    extends: 'empty',
    products: [{ id: 90, key: 'atlas', name: 'Atlas' }],
    productMetrics: [
      { id: 90, productId: 90, key: 'seats', name: 'Seats', type: 'number' },
      { id: 91, productId: 90, key: 'plan', name: 'Plan', type: 'text' },
    ],
    customers: [{ id: 1, products: [product] }],
  }
  const mara = as(await openSandbox({ fixture }), 'mara')
  const customer = await mara.get<Customer>('/organizations/harbor/customers/1')
  expect(JSON.stringify(customer.products)).toBe(JSON.stringify([product]))
})

it('shows a customer without details with empty lists', async () => {
  const nothing = { memberRoles: [], customFields: [], products: [], sources: [] }
  const mara = as(await openWith({ id: 1, ...nothing }), 'mara')
  expect(await mara.get('/organizations/harbor/customers/1')).toMatchObject(nothing)
})

it('shows times in UTC with milliseconds and Z (assumed A-35)', async () => {
  const mara = as(await openWith({ id: 1 }), 'mara')
  const { updatedDate } = await mara.get<Customer>('/organizations/harbor/customers/1')
  expect(updatedDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

it('gives every product one of the states active, onboarding and churned (assumed A-37)', async () => {
  const mara = as(await openSandbox({ size: 100 }), 'mara')
  const { items } = await mara.get<Page<Customer>>('/organizations/harbor/customers?limit=250')
  const statuses = items.flatMap(({ products }) => products.map(({ status }) => status))
  expect(new Set(statuses)).toEqual(new Set(['active', 'onboarding', 'churned']))
})

it('returns a customer with the largest id', async () => {
  const mara = as(await openWith({ id: 9_007_199_254_740_991 }), 'mara')
  const customer = await mara.get<Customer>('/organizations/harbor/customers/9007199254740991')
  expect(customer.id).toBe(9_007_199_254_740_991)
})

it('accepts a customer id with leading zeros (assumed A-16)', async () => {
  const mara = as(await openWith({ id: 7 }), 'mara')
  expect(await mara.get('/organizations/harbor/customers/0007')).toMatchObject({ id: 7 })
})
