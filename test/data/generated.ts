import { expect } from 'vitest'

import { createTexts } from '../../seed/dataset/long-texts.ts'
import { getBuiltinFixture, parseFixture } from '../../seed/fixtures/fixtures.ts'
import { generate } from '../../seed/index.ts'
import { finish, runAtOnce } from '../../src/core/slices.ts'
import { createDataset, type Dataset } from '../../src/store/dataset.ts'
import { checkReferences } from '../../src/store/references.ts'
import { SessionData } from '../../src/store/session-data.ts'
import { type Row, type Rows, rowSchemas, type TableName, tableNames } from '../../src/store/tables.ts'

/** The time of the datasets in these tests. */
export const now = '2026-01-15T12:00:00.000Z'

export interface Wish {
  readonly seed?: number
  readonly size?: number
  readonly now?: string
  /** The name of a built-in fixture, or the content of a fixture. */
  readonly fixture?: unknown
}

/** The tenants with built-in fixtures so far: all tests of a process share them, table by table. */
const tenants = new Map<string, Dataset>()

/** Generates a tenant, by default with seed 42, 25 customers and the default fixture; the same one only once. */
export function generated({ seed = 42, size = 25, now: at = now, fixture = 'default' }: Wish): Dataset {
  const isBuiltin = typeof fixture === 'string'
  const place = isBuiltin ? JSON.stringify([seed, size, at, fixture]) : ''
  const known = tenants.get(place)
  if (known) return known
  const laid = isBuiltin ? getBuiltinFixture(fixture) : runAtOnce(parseFixture(fixture, 'two-teams'))
  const fixtureContent = typeof fixture === 'object' ? { ...fixture } : undefined
  const own = isBuiltin ? { fixture } : { fixture: 'own', fixtureContent }
  const content = finish(generate({ seed, size, now: at, fixture: laid }))
  const tenant = createDataset({ seed, size, now: at, clock: 'frozen', ...own }, content, createTexts(seed))
  if (isBuiltin) tenants.set(place, tenant)
  return tenant
}

/** The rows of a generated tenant. */
export const rowsOf = (wish: Wish): Rows => generated(wish).rows

/** Expects some values, none of which is wrong. */
export function expectNone<T>(values: readonly T[], isWrong: (value: T) => unknown): void {
  const wrong = values.filter(isWrong)
  expect(wrong.slice(0, 3), `${wrong.length} of ${values.length} are wrong`).toEqual([])
  expect(values.length).toBeGreaterThan(0)
}

/** Finds the rows of a tenant that do not fit their table, refer to no record of their organization, or repeat an id. */
export function findInvalidRows(tenant: Dataset, isKnown = (_row: object) => false): string[] {
  const data = new SessionData(() => tenant)
  return tableNames.flatMap((name) => {
    const rows: readonly Row<TableName>[] = tenant.rows[name]
    const misfits = rows.flatMap((row) => {
      const issues = isKnown(row) ? [] : (rowSchemas[name].safeParse(row).error?.issues ?? [])
      const faults = [...issues, ...checkReferences(name, row, data)]
      return faults.map((fault) => `${name} ${row.id}: ${JSON.stringify(fault)}`)
    })
    const isUnique = new Set(rows.map(({ id }) => id)).size === rows.length
    return isUnique ? misfits : [...misfits, `${name} repeat an id`]
  })
}
