import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { findCustomersInScope } from '../../src/resources/scopes.ts'
import { type Dataset, fingerprint } from '../../src/store/dataset.ts'
import { checkReferences, createLookup, type Lookup } from '../../src/store/references.ts'
import { SessionData } from '../../src/store/session-data.ts'
import { type Row, type TableName, tableNames, tables } from '../../src/store/tables.ts'
import { anyDay, daysLater, generateLiving, reopen } from './living-support.ts'

const seeds = [1, 42, 2026]
const tenants = new Map(
  await Promise.all(seeds.map(async (seed) => [seed, await generateLiving({ seed })] as const)),
)
const open = (seed: number) => {
  const tenant = tenants.get(seed)
  if (!tenant) throw new RangeError(`No tenant of seed ${seed}.`)
  return tenant
}

/** Narrows a value that must be there. */
function requireValue<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('The value is missing.')
  return value
}

/** Reads the long texts of a moment. */
const readTexts = ({ tables: found, texts }: Dataset) => {
  const data = { get: <T extends TableName>(name: T, id: number) => found[name].get(id) }
  return [
    ...found.briefContents.rows.map((row) => [row.id, texts.briefContent(row, data)]),
    ...found.triggerLogs.rows.map((row) => [row.id, texts.logMessage(row, data)]),
    ...found.meetings.rows.map((row) => [row.id, row.hasTranscript ? texts.transcript(row, data) : []]),
  ]
}

/** Reads the text of a brief at a moment. */
const readBrief = (moment: Dataset, id: number) => {
  const row = moment.tables.briefContents.get(id)
  const data = { get: <T extends TableName>(name: T, key: number) => moment.tables[name].get(key) }
  return row && moment.texts.briefContent(row, data)
}

/** Instants of the year after the dataset's time at which properties are checked: the same on every run, in order. */
const instants = new Map(
  seeds.map((seed) => {
    const [early = 0, late = 0] = fc.sample(anyDay(1, 364), {
      seed,
      numRuns: 2,
    })
    return [seed, [0.2, early, late, 365].toSorted((a, b) => a - b).map(daysLater)] as const
  }),
)
const instantsOf = (seed: number) => requireValue(instants.get(seed))

it.each(seeds)('is the dataset itself up to its time: seed %i', (seed) => {
  const { dataset, moments } = open(seed)
  expect(moments.at(daysLater(0))).toBe(dataset)
  expect(moments.at(daysLater(-400))).toBe(dataset)
  expect(moments.at(daysLater(1))).not.toBe(dataset)
})

/** Days at which a clock stops on its way, also backwards. */
const stops = fc.array(anyDay(-1, 150), { minLength: 1, maxLength: 12 })

it.each(seeds)('does not depend on the steps in which time passes: seed %i', async (seed) => {
  const end = daysLater(120)
  const expected = await fingerprint((await reopen(open(seed))).moments.at(end))
  await fc.assert(
    fc.asyncProperty(stops, async (way) => {
      const { moments } = await reopen(open(seed))
      for (const day of way) moments.at(daysLater(day))
      expect(await fingerprint(moments.at(end))).toBe(expected)
    }),
    { seed, numRuns: 3 },
  )
})

it('reads texts that do not depend on the steps in which time passes', async () => {
  const whole = open(42)
  const steps = await reopen(whole)
  for (let day = 0; day < 150; day += 7.7) steps.moments.at(daysLater(day))
  expect(readTexts(steps.moments.at(daysLater(150)))).toEqual(readTexts(whole.moments.at(daysLater(150))))
})

it('keeps texts as they were written', () => {
  const { moments, dataset } = open(42)
  const [early, late] = [moments.at(daysLater(60)), moments.at(daysLater(420))]
  const kept = early.rows.briefContents.filter(({ id }) => late.tables.briefContents.get(id))
  expect(kept.length).toBeGreaterThan(dataset.rows.briefContents.length / 2)
  for (const { id } of kept) expect(readBrief(late, id)).toBe(readBrief(early, id))
})

it.each(seeds)('has every record of a smaller tenant at any time: seed %i', async (seed) => {
  const [small, large] = await Promise.all([
    generateLiving({ seed, size: 25 }),
    generateLiving({ seed, size: 75 }),
  ])
  for (const instant of instantsOf(seed)) {
    const [few, many] = [small.moments.at(instant), large.moments.at(instant)]
    for (const table of tableNames) {
      const others = few.rows[table].filter(
        (row) => JSON.stringify(many.tables[table].get(row.id)) !== JSON.stringify(row),
      )
      expect(others, `rows of ${table}`).toEqual([])
    }
  }
})

/** Creates a lookup that lists the rows of each organization only once. */
function createFastLookup(moment: Dataset): Lookup {
  const lookup = createLookup(new SessionData(() => moment), moment.organizations)
  const lists = new Map<string, unknown>()
  return {
    ...lookup,
    list: <T extends TableName>(table: T, organizationId: string): readonly Row<T>[] => {
      const key = `${table} ${organizationId}`
      if (!lists.has(key)) lists.set(key, lookup.list(table, organizationId))
      return lists.get(key) as readonly Row<T>[]
    },
  }
}

it.each(seeds)('has no dangling reference and no invalid row at any time: seed %i', (seed) => {
  const { moments } = open(seed)
  /** Rows that have not changed are not validated again. */
  const seen = new Set<object>()
  for (const instant of instantsOf(seed)) {
    const moment = moments.at(instant)
    const lookup = createFastLookup(moment)
    for (const table of tableNames) {
      const { row: schema } = tables[table]
      const rows: readonly Row<TableName>[] = moment.rows[table]
      expect(rows.filter((row) => !seen.has(row) && !schema.safeParse(row).success)).toEqual([])
      expect(rows.flatMap((row) => checkReferences(table, row, lookup))).toEqual([])
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
      for (const row of rows) seen.add(row)
    }
  }
})

it.each(seeds)('has rows in the order of their table at any time: seed %i', (seed) => {
  const { moments, dataset } = open(seed)
  const moment = moments.at(daysLater(365))
  for (const table of tableNames) {
    const keys = moment.rows[table].map((row: Row<TableName>) =>
      'createdDate' in row && tables[table].order === 'newest first' ? row.createdDate : row.id,
    )
    for (const [place, key] of keys.slice(1).entries()) {
      const before = keys[place] ?? 0
      expect(tables[table].order === 'by id' ? before < key : before >= key, `${table} ${key}`).toBe(true)
    }
    expect(moment.tables[table].freeId).toBe(dataset.tables[table].freeId)
  }
})

/** Finds the customers that a member sees in each scope. */
function findVisible(moment: Dataset, memberId: number) {
  const data = new SessionData(() => moment)
  const caller = requireValue(moment.tables.members.get(memberId))
  const { organizationId } = caller
  const all = moment.rows.customers.filter((row) => row.organizationId === organizationId)
  return {
    mine: new Set(findCustomersInScope('mine', caller, data, 'peers')),
    team: new Set(findCustomersInScope('team', caller, data, 'peers')),
    all: new Set(all.map(({ id }) => id)),
  }
}

it.each(seeds)('shows every member the same or more with each wider scope at any time: seed %i', (seed) => {
  for (const instant of instantsOf(seed)) {
    const moment = open(seed).moments.at(instant)
    for (const { id } of moment.rows.members) {
      const { mine, team, all } = findVisible(moment, id)
      expect(
        [...mine].every((one) => team.has(one)),
        `member ${id} at ${instant}`,
      ).toBe(true)
      expect(
        [...team].every((one) => all.has(one)),
        `member ${id} at ${instant}`,
      ).toBe(true)
    }
  }
})

it.each(seeds)('keeps what the cast stands for at any time: seed %i', (seed) => {
  const { moments, dataset } = open(seed)
  for (const instant of instantsOf(seed)) {
    const moment = moments.at(instant)
    for (const id of [1, 2, 3, 4, 5, 6, 7, 501]) {
      expect(moment.tables.members.get(id)).toBe(dataset.tables.members.get(id))
    }
    const mara = findVisible(moment, 1)
    expect([mara.mine.size > 0, mara.team.size > mara.mine.size, mara.all.size > mara.team.size]).toEqual([
      true,
      true,
      true,
    ])
    const count = (ids: ReadonlySet<number>) =>
      moment.rows.signals.filter(({ customerId }) => ids.has(customerId)).length
    expect(count(mara.mine)).toBeGreaterThan(0)
    expect(count(mara.team)).toBeGreaterThan(count(mara.mine))
    expect(findVisible(moment, 2).team).toEqual(mara.team)
    expect(findVisible(moment, 3).team).not.toEqual(mara.team)
    expect(findVisible(moment, 7).mine.size).toBe(0)
    expect([...findVisible(moment, 501).all].some((id) => mara.all.has(id))).toBe(false)
  }
})

it.each(seeds)('dates everything in order, and nothing in the future: seed %i', (seed) => {
  const { moments } = open(seed)
  for (const at of instantsOf(seed)) {
    const { rows } = moments.at(at)
    for (const {
      id,
      createdDate,
      raisedDate,
      closedDate,
      updatedDate,
      isDraft,
      status,
      dismissalReason,
    } of rows.signals) {
      const dates = [
        createdDate,
        raisedDate ?? createdDate,
        closedDate ?? raisedDate ?? createdDate,
        updatedDate,
        at,
      ]
      expect(dates, `signal ${id}`).toEqual(dates.toSorted())
      const isOver = status === 'closed' || status === 'dismissed'
      expect([isDraft, closedDate !== null, dismissalReason !== null], `signal ${id}`).toEqual([
        raisedDate === null,
        isOver,
        status === 'dismissed',
      ])
    }
    for (const {
      id,
      createdDate,
      updatedDate,
      startDate,
      endDate,
      summary,
      hasTranscript,
    } of rows.meetings) {
      expect(createdDate <= updatedDate && updatedDate <= at, `meeting ${id}`).toBe(true)
      expect(createdDate <= startDate && startDate < endDate, `meeting ${id}`).toBe(true)
      const isTold = summary !== null || hasTranscript
      expect(!isTold || endDate <= at, `meeting ${id}`).toBe(true)
    }
    for (const table of ['notes', 'briefContents', 'triggerLogs', 'actionLogs'] as const) {
      for (const row of rows[table]) expect(row.createdDate <= at, `${table} ${row.id}`).toBe(true)
    }
  }
})

it('lets records of a fixture stand still, unless they ask to live', async () => {
  const { moments, dataset } = await generateLiving({ seed: 42 })
  const later = moments.at(daysLater(365))
  for (const id of [1, 2, 3, 1_000_001]) {
    expect(later.tables.customers.get(id)).toBe(dataset.tables.customers.get(id))
  }
  expect(later.tables.signals.get(1)).toBe(dataset.tables.signals.get(1))
  const fixtureContent = {
    extends: 'empty',
    customers: [{ id: 5, lives: true }, { id: 6, lives: false }, { id: 7 }],
  }
  const own = await generateLiving({ fixture: 'own', fixtureContent })
  const after = own.moments.at(daysLater(60))
  const hasChanged = [5, 6, 7].map(
    (id) => after.tables.customers.get(id) !== own.dataset.tables.customers.get(id),
  )
  expect(hasChanged).toEqual([true, false, false])
})
