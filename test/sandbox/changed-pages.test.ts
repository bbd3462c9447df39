import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Customer, Sandbox } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { as, customers, openSandbox, type Page } from '../support.ts'

/** Every customer, one by one in the order of their ids. */
async function everyone(sandbox: Sandbox): Promise<Customer[]> {
  const found: Customer[] = []
  const mara = as(sandbox, 'mara')
  for (let id = 0; id <= 300; id += 1) {
    const response = await mara.send(`${customers}/${id}`)
    if (response.status === 200) found.push((await response.json()) as Customer)
  }
  return found
}

/** A tenant in which a test has changed, added and deleted customers all over the list. */
async function changedTenant(): Promise<Sandbox> {
  const sandbox = await openSandbox({ size: 260 })
  for (let id = 1; id <= 260; id += 7) await sandbox.data.customers.patch(id, { segment: 'Changed' })
  for (let id = 4; id <= 260; id += 31) await sandbox.data.customers.delete(id)
  for (const id of [35, 261, 262, 280, 300]) await sandbox.data.customers.put({ id, segment: 'Changed' })
  return sandbox
}

it('pages of changed data are slices of all matches, under every filter', async () => {
  const sandbox = await changedTenant()
  const all = await everyone(sandbox)
  const mara = as(sandbox, 'mara')
  const values = (of: (customer: Customer) => string) =>
    fc.subarray([...new Set(all.map(of))], { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      values(({ segment }) => segment),
      values(({ country }) => country),
      fc.nat(280),
      fc.integer({ min: 1, max: 250 }),
      async (segments, countries, offset, limit) => {
        const query = new URLSearchParams({ offset: `${offset}`, limit: `${limit}` })
        for (const segment of segments) query.append('segment', segment)
        for (const country of countries) query.append('country', country)
        const expected = all.filter(
          ({ segment, country }) =>
            (segments.length === 0 || segments.includes(segment)) &&
            (countries.length === 0 || countries.includes(country)),
        )
        const { items, totalCount } = await mara.get<Page<Customer>>(`${customers}?${query.toString()}`)
        expect(totalCount).toBe(expected.length)
        expect(items).toEqual(expected.slice(offset, offset + limit))
      },
    ),
    { seed: 42, numRuns: chooseAmount(25, 200) },
  )
})

it('filters changed and unchanged records by date', async () => {
  const sandbox = await openSandbox({ size: 260 })
  const { items } = await sandbox.data.customers.list({ organizationId: 'harbor' })
  const dates = items.map(({ updatedDate }) => updatedDate)
  await sandbox.data.customers.patch(1, { updatedDate: '2020-01-01T00:00:00.000Z' })
  const mara = as(sandbox, 'mara')
  const since = dates.toSorted()[200] ?? ''
  const expected = dates.filter((date, index) => index > 0 && date >= since).length
  const { totalCount } = await mara.get<Page<Customer>>(`${customers}?updatedSince=${since}`)
  expect(totalCount).toBe(expected)
})
