import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { anyDay, daysLater } from '../data/living-support.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { as, openSandbox, type Page } from '../support.ts'

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
