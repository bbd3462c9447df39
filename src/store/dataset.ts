import type { OrganizationRow } from './rows.ts'
import { Table } from './table.ts'
import { type Rows, type TableName, forEachTable } from './tables.ts'
import type { Texts } from './texts.ts'

/** What a dataset is a pure function of, besides the package version. */
export interface DatasetKey {
  readonly seed: number
  /** Customers of the first organization. */
  readonly size: number
  /** A builtin fixture's name, or the name of the user's own. */
  readonly fixture: string
  /** The user's own fixture as it was given; absent for a builtin one. */
  readonly fixtureContent?: unknown
  readonly now: string
  /** Whether the clock stands still at `now` or runs with the machine's. */
  readonly clock: 'frozen' | 'system'
}

/** The generated tenant: immutable, shared by every session. */
export interface Dataset {
  readonly key: DatasetKey
  readonly organizations: readonly OrganizationRow[]
  readonly tables: { readonly [T in TableName]: Table<T> }
  readonly texts: Texts
  /** What was worked out from the rows, by what it is. */
  readonly derived: Map<string, unknown>
}

/** Builds a dataset over rows that stand in their tables' order. */
export function createDataset(
  key: DatasetKey,
  content: { readonly organizations: readonly OrganizationRow[]; readonly rows: Rows },
  texts: Texts,
): Dataset {
  return {
    key,
    organizations: content.organizations,
    tables: forEachTable<Dataset['tables']>((name) => new Table(name, content.rows[name])),
    texts,
    derived: new Map(),
  }
}

/** All rows of a dataset, as they are kept and exported. */
export function rowsOf(dataset: Dataset): Rows {
  return forEachTable<Rows>((name) => dataset.tables[name].rows)
}
