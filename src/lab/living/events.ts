import { runInSlices, type Steps } from '../../core/slices.ts'
import type { SessionData } from '../../store/session-data.ts'
import { type RecordPlace, tableNames } from '../../store/tables.ts'
import { type Difference, findShownDifferences } from '../../testing/records/differences.ts'
import type { RecordCounts } from '../../testing/records/types.ts'
import type { Moments } from './moments.ts'

const DAY_MS = 86_400_000

const toInstant = (timeMs: number): string => new Date(timeMs).toISOString()

/** A change of a record. */
export interface RowVersion extends Omit<Difference, 'id'> {
  readonly at?: string | undefined
  readonly bySession?: true
}

/** Lists what time does with a record up to an instant. Order: by time. @param original the record of the dataset */
export function listTimedVersions(
  moments: Moments,
  record: RecordPlace,
  original: RowVersion['before'],
  to: string,
): Promise<RowVersion[]> {
  return runInSlices(walk())

  function* walk(): Steps<RowVersion[]> {
    const versions: RowVersion[] = []
    let before = original
    const { future } = moments
    const toMs = moments.clamp(Date.parse(to))
    let state = yield* future.begin(record)
    while (state.nextMs <= toMs) {
      const step = yield* future.advance(state, state.nextMs)
      ;({ state } = step)
      const change = step.changes.findLast(({ table, id }) => table === record.table && id === record.id)
      const after = change?.row === undefined ? before : (change.row ?? undefined)
      if (after !== before) versions.push({ before, after, at: toInstant(state.atMs) })
      before = after
      yield
    }
    return versions
  }
}

/** Finds the first instant after one, and up to another, at which a record of a session changes. */
export async function findNextChange(
  moments: Moments,
  session: SessionData,
  after: string,
  to: string,
): Promise<string | undefined> {
  await moments.prepare(after)
  return runInSlices(walk(session.copy()))

  function* walk(data: SessionData): Steps<string | undefined> {
    const [afterMs = 0, toMs = 0] = [after, to].map((instant) => moments.clamp(Date.parse(instant)))
    let moment = yield* moments.advance(moments.findBefore(afterMs), afterMs)
    while (moment.state.nextMs <= toMs) {
      const next = yield* moments.advance(moment, moment.state.nextMs)
      const differences = yield* findShownDifferences(data, moment.dataset, next.dataset)
      if (differences.size > 0) return toInstant(next.state.atMs)
      moment = next
      yield
    }
    return undefined
  }
}

type DayCounts = Map<number, RecordCounts>

const countsByDay = new WeakMap<object, { readonly revision: number; readonly counts: DayCounts }>()

/** Returns the counts so far, which all sessions share that have changed nothing. */
function getCounts(moments: Moments, data: SessionData): DayCounts {
  const [owner, revision] = data.hasChanged(tableNames) ? [data, data.revision] : [moments, 0]
  const known = countsByDay.get(owner)
  if (known?.revision === revision) return known.counts
  const counts: DayCounts = new Map()
  countsByDay.set(owner, { revision, counts })
  return counts
}

/** Counts the records of a session that change on each day of a range, in UTC; days without changes are left out. */
export async function countDays(
  moments: Moments,
  data: SessionData,
  from: string,
  to: string,
): Promise<{ day: string; counts: RecordCounts }[]> {
  const counts = getCounts(moments, data)
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
    const shown = data.copy()
    let moment = yield* moments.advance(moments.findBefore(beforeMs), beforeMs)
    for (const day of days.slice(missing)) {
      const next = yield* moments.advance(moment, moments.clamp((day + 1) * DAY_MS - 1))
      const differences = yield* findShownDifferences(shown, moment.dataset, next.dataset)
      counts.set(day, Object.fromEntries(Array.from(differences, ([table, { length }]) => [table, length])))
      moment = next
    }
  }
}
