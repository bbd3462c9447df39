import type { Change } from '../store/change.ts'
import type { Dataset } from '../store/dataset.ts'
import type { Table } from '../store/table.ts'
import { type Row, type TableName, tableNames } from '../store/tables.ts'

/** The records that change in some time, by table and id; null for those that are gone. */
export type Delta = { readonly [T in TableName]?: ReadonlyMap<number, Row<T> | null> }

/** The memory of a row of a changed table, with its share of the indexes, and of a changed row. Units: bytes, estimated. */
const [POSITION_BYTES, ROW_BYTES] = [40, 1_500]

export type MergedDelta = { [T in TableName]?: Map<number, Row<T> | null> }

export function addChanges(changes: MergedDelta, later: Delta): void {
  for (const name of tableNames) addRows(changes, name, later[name])
}

export function addRows<T extends TableName>(
  changes: { [N in T]?: Map<number, Row<T> | null> },
  name: T,
  rows: ReadonlyMap<number, Row<T> | null> | undefined,
): void {
  if (!rows) return
  const merged = changes[name] ?? new Map<number, Row<T> | null>()
  changes[name] = merged
  for (const [id, row] of rows) merged.set(id, row)
}

/** Estimates the memory of a moment, from above: it shares tables and rows with others. Units: bytes. */
export function estimateBytes(dataset: Dataset, changes: Delta): number {
  let bytes = 0
  for (const name of tableNames) {
    const { size = 0 } = changes[name] ?? {}
    if (size > 0) bytes += dataset.rows[name].length * POSITION_BYTES + size * ROW_BYTES
  }
  return bytes
}

export function applyChanges<T extends TableName>(
  table: Table<T>,
  changes: ReadonlyMap<number, Row<T> | null> | undefined,
): Table<T> {
  return changes && changes.size > 0 ? table.withRows(changes) : table
}

export function* listChangedRows(original: Dataset, changed: Dataset): Generator<Change> {
  for (const name of tableNames) {
    const [before, after] = [original.tables[name], changed.tables[name]]
    if (before === after) continue
    for (const row of after.rows) if (before.get(row.id) !== row) yield toChange(name, row.id, row)
    for (const { id } of before.rows) if (!after.get(id)) yield toChange(name, id, null)
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change is a table, an id and that table's row
const toChange = (table: TableName, id: number, row: object | null): Change => ({ table, id, row }) as Change
