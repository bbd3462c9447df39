import { getOrCreate } from '../core/maps.ts'
import { runInSlices } from '../core/slices.ts'
import { type RecordPlace, type Row, type RowChanges, type TableName, tableNames } from '../store/tables.ts'
import type { Moments } from './moments.ts'
import type { RecordCounts } from './timeline-types.ts'

const DAY_MS = 86_400_000

const toInstant = (timeMs: number): string => new Date(timeMs).toISOString()

/** A record as time has changed it; null if it is gone since then. */
export interface TimedRow {
  readonly at: string
  readonly row: Row<TableName> | null
}

/** Lists what time does with a record after an instant and up to another one. Order: by time. */
export async function listTimedRows(
  moments: Moments,
  record: RecordPlace,
  after: string,
  to: string,
): Promise<TimedRow[]> {
  const rows: TimedRow[] = []
  await runInSlices(walk())
  return rows

  function* walk(): Generator<undefined, void> {
    const { future } = moments
    const toMs = moments.clamp(Date.parse(to))
    let { state } = future.advance(yield* future.begin(record), moments.clamp(Date.parse(after)))
    while (state.nextMs <= toMs) {
      const step = future.advance(state, state.nextMs)
      ;({ state } = step)
      const row: Row<TableName> | null | undefined = step.changes[record.table]?.get(record.id)
      if (row !== undefined) rows.push({ at: toInstant(state.atMs), row })
      yield
    }
  }
}

function countRecords(changes: RowChanges): RecordCounts {
  const counts: RecordCounts = {}
  for (const name of tableNames) {
    const { size = 0 } = changes[name] ?? {}
    if (size > 0) counts[name] = size
  }
  return counts
}

/** Finds the first instant after one, and up to another, at which a record changes. */
export async function findNextChange(
  moments: Moments,
  after: string,
  to: string,
): Promise<string | undefined> {
  let found: string | undefined
  await moments.prepare(after)
  await runInSlices(walk())
  return found

  function* walk(): Generator<undefined, void> {
    const [afterMs = 0, toMs = 0] = [after, to].map((instant) => moments.clamp(Date.parse(instant)))
    let { state } = moments.future.advance(moments.stateBefore(afterMs), afterMs)
    while (state.nextMs <= toMs && found === undefined) {
      const step = moments.future.advance(state, state.nextMs)
      ;({ state } = step)
      if (Object.keys(countRecords(step.changes)).length > 0) found = toInstant(state.atMs)
      yield
    }
  }
}

const countsByDay = new WeakMap<Moments, Map<number, RecordCounts>>()

/** Counts the records that change on each day of a range, in UTC; days without changes are left out. */
export async function countDays(
  moments: Moments,
  from: string,
  to: string,
): Promise<{ day: string; counts: RecordCounts }[]> {
  const counts = getOrCreate(countsByDay, moments, () => new Map<number, RecordCounts>())
  const [first = 0, last = 0] = [from, to].map((instant) => Math.floor(Date.parse(instant) / DAY_MS))
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const missing = days.findIndex((day) => !counts.has(day))
  if (missing !== -1) {
    const beforeMs = moments.clamp((first + missing) * DAY_MS - 1)
    await moments.prepare(toInstant(beforeMs))
    await runInSlices(walk(beforeMs))
  }
  return days.flatMap((day) => {
    const ofDay = counts.get(day) ?? {}
    return Object.keys(ofDay).length === 0
      ? []
      : [{ day: toInstant(day * DAY_MS).slice(0, 10), counts: ofDay }]
  })

  function* walk(beforeMs: number): Generator<undefined, void> {
    let { state } = yield* moments.walk(moments.stateBefore(beforeMs), beforeMs)
    for (const day of days.slice(missing)) {
      const step = yield* moments.walk(state, moments.clamp((day + 1) * DAY_MS - 1))
      ;({ state } = step)
      counts.set(day, countRecords(step.changes))
    }
  }
}
