import { type DatasetContent, forEachTable, type Row, type TableName } from '../../src/store/tables.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { getLogCustomer } from './ids.ts'

export interface ReadyMade {
  readonly organizations: readonly OrganizationRow[]
  /** Reads the rows of a table, once. */
  readonly rows: { readonly [T in TableName]: () => readonly Row<T>[] }
  /** The smallest size of the dataset with each customer and each member. Order: as the rows. */
  readonly leastSizes: { readonly customers: readonly number[]; readonly members: readonly number[] }
}

/**
 * Datasets that need not be generated, with their seed, fixture and `now` as text. Order: by size.
 * DECISION: empty in the sources; `vite.config.ts` embeds the default dataset in sizes small and medium, because most
 * programs use it or a smaller one, and reading it takes a tenth of the time. Revisit when the generators load as fast.
 */
export const readyMade: readonly {
  readonly source: string
  readonly size: number
  readonly load: () => Promise<ReadyMade>
}[] = []

export function cutDataset({ organizations, rows, leastSizes }: ReadyMade, size: number): DatasetContent {
  const isKept = (table: keyof typeof leastSizes, at: number): boolean => (leastSizes[table][at] ?? 0) <= size
  const customers = rows.customers().filter((_, at) => isKept('customers', at))
  const ids = new Set(customers.map(({ id }) => id))
  const isRowKept = (row: object): boolean => !('customerId' in row) || ids.has(Number(row.customerId))
  const isLogKept = ({ id }: { readonly id: number }): boolean => {
    const customer = getLogCustomer(id)
    return customer === undefined || ids.has(customer)
  }
  return {
    organizations,
    rows: {
      ...forEachTable<ReadyMade['rows']>((table) => () => rows[table]().filter(isRowKept)),
      customers,
      members: () => rows.members().filter((_, at) => isKept('members', at)),
      triggerLogs: () => rows.triggerLogs().filter(isLogKept),
      actionLogs: () => rows.actionLogs().filter(isLogKept),
    },
  }
}
