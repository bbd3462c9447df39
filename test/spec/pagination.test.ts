import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { as, openSandbox, type Page, type Problem } from '../support.ts'

/** A tenant of 300 customers with the ids 1 to 300. */
const manyCustomers = { extends: 'empty', customers: [{ id: 1, repeat: 300 }] }
const fewCustomers = { extends: 'empty', customers: [{ id: 1, repeat: 3 }] }

const idsOf = ({ items }: Page<{ id: number }>) => items.map(({ id }) => id)

it('returns 100 records without a limit, and up to 250', async () => {
  const mara = as(await openSandbox({ fixture: manyCustomers }), 'mara')
  const page = await mara.get<Page<Customer>>('/organizations/harbor/customers')
  expect(page.items).toHaveLength(100)
  expect(page.totalCount).toBe(300)
  const longer = await mara.get<Page<Customer>>('/organizations/harbor/customers?limit=250')
  expect(longer.items).toHaveLength(250)
})

it('starts at the first record without an offset, and skips as many as it says', async () => {
  const mara = as(await openSandbox({ fixture: fewCustomers }), 'mara')
  expect(idsOf(await mara.get('/organizations/harbor/customers?limit=2'))).toEqual([1, 2])
  expect(idsOf(await mara.get('/organizations/harbor/customers?offset=1'))).toEqual([2, 3])
})

it('counts the matches before pagination in totalCount', async () => {
  const customers = [
    { id: 1, city: 'Oslo' },
    { id: 2, city: 'Oslo' },
    { id: 3, city: 'Lima' },
  ]
  const mara = as(await openSandbox({ fixture: { extends: 'empty', customers } }), 'mara')
  const page = await mara.get<Page<Customer>>('/organizations/harbor/customers?city=Oslo&limit=1')
  expect(idsOf(page)).toEqual([1])
  expect(page.totalCount).toBe(2)
})

it('returns the same envelope for paginated lists whose form the document does not show (assumed A-01)', async () => {
  const fixture = {
    extends: 'empty',
    customers: [{ id: 1 }],
    briefs: [{ id: 90, key: 'renewal', name: 'Renewal', description: 'What is due.', isActive: true }],
  }
  const mara = as(await openSandbox({ fixture }), 'mara')
  const customer = '/organizations/harbor/customers/1'
  for (const path of [
    '/organizations/harbor/briefs',
    `${customer}/briefs/90/contents`,
    `${customer}/notes`,
  ]) {
    const page = await mara.get<Page<object>>(`${path}?limit=1`)
    expect(Object.keys(page)).toEqual(['items', 'totalCount'])
  }
})

it('returns an array for a list without pagination (assumed A-02)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  for (const list of [
    'members',
    'automations',
    'custom-fields',
    'member-roles',
    'note-categories',
    'products',
  ]) {
    expect(await mara.get(`/organizations/harbor/${list}`)).toBeInstanceOf(Array)
  }
})

it('does not truncate a list without pagination, whatever limit says (assumed A-15)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  const response = await mara.send('/organizations/harbor/members?limit=1')
  expect(response.headers.get('sandbox-warning')).toBe('unknown query parameters ignored: limit')
  expect((await response.json()) as unknown[]).toHaveLength(
    (await mara.get<unknown[]>('/organizations/harbor/members')).length,
  )
})

it('orders records by id (assumed A-03)', async () => {
  const fixture = { extends: 'empty', customers: [{ id: 30 }, { id: 4 }, { id: 200 }] }
  const mara = as(await openSandbox({ fixture }), 'mara')
  expect(idsOf(await mara.get('/organizations/harbor/customers'))).toEqual([4, 30, 200])
})

it('reports a number as too large, however many digits it has (assumed A-06)', async () => {
  const mara = as(await openSandbox({ fixture: 'empty' }), 'mara')
  for (const limit of ['251', '9007199254740993', '9'.repeat(400)]) {
    const response = await mara.send(`/organizations/harbor/customers?limit=${limit}`)
    const { errors } = (await response.clone().json()) as Problem
    expect(errors).toEqual([{ in: 'query', name: 'limit', message: 'must be at most 250' }])
  }
})
