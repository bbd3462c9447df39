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
}

export function createDataset(
  key: DatasetKey,
  { organizations, rows, generatedBy }: DatasetContent,
  texts: Texts,
): Dataset {
  const tables = forEachTable<Dataset['tables']>((name) => new Table(name, rows[name]))
  const complete = async (): Promise<void> => {
    for (const name of tableNames) await readInSlices(() => tables[name].rows)
  }
  return { key, organizations, rows: readRows(tables), tables, complete, generatedBy, texts }
}

export function readRows(tables: Dataset['tables'], show = <T>(rows: T): T => rows): Rows {
  const rows = {}
  for (const name of tableNames) {
    Object.defineProperty(rows, name, { enumerable: true, get: () => show(tables[name].rows) })
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one property for each table, which returns its rows
  return rows as Rows
}

export function formatMembers(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

/** How many records are formatted at once, which takes less than one after the other: a first start saves 20 ms. */
const BATCH = 100

/** @param show creates the form of a record in which it is shown */
export function* formatRecords<R>(
  records: readonly R[],
  indent: string,
  show: (record: R) => unknown = (record) => record,
): Generator<string> {
  const line = `\n${indent}  `
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH).map((record) => JSON.stringify(show(record)))
    yield `${start === 0 ? '[' : ','}${line}${batch.join(`,${line}`)}`
  }
  yield records.length === 0 ? '[]' : `\n${indent}]`
}
