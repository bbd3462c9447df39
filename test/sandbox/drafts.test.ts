import { expect, it } from 'vitest'

import { MAX_INTEGER } from '../../src/contract/fields.ts'
import { checkReferences } from '../../src/store/references.ts'
import { type Row, type TableName, tableNames, tables } from '../../src/store/tables.ts'
import { generated, createLookup, draft, now } from '../data/generated.ts'

const dataset = generated({})
const context = { seed: 42, now, data: createLookup(dataset) }

/** Lists the faults of a row: violations of its schema, and dangling references. */
function faults<T extends TableName>(table: T, row: Row<T>): string[] {
  const issues = tables[table].row.safeParse(row).error?.issues ?? []
  const dangling = checkReferences(table, row, context.data)
  return [...issues, ...dangling].map(({ path, message }) => `${table} ${row.id} ${String(path)}: ${message}`)
}

it('every table generates a row from an id alone, whatever the id', () => {
  for (const id of [64, 7777, 4_000_000_000, MAX_INTEGER]) {
    expect(tableNames.flatMap((table) => faults(table, draft(table, id, {}, context)))).toEqual([])
  }
})

it('given values are kept unchanged, in the order of the fields', () => {
  const row = draft('customers', 900, { name: 'Given', segment: 'Odd', products: [] }, context)
  expect(row).toMatchObject({ name: 'Given', segment: 'Odd', products: [] })
  expect(Object.keys(row)).toEqual(Object.keys(tables.customers.row.shape))
})

it('a customer’s city, domain and size fit the given values', () => {
  expect(draft('customers', 900, { city: 'Kraków' }, context)).toMatchObject({
    country: 'Poland',
    region: 'Lesser Poland',
    timezone: 'Europe/Warsaw',
  })
  expect(draft('customers', 900, { country: 'Japan' }, context).timezone).toBe('Asia/Tokyo')
  expect(draft('customers', 900, { name: 'Nordlicht & Töchter GmbH' }, context).domain).toBe(
    'nordlichttochter.example',
  )
  expect(draft('customers', 900, { employeeCount: 5000 }, context).segment).toBe('Enterprise')
  expect(draft('customers', 900, { segment: 'Enterprise' }, context).employeeCount).toBeGreaterThanOrEqual(
    1000,
  )
})

it('a record belongs to the given organization and uses its definitions', () => {
  const row = draft('customers', 900, { organizationId: 'quill' }, context)
  expect(row.memberRoles.flatMap(({ memberIds }) => memberIds).every((id) => id > 500)).toBe(true)
  expect(faults('customers', row)).toEqual([])
  expect(faults('products', draft('products', 77, { organizationId: 'quill' }, context))).toEqual([])
})

it('a signal is about the given category and product', () => {
  const category = { id: 8, name: 'Billing' }
  const row = draft('signals', 900, { category, productId: 2 }, context)
  expect(row).toMatchObject({ category, productId: 2 })
  expect(row.summary).toMatch(/invoice|paid|billing|reminder/i)
})

it('a signal with a given summary has no texts that contradict it', () => {
  const row = draft('signals', 900, { summary: 'Mine', status: 'closed' }, context)
  expect(row).toMatchObject({
    severityExplanation: null,
    latestNote: null,
    opportunity: null,
    outcomeNotes: null,
  })
})

it('a future meeting has no summary, next steps or transcript', () => {
  const startDate = '2026-02-01T10:00:00.000Z'
  const row = draft('meetings', 900, { startDate }, context)
  expect(row).toMatchObject({ startDate, summary: null, nextSteps: [], hasTranscript: false })
  expect(row.endDate > startDate && row.updatedDate <= now).toBe(true)
})

it('a log belongs to the given automation, or to the one with the given trigger or action', () => {
  expect(draft('triggerLogs', 5_555_555, { automationId: 41 }, context).triggerId).toBe(411)
  expect(draft('actionLogs', 5_555_555, { actionId: 221 }, context).automationId).toBe(22)
})
