import { getBuiltinFixture } from '../../seed/fixtures/fixtures.ts'
import { generate } from '../../seed/index.ts'
import { createTables, readRows } from '../../src/store/dataset.ts'
import type { Lookup } from '../../src/store/references.ts'
import type { Row, Rows } from '../../src/store/tables.ts'
import { now } from './datasets.ts'
import { createLookup } from './generated.ts'
import { isGenerated } from './support.ts'

/** A medium tenant, and its customers that no fixture states. */
interface Tenant {
  readonly seed: number
  readonly rows: Rows
  readonly customers: readonly Row<'customers'>[]
  readonly data: Lookup
}

export const tenants: readonly Tenant[] = [7, 42, 2026].map((seed) => {
  const content = generate({ seed, size: 300, now, fixture: getBuiltinFixture('default') })
  const rows = readRows(createTables(content))
  const customers = rows.customers.filter(({ id }) => isGenerated({ customerId: id }))
  return { seed, rows, customers, data: createLookup({ organizations: content.organizations, rows }) }
})

/** Groups rows by their customer. */
export function group<T extends { readonly customerId: number }>(
  rows: readonly T[],
): (customerId: number) => readonly T[] {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const list = groups.get(row.customerId)
    if (list) list.push(row)
    else groups.set(row.customerId, [row])
  }
  return (customerId) => groups.get(customerId) ?? []
}
