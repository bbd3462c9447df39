import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { as, customers, openSandbox, type Page } from '../support.ts'

it('pages of changed data are slices of all matches, under every filter', async () => {
  const sandbox = await openSandbox({ size: 260 })
  for (let id = 1; id <= 260; id += 7) await sandbox.data.customers.patch(id, { segment: 'Changed' })
  for (let id = 4; id <= 260; id += 31) await sandbox.data.customers.delete(id)
  for (const id of [35, 261, 262, 280, 300]) await sandbox.data.customers.put({ id, segment: 'Changed' })
  await sandbox.data.customers.patch(2, { updatedDate: '2020-01-01T00:00:00.000Z' })
  const mara = as(sandbox, 'mara')
  // One by one, in the order of their ids.
  const all: Customer[] = []
  for (let id = 0; id <= 300; id += 1) {
    const response = await mara.send(`${customers}/${id}`)
    if (response.status === 200) all.push((await response.json()) as Customer)
  }
  const since = all.map(({ updatedDate }) => updatedDate).toSorted()[150] ?? ''
  const values = (of: (customer: Customer) => string) =>
    fc.subarray([...new Set(all.map(of))], { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      values(({ segment }) => segment),
      values(({ country }) => country),
      fc.boolean(),
      fc.nat(280),
      fc.integer({ min: 1, max: 250 }),
      async (segments, countries, isSince, offset, limit) => {
        const query = new URLSearchParams({ offset: `${offset}`, limit: `${limit}` })
        for (const segment of segments) query.append('segment', segment)
        for (const country of countries) query.append('country', country)
        if (isSince) query.append('updatedSince', since)
        const expected = all.filter(
          ({ segment, country, updatedDate }) =>
            (!isSince || updatedDate >= since) &&
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
