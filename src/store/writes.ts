import type { Change } from './change.ts'
import type { Dataset } from './dataset.ts'
import type { Row, TableName } from './tables.ts'
import type { Reader } from './texts.ts'

export interface Origin {
  readonly by: 'service' | 'scenario' | 'control'
  readonly request?: number | undefined
  readonly scenario?: string | undefined
}

export interface WrittenRow {
  readonly table: TableName
  readonly id: number
  readonly before: Row<TableName> | undefined
  readonly after: Row<TableName> | undefined
  readonly wasChanged: boolean
}

interface ChangedData extends Reader {
  readonly dataset: Pick<Dataset, 'tables'>
  isChanged(table: TableName, id: number): boolean
}

/** Lists the rows that changes, which are not made yet, are going to write. Order: as given. */
export function listWritten(data: ChangedData, changes: readonly Change[]): WrittenRow[] {
  return changes.map(({ table, id, row }) => ({
    table,
    id,
    before: data.get(table, id),
    after: row === undefined ? data.dataset.tables[table].get(id) : (row ?? undefined),
    wasChanged: data.isChanged(table, id),
  }))
}
