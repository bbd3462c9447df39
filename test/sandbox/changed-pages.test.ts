import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Customer } from '../../src/index.ts'
import { anyDay, daysLater } from '../data/living-support.ts'
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

interface Listed {
  readonly id: number
  readonly updatedDate: string
}

/** Two instants of the year after a dataset's time, and whether the first one moves to the last update before it. */
const periods = fc.record({
  days: fc.uniqueArray(anyDay(0, 365), { minLength: 2, maxLength: 2 }),
  isTied: fc.boolean(),
})

it.each(chooseAmount([42], [1, 42, 2026]))(
  'finds exactly the changes and the ties with "updated since": seed %i',
  async (seed) => {
    const session = (await openSandbox({ size: 30, seed, future: 'living' })).session()
    const mara = as(session, 'mara')
    const list = async (query = '') =>
      (await mara.get<Page<Listed>>(`/organizations/harbor/customers?limit=250${query}`)).items
    const check = async ({ days, isTied }: { readonly days: number[]; readonly isTied: boolean }) => {
      const [from = '', to = ''] = days.toSorted((a, b) => a - b).map(daysLater)
      session.clock.set(from)
      const latest =
        (await list())
          .map(({ updatedDate }) => updatedDate)
          .toSorted()
          .at(-1) ?? from
      const since = isTied ? latest : from
      session.clock.set(since)
      const before = new Map((await list()).map((row) => [row.id, JSON.stringify(row)]))
      session.clock.set(to)
      const after = await list()
      const changed = after.filter((row) => {
        return before.get(row.id) !== JSON.stringify(row) || row.updatedDate === since
      })
      expect(await list(`&updatedSince=${since}`), `from ${since} to ${to}`).toEqual(changed)
      expect(changed.every(({ updatedDate }) => updatedDate >= since && updatedDate <= to)).toBe(true)
    }
    await fc.assert(fc.asyncProperty(periods, check), { seed, numRuns: 4 })
  },
)
