import { readInSlices } from '../core/slices.ts'
import type { DatasetKey } from './dataset-key.ts'
import { Table } from './table.ts'
import { type DatasetContent, forEachTable, type Rows, type TableName, tableNames } from './tables.ts'
import type { OrganizationRow } from './tables/members.ts'
import type { Texts } from './texts.ts'

export interface Dataset {
  readonly key: DatasetKey
  readonly organizations: readonly OrganizationRow[]
  readonly rows: Rows
  readonly tables: { readonly [T in TableName]: Table<T> }
  /** Generates the rows that are not there yet, in slices between which others run. */
  readonly complete: () => Promise<void>
  /** The package version that generated the rows; absent if somebody has edited them since. */
  readonly generatedBy?: string | undefined
  readonly texts: Texts
  readonly isMoment?: true
  readonly formatted?: DatasetContent['formatted']
}

export function createDataset(
  key: DatasetKey,
  { organizations, rows, generatedBy, formatted }: DatasetContent,
  texts: Texts,
): Dataset {
  const tables = forEachTable<Dataset['tables']>((name) => new Table(name, rows[name]))
  const complete = async (): Promise<void> => {
    for (const name of tableNames) await readInSlices(() => tables[name].rows)
  }
  return { key, organizations, rows: readRows(tables), tables, complete, generatedBy, texts, formatted }
}

export function readRows(tables: Dataset['tables'], show = <T>(rows: T): T => rows): Rows {
  const rows = {}
  for (const name of tableNames) {
    Object.defineProperty(rows, name, { enumerable: true, get: () => show(tables[name].rows) })
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one property for each table, which returns its rows
  return rows as Rows
}
