import type { DatasetContent } from '../../src/store/lazy-rows.ts'
import type { Row, Rows, TableName } from '../../src/store/tables.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { getLogCustomer } from './ids.ts'

export interface ReadyMade {
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
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

/** Returns a smaller dataset: the same records for fewer customers and members. */
export function cutDataset({ organizations, rows, leastSizes }: ReadyMade, size: number): DatasetContent {
  const isKept = (table: keyof typeof leastSizes, at: number): boolean => (leastSizes[table][at] ?? 0) <= size
  const customers = rows.customers.filter((_, at) => isKept('customers', at))
  const ids = new Set(customers.map(({ id }) => id))
  const filterRows = <T extends TableName>(table: T): Row<T>[] => {
    const all: readonly Row<T>[] = rows[table]
    return all.filter((row) => !('customerId' in row) || ids.has(row.customerId))
  }
  const isLogKept = ({ id }: { readonly id: number }): boolean => {
    const customer = getLogCustomer(id)
    return customer === undefined || ids.has(customer)
  }
  return {
    organizations,
    rows: {
      ...rows,
      customers,
      members: rows.members.filter((_, at) => isKept('members', at)),
      signals: filterRows('signals'),
      meetings: filterRows('meetings'),
      notes: filterRows('notes'),
      briefContents: filterRows('briefContents'),
      triggerLogs: rows.triggerLogs.filter(isLogKept),
      actionLogs: rows.actionLogs.filter(isLogKept),
    },
  }
}
