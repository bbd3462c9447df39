import { expect, it } from 'vitest'

import type { PartialSettings } from '../../src/index.ts'
import { createSandbox } from '../../src/index.ts'
import { tableNames } from '../../src/store/tables.ts'
import { openSandbox } from '../support.ts'
import { expectRejected } from './data-support.ts'

const sandbox = await openSandbox()
const open = () => sandbox.session().data

type Records = ReturnType<typeof open>
type Value = string | number | boolean | null

/** The fields that an error suggests. */
async function possible(data: Records, name: 'customers'): Promise<string[]> {
  const { errors = [] } = await expectRejected(data[name].counts(undefined as never), 'invalid_request')
  return /^is required\. Known are (.*)\.$/.exec(errors[0]?.message ?? '')?.[1]?.split(', ') ?? []
}

/** The value that a field of a record counts as. */
function valuesOf(shown: unknown): Value[] {
  if (Array.isArray(shown)) return shown.length === 0 ? [null] : [...new Set(shown.flatMap(valuesOf))]
  if (typeof shown === 'object' && shown !== null) return [(shown as { id: number }).id]
  if (typeof shown !== 'string') return [shown as Value]
  return [/^\d{4}-\d\d-\d\dT/.test(shown) ? shown.slice(0, 7) : shown || null]
}

/** Reports whether a field has single values, objects with id and name, or lists of these. */
function isSuitable(records: readonly object[], field: string): boolean {
  return records
    .flatMap((record) => Reflect.get(record, field))
    .every(
      (value) =>
        typeof value !== 'object' ||
        value === null ||
        ('id' in value && /"(?:name|label)":/.test(JSON.stringify(value))),
    )
}

/** Counts the values of a field. */
function tally(records: readonly object[], field: string): Map<Value, number> {
  const found = new Map<Value, number>()
  for (const record of records) {
    for (const value of valuesOf(Reflect.get(record, field) ?? null))
      found.set(value, (found.get(value) ?? 0) + 1)
  }
  return found
}

/** Compares the counts of every field of every collection with the records themselves. */
async function expectAgreement(data: Records): Promise<void> {
  for (const collection of tableNames) {
    const name = collection as 'customers'
    const { items: records } = await data[name].list()
    const fields = await possible(data, name)
    expect([name, fields]).toEqual([
      name,
      Object.keys(records[0] ?? {}).filter((key) => isSuitable(records, key)),
    ])
    for (const field of fields) {
      const { items, totalCount, recordCount } = await data[name].counts(field as 'city')
      const counted = new Map(items.map(({ value, count }) => [value, count]))
      expect([collection, field, counted]).toEqual([collection, field, tally(records, field)])
      expect([totalCount, recordCount]).toEqual([items.length, records.length])
    }
  }
}

it('counts by every field of every collection, as GET returns it, also what the session has changed', async () => {
  const data = open()
  await data.customers.create([{ segment: 'Enterprise' }, { segment: 'Mine' }])
  await data.meetings.put({ id: 900, nextSteps: ['Call', 'Write', 'Call'] })
  await expectAgreement(data)
})

it.each<PartialSettings>([
  {
    absentValues: 'null',
    timestamps: 'offset',
    signalStatuses: ['OPEN', 'IN_PROGRESS', 'CLOSED', 'DISMISSED'],
  },
  { signalStatuses: { A: 'open', B: 'open', C: 'inProgress', D: 'closed', E: 'dismissed' } },
])('counts the values that GET returns under %j', async (assumptions) => {
  const other = await createSandbox({ size: 'small', assumptions })
  await expectAgreement(other.data)
})

it('sorts by count, then by value, and months and ids in order, absent ones last', async () => {
  const data = open()
  expect(await data.customers.counts('segment', { organizationId: 'harbor' })).toEqual({
    by: 'segment',
    items: expect.arrayContaining([{ value: 'Enterprise', label: 'Enterprise', count: expect.any(Number) }]),
    totalCount: 4,
    recordCount: 25,
  })
  const { items } = await data.customers.counts('city')
  const expected = items.toSorted((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
  expect(items).toEqual(expected)
  const months = (await data.signals.counts('closedDate')).items.map(({ label }) => label)
  expect(months).toEqual([...months.slice(0, -1).toSorted(), 'none'])
  const ids = (await data.signals.counts('id')).items.map(({ value }) => Number(value))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
})

it('counts lookups by id with their name', async () => {
  const data = open()
  const { items } = await data.signals.counts('category')
  expect(items).toContainEqual({ value: 8, label: 'Billing', count: expect.any(Number) })
  const none = { value: 1, label: 'No outcome', count: expect.any(Number) }
  expect((await data.signals.counts('outcome')).items).toContainEqual(none)
})

it('returns at most 1,000 values, and says how many there are', async () => {
  const data = open()
  await data.notes.create(Array.from({ length: 1_100 }, (_, index) => ({ content: `Note ${index}` })))
  const { items, totalCount } = await data.notes.counts('content')
  expect(items).toHaveLength(1_000)
  expect(totalCount).toBeGreaterThan(1_100)
})

it('returns no values for an empty collection, and accepts the same fields', async () => {
  const { data } = await openSandbox({ fixture: 'empty' })
  const none = { by: 'organizationId', items: [], totalCount: 0, recordCount: 0 }
  expect(await data.customers.counts('organizationId')).toEqual(none)
  expect(await possible(data, 'customers')).toEqual(await possible(open(), 'customers'))
})
