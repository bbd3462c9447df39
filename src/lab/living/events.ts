import { getOrCreate } from '../../core/maps.ts'
import { runInSlices, type Steps } from '../../core/slices.ts'
import type { RecordPlace, Row, TableName } from '../../store/tables.ts'
import { countTables } from '../../testing/records/counts.ts'
import type { RecordCounts } from '../../testing/records/types.ts'
import type { Moments } from './moments.ts'
import type { Events } from './timeline-types.ts'

const DAY_MS = 86_400_000

const toInstant = (timeMs: number): string => new Date(timeMs).toISOString()

/** A record as time has changed it; null if it is gone since then. */
export interface TimedRow {
  readonly at: string
  readonly row: Row<TableName> | null
}

/** Lists what time does with a record up to an instant. Order: by time. */
export function listTimedRows(moments: Moments, record: RecordPlace, to: string): Promise<TimedRow[]> {
  return runInSlices(walk())

  function* walk(): Steps<TimedRow[]> {
    const rows: TimedRow[] = []
    const { future } = moments
    const toMs = moments.clamp(Date.parse(to))
    let state = yield* future.begin(record)
    while (state.nextMs <= toMs) {
      const step = yield* future.advance(state, state.nextMs)
      ;({ state } = step)
      const change = step.changes.findLast(({ table, id }) => table === record.table && id === record.id)
      if (change?.row !== undefined) rows.push({ at: toInstant(state.atMs), row: change.row })
      yield
    }
    return rows
  }
}

/** Finds the first instant after one, and up to another, at which a record changes. */
export async function findNextChange(
  moments: Moments,
  after: string,
  to: string,
): Promise<string | undefined> {
  await moments.prepare(after)
  return runInSlices(walk())

  function* walk(): Steps<string | undefined> {
    const [afterMs = 0, toMs = 0] = [after, to].map((instant) => moments.clamp(Date.parse(instant)))
    let { state } = yield* moments.walk(moments.stateBefore(afterMs), afterMs)
    while (state.nextMs <= toMs) {
      const step = yield* moments.future.advance(state, state.nextMs)
      ;({ state } = step)
      if (step.changes.length > 0) return toInstant(state.atMs)
      yield
    }
    return undefined
  }
}

const countsByDay = new WeakMap<Moments, Map<number, RecordCounts>>()

/** Counts the records that change on each day of a range, in UTC; days without changes are left out. */
export async function countDays(moments: Moments, from: string, to: string): Promise<Events['items']> {
  const counts = getOrCreate(countsByDay, moments, () => new Map<number, RecordCounts>())
  const [first = 0, last = 0] = [from, to].map((instant) => Math.floor(Date.parse(instant) / DAY_MS))
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const missing = days.findIndex((day) => !counts.has(day))
  if (missing !== -1) {
    const beforeMs = moments.clamp((first + missing) * DAY_MS - 1)
    await moments.prepare(toInstant(beforeMs))
    await runInSlices(walk(beforeMs))
  }
  const items = days.map((day) => ({
    day: toInstant(day * DAY_MS).slice(0, 10),
    counts: counts.get(day) ?? {},
  }))
  return items.filter((item) => Object.keys(item.counts).length > 0)

  function* walk(beforeMs: number): Steps<void> {
    let { state } = yield* moments.walk(moments.stateBefore(beforeMs), beforeMs)
    for (const day of days.slice(missing)) {
      const step = yield* moments.walk(state, moments.clamp((day + 1) * DAY_MS - 1))
      ;({ state } = step)
      counts.set(day, countTables(step.changes))
    }
  }
}
