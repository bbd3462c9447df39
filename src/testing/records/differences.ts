import { listChangedFields } from '../../core/json.ts'
import type { Steps } from '../../core/slices.ts'
import type { Dataset } from '../../store/dataset.ts'
import type { SessionData } from '../../store/session-data.ts'
import { comparison, type Row, type TableName, tableNames } from '../../store/tables.ts'

export interface Difference {
  readonly id: number
  readonly before: Row<TableName> | undefined
  readonly after: Row<TableName> | undefined
}

export type Differences = ReadonlyMap<TableName, readonly Difference[]>

export function* findDifferences(before: Dataset, after: Dataset): Steps<Differences> {
  const result = new Map<TableName, readonly Difference[]>()
  for (const name of tableNames) {
    if (before.tables[name] === after.tables[name]) continue
    const compare = comparison(name)
    const differences = yield* compareRows(before.rows[name], after.rows[name], compare)
    differences.sort((a, b) => compare(a.after ?? a.before ?? a, b.after ?? b.before ?? b))
    if (differences.length > 0) result.set(name, differences)
  }
  return result
}

/** Finds the records that time changes for a session: none that it has written, or does not show. */
export function* findShownDifferences(
  data: SessionData,
  before: Dataset,
  after: Dataset,
): Steps<Differences> {
  const [earlier, later] = [data.copy(() => before), data.copy(() => after)]
  const result = new Map<TableName, readonly Difference[]>()
  for (const [table, differences] of yield* findDifferences(before, after)) {
    let shown = differences
    if (data.hasChanged([table])) {
      const found: Difference[] = []
      for (const one of differences) {
        const isThere = (one.after ? later : earlier).get(table, one.id) !== undefined
        if (isThere && !data.isChanged(table, one.id)) found.push(one)
        yield
      }
      shown = found
    }
    if (shown.length > 0) result.set(table, shown)
  }
  return result
}

/** Finds the records of a table that differ. Passes both lists at once, so that rows that are the same objects cost almost nothing. */
function* compareRows(
  before: readonly Row<TableName>[],
  after: readonly Row<TableName>[],
  compare: ReturnType<typeof comparison>,
): Steps<Difference[]> {
  const gone = new Map<number, Row<TableName>>()
  const come: Row<TableName>[] = []
  let [left, right] = [0, 0]
  while (left < before.length || right < after.length) {
    const old = before[left]
    const row = after[right]
    const order = old === row ? 0 : !old ? 1 : !row ? -1 : compare(old, row)
    if (order <= 0) left += 1
    if (order >= 0) right += 1
    if (old === row) continue
    if (old && order <= 0) gone.set(old.id, old)
    if (row && order >= 0) come.push(row)
    yield
  }
  const differences: Difference[] = []
  for (const row of come) {
    const difference = { id: row.id, before: gone.get(row.id), after: row }
    gone.delete(row.id)
    if (differs(difference)) differences.push(difference)
    yield
  }
  for (const row of gone.values()) differences.push({ id: row.id, before: row, after: undefined })
  return differences
}

export function differs({ before, after }: Omit<Difference, 'id'>): boolean {
  if (!before || !after || before === after) return before !== after
  if ('updatedDate' in before && 'updatedDate' in after && before.updatedDate !== after.updatedDate)
    return true
  return listChangedFields(before, after).length > 0
}

export function getKind({ before, after }: Omit<Difference, 'id'>): 'created' | 'changed' | 'deleted' {
  if (!before) return 'created'
  return after ? 'changed' : 'deleted'
}

export function readLastDate(row: Row<TableName>, before: Row<TableName> | undefined): string | undefined {
  for (const name of ['updatedDate', 'createdDate']) {
    const value: unknown = Reflect.get(row, name)
    if (typeof value === 'string' && value !== (before && Reflect.get(before, name))) return value
  }
  return undefined
}
