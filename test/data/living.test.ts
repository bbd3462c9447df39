import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { loadMoments } from '../../src/lab/living/moments.ts'
import { exportDataset } from '../../src/sandbox/export-dataset.ts'
import { findCustomersInScope } from '../../src/service/scopes.ts'
import type { Dataset } from '../../src/store/dataset.ts'
import { SessionData } from '../../src/store/session-data.ts'
import { tableNames, tables } from '../../src/store/tables.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { expectNone, findInvalidRows } from './generated.ts'
import { anyDay, daysLater, openLiving } from './living-support.ts'
import type { Row, TableName } from './tenants.ts'

const seeds = chooseAmount([1], [1, 42, 2026])

const moments = new Map<number, (readonly [at: string, moment: Dataset])[]>()

/** Reads moments from the dataset's time to a year after it, once: the same on every run, in order. */
async function readMoments(seed: number): Promise<(readonly [at: string, moment: Dataset])[]> {
  const tenant = await openLiving(seed)
  const days = [0, 0.2, ...fc.sample(anyDay(1, 364), { seed, numRuns: 2 }), 365].toSorted((a, b) => a - b)
  const read = moments.get(seed) ?? days.map(daysLater).map((at) => [at, tenant.moments.at(at)] as const)
  moments.set(seed, read)
  return read
}

it.each(seeds)('is the dataset itself up to its time: seed %i', async (seed) => {
  const tenant = await openLiving(seed)
  expect(tenant.moments.at(daysLater(0))).toBe(tenant.dataset)
  expect(tenant.moments.at(daysLater(-400))).toBe(tenant.dataset)
  expect(tenant.moments.at(daysLater(1))).not.toBe(tenant.dataset)
})

/** Days at which a clock stops on its way, also backwards. */
const stops = fc.array(anyDay(-1, 150), { minLength: 1, maxLength: 12 })

it.each(seeds)('has records and texts that do not depend on the steps of time: seed %i', async (seed) => {
  const end = daysLater(120)
  const tenant = await openLiving(seed)
  const expected = exportDataset(tenant.moments.at(end))
  await fc.assert(
    fc.asyncProperty(stops, async (way) => {
      const other = await loadMoments(tenant.dataset)
      for (const day of way) other.at(daysLater(day))
      expect(exportDataset(other.at(end))).toEqual(expected)
    }),
    { seed, numRuns: chooseAmount(1, 3) },
  )
})

it('keeps texts as they were written', async () => {
  const tenant = await openLiving(42)
  const [early = [], late = []] = [60, 420].map(
    (days) => exportDataset(tenant.moments.at(daysLater(days))).briefContents,
  )
  const texts = new Map(late.map(({ id, content }) => [id, content]))
  const kept = early.filter(({ id }) => texts.has(id))
  expect(kept.length).toBeGreaterThan(tenant.dataset.rows.briefContents.length / 2)
  expectNone(kept, ({ id, content }) => content !== texts.get(id))
})

it.each(seeds)('has every record of a smaller tenant at any time: seed %i', async (seed) => {
  const small = await openLiving(seed, 25)
  for (const [at, many] of await readMoments(seed)) {
    const few = small.moments.at(at)
    for (const table of tableNames) {
      const rows: readonly Row<TableName>[] = few.rows[table]
      const others = rows.filter(
        (row) => JSON.stringify(many.tables[table].get(row.id)) !== JSON.stringify(row),
      )
      expect(others, `rows of ${table}`).toEqual([])
    }
  }
})

it.each(seeds)('has no dangling reference and no invalid row at any time: seed %i', async (seed) => {
  // Rows that have not changed are not validated again.
  const seen = new Set<object>()
  for (const [, moment] of await readMoments(seed)) {
    expect(findInvalidRows(moment, (row) => seen.has(row))).toEqual([])
    for (const name of tableNames) for (const row of moment.rows[name]) seen.add(row)
  }
})

it.each(seeds)('has rows in the order of their table at any time: seed %i', async (seed) => {
  const { dataset } = await openLiving(seed)
  const [, moment = dataset] = (await readMoments(seed)).at(-1) ?? []
  for (const table of tableNames) {
    const { isNewestFirst } = tables[table]
    const rows: readonly Row<TableName>[] = moment.rows[table]
    const sorted = rows.toSorted((a, b) =>
      isNewestFirst && 'createdDate' in a && 'createdDate' in b
        ? b.createdDate.localeCompare(a.createdDate)
        : a.id - b.id,
    )
    expect(rows.filter((row, place) => row !== sorted[place])).toEqual([])
    expect(moment.tables[table].freeId).toBe(dataset.tables[table].freeId)
  }
})

/** Finds the customers that a member sees in each scope. */
function findVisible(moment: Dataset, memberId: number) {
  const data = new SessionData(() => moment)
  const caller = moment.tables.members.get(memberId)
  if (!caller) throw new RangeError(`No member ${memberId}.`)
  return {
    mine: new Set(findCustomersInScope('mine', caller, data, 'peers')),
    team: new Set(findCustomersInScope('team', caller, data, 'peers')),
    all: new Set(data.list('customers', caller.organizationId).map(({ id }) => id)),
  }
}

it.each(seeds)(
  'shows every member the same or more with each wider scope at any time: seed %i',
  async (seed) => {
    for (const [at, moment] of await readMoments(seed)) {
      for (const { id } of moment.rows.members) {
        const { mine, team, all } = findVisible(moment, id)
        const beyond = [
          ...[...mine].filter((one) => !team.has(one)),
          ...[...team].filter((one) => !all.has(one)),
        ]
        expect(beyond, `member ${id} at ${at}`).toEqual([])
      }
    }
  },
)

it.each(seeds)('keeps what the cast stands for at any time: seed %i', async (seed) => {
  const { dataset } = await openLiving(seed)
  for (const [, moment] of await readMoments(seed)) {
    for (const id of [1, 2, 3, 4, 5, 6, 7, 501]) {
      expect(moment.tables.members.get(id)).toBe(dataset.tables.members.get(id))
    }
    const mara = findVisible(moment, 1)
    const countSignals = (ids: ReadonlySet<number>) =>
      moment.rows.signals.filter(({ customerId }) => ids.has(customerId)).length
    expect(mara.mine.size).toBeGreaterThan(0)
    expect(mara.team.size).toBeGreaterThan(mara.mine.size)
    expect(mara.all.size).toBeGreaterThan(mara.team.size)
    expect(countSignals(mara.mine)).toBeGreaterThan(0)
    expect(countSignals(mara.team)).toBeGreaterThan(countSignals(mara.mine))
    expect(findVisible(moment, 2).team).toEqual(mara.team)
    expect(findVisible(moment, 3).team).not.toEqual(mara.team)
    expect(findVisible(moment, 7).mine.size).toBe(0)
    expect([...findVisible(moment, 501).all].some((id) => mara.all.has(id))).toBe(false)
  }
})

/** The dates of what has happened; others may be in the future. */
const pastDates = ['createdDate', 'raisedDate', 'closedDate', 'updatedDate', 'deactivatedDate', 'leftDate']

it.each(seeds)('tells nothing that has not happened at any time: seed %i', async (seed) => {
  for (const [at, { rows }] of await readMoments(seed)) {
    const all: readonly Row<TableName>[] = Object.values(rows).flat()
    expectNone(all, (row) => pastDates.some((field) => (Reflect.get(row, field) ?? '') > at))
    expectNone(rows.meetings, ({ createdDate, startDate, endDate, summary, nextSteps, hasTranscript }) => {
      const isTold = summary !== null || nextSteps.length > 0 || hasTranscript
      return createdDate > startDate || startDate >= endDate || (isTold && endDate > at)
    })
    expectNone(rows.signals, ({ status, isDraft, raisedDate, closedDate, dismissalReason, outcome }) => {
      const isWrong = [
        isDraft !== (raisedDate === null),
        isDraft && status !== 'open',
        ['closed', 'dismissed'].includes(status) !== (closedDate !== null),
        (status === 'dismissed') !== (dismissalReason !== null),
        outcome !== null && status !== 'closed',
      ]
      return isWrong.includes(true)
    })
  }
})

it('lets records of a fixture stand still, unless they ask to live', async () => {
  const tenant = await openLiving(42)
  const later = tenant.moments.at(daysLater(365))
  for (const id of [1, 2, 3, 1_000_001]) {
    expect(later.tables.customers.get(id)).toBe(tenant.dataset.tables.customers.get(id))
  }
  expect(later.tables.signals.get(1)).toBe(tenant.dataset.tables.signals.get(1))
  const customers = [{ id: 5, lives: true }, { id: 6, lives: false }, { id: 7 }]
  const own = await openLiving(42, 40, { extends: 'empty', customers })
  const after = own.moments.at(daysLater(60))
  const hasChanged = customers.map(
    ({ id }) => after.tables.customers.get(id) !== own.dataset.tables.customers.get(id),
  )
  expect(hasChanged).toEqual([true, false, false])
})
