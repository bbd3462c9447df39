import { getBuiltinFixture, parseFixture } from '../../seed/fixtures/fixtures.ts'
import { createGenerator, generate } from '../../seed/index.ts'
import { finish, runAtOnce } from '../../src/core/slices.ts'
import { createDataset } from '../../src/store/dataset.ts'
import { checkReferences, type Lookup } from '../../src/store/references.ts'
import {
  forEachTable,
  getKeys,
  type IndexName,
  type Row,
  type Rows,
  rowSchemas,
  type TableName,
  tableNames,
} from '../../src/store/tables.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { noTexts } from '../../src/store/texts.ts'

/** The time of the datasets in these tests. */
export const now = '2026-01-15T12:00:00.000Z'

interface Wish {
  readonly seed?: number
  readonly size?: number
  readonly now?: string
  /** The name of a built-in fixture, or the content of a fixture. */
  readonly fixture?: unknown
}

/** A generated tenant. */
export interface Generated {
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
}

/** The tenants with built-in fixtures so far: all tests of a process share them, table by table. */
const tenants = new Map<string, Generated>()

/** Generates a tenant, by default with seed 42, 25 customers and the default fixture; the same one only once. */
export function generated({ seed = 42, size = 25, now: at = now, fixture = 'default' }: Wish): Generated {
  const name = typeof fixture === 'string' ? JSON.stringify([seed, size, at, fixture]) : undefined
  const known = tenants.get(name ?? '')
  if (known) return known
  const laid =
    typeof fixture === 'string' ? getBuiltinFixture(fixture) : runAtOnce(parseFixture(fixture, 'two-teams'))
  const content = finish(generate({ seed, size, now: at, fixture: laid }))
  const key = { seed, size, now: at, fixture: 'default', clock: 'frozen' } as const
  const tenant = createDataset(key, content, noTexts)
  if (name !== undefined) tenants.set(name, tenant)
  return tenant
}

/** The rows of a generated tenant. */
export const rowsOf = (wish: Wish): Rows => generated(wish).rows

/** Groups values by a key. */
export function groupBy<K, V>(values: readonly V[], getKey: (value: V) => K): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>()
  for (const value of values) {
    const key = getKey(value)
    const list = groups.get(key)
    if (list) list.push(value)
    else groups.set(key, [value])
  }
  return groups
}

interface Keyed {
  readonly own: unknown
  readonly row: Row<TableName>
}

/** Looks rows up in a generated tenant. */
export function createLookup({ organizations, rows }: Generated): Lookup {
  type Maps = { readonly [T in TableName]: ReadonlyMap<number, Row<T>> }
  const maps = forEachTable<Maps>((table) => new Map(rows[table].map((row) => [row.id, row] as const)))
  const lists = new Map<string, readonly Row<TableName>[]>()
  const indexes = new Map<string, ReadonlyMap<unknown, readonly Keyed[]>>()
  return {
    organizations,
    get: (table, id) => maps[table].get(id),
    list: <T extends TableName>(table: T, organizationId: string): readonly Row<T>[] => {
      const key = `${table} ${organizationId}`
      const known = lists.get(key) ?? rows[table].filter((row) => row.organizationId === organizationId)
      lists.set(key, known)
      return known as readonly Row<T>[]
    },
    find: <T extends TableName>(table: T, index: IndexName<T>, key: unknown): readonly Row<T>[] => {
      const name = `${table} ${index}`
      const keyed = () =>
        rows[table].flatMap((row) => getKeys(table, index, row).map((own) => ({ own, row })))
      const known = indexes.get(name) ?? groupBy<unknown, Keyed>(keyed(), ({ own }) => own)
      indexes.set(name, known)
      return known.get(key)?.map(({ row }) => row as Row<T>) ?? []
    },
  }
}

/** Generates a row as if it were created in a call of its own. */
export function draft<T extends TableName>(
  table: T,
  id: number,
  given: Partial<Row<T>>,
  context: Parameters<typeof createGenerator>[0],
): Row<T> {
  return createGenerator(context)(table, id, given)
}

/** Finds the rows of a tenant that do not fit their table, refer to no record of their organization, or repeat an id. */
export function findInvalidRows(tenant: Generated, isKnown = (_row: object) => false): string[] {
  const lookup = createLookup(tenant)
  return tableNames.flatMap((name) => {
    const rows: readonly Row<TableName>[] = tenant.rows[name]
    const misfits = rows.flatMap((row) => {
      const issues = isKnown(row) ? [] : (rowSchemas[name].safeParse(row).error?.issues ?? [])
      const faults = [...issues, ...checkReferences(name, row, lookup)]
      return faults.map((fault) => `${name} ${row.id}: ${JSON.stringify(fault)}`)
    })
    const isUnique = new Set(rows.map(({ id }) => id)).size === rows.length
    return isUnique ? misfits : [...misfits, `${name} repeat an id`]
  })
}
