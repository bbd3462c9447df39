import type { Steps } from '../core/slices.ts'
import type { Row, TableName } from './tables.ts'
import type { OrganizationRow } from './tables/members.ts'

/** Rows of a table that are generated when they are read; each is the same object whenever it is read. */
export interface LazyRows<T extends TableName> {
  /** Generates all rows, or those of a customer. Order: the table's. */
  generate(customerId?: number): Steps<readonly Row<T>[]>
  find(id: number): Steps<Row<T> | undefined>
  /** Lists the highest ids, which show the id of a new record. Order: ascending. */
  listLastIds(): readonly number[]
}

export type TableRows<T extends TableName> = readonly Row<T>[] | (() => readonly Row<T>[]) | LazyRows<T>

export interface DatasetContent {
  readonly generatedBy?: string | undefined
  readonly organizations: readonly OrganizationRow[]
  readonly rows: { readonly [T in TableName]: TableRows<T> }
  /** Generates all rows that are generated when they are read; together, they cost less than table by table. */
  readonly generateAll?: () => Steps<unknown>
}
