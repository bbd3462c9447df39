import { getOrCreate } from '../core/maps.ts'
import { letOthersRun } from '../core/system-clock.ts'
import { tableNames } from '../store/tables.ts'
import type { Delta } from './differences.ts'
import type { FutureState, Moments, RecordPlace } from './moments.ts'
import type { RecordCounts } from './timeline-types.ts'

interface Step {
  readonly at: string
  readonly changes: Delta
}

const DAY_MS = 86_400_000

const toInstant = (timeMs: number): string => new Date(timeMs).toISOString()

const SLICE = 20

export async function* walkEvents(
  moments: Moments,
  record: RecordPlace | undefined,
  from: string,
  to: string,
  slice = SLICE,
): AsyncGenerator<Step> {
  await moments.prepare(from)
  const [beginMs, toMs] = [Date.parse(from), Date.parse(to)]
  const { future, fromMs, state: start } = moments.startAt(beginMs)
  const begun = record ? future.narrow(start, record) : start
  let count = 0
  for (let { state } = future.advance(begun, Math.max(beginMs, fromMs)); state.nextMs <= toMs;) {
    count += 1
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    if (count % slice === 0) await letOthersRun()
    const atMs = state.nextMs
    const step = future.advance(state, atMs)
    ;({ state } = step)
    if (hasChanges(step.changes)) yield { at: toInstant(atMs), changes: step.changes }
  }
}

export async function findNextEvent(moments: Moments, from: string, to: string): Promise<string | undefined> {
  const { value } = await walkEvents(moments, undefined, from, to, 1).next()
  return value?.at
}

const hasChanges = (changes: Delta): boolean => tableNames.some((name) => (changes[name]?.size ?? 0) > 0)

interface DayLog {
  readonly counts: Map<number, RecordCounts>
  lastMs: number
  last: FutureState | undefined
}

const logs = new WeakMap<Moments, DayLog>()

/**
 * Counts the records that change on each day of a range, in UTC; days without changes are left out. A day costs as much
 * as an advance by it, once.
 */
export async function countDays(
  moments: Moments,
  from: string,
  to: string,
): Promise<Map<string, RecordCounts>> {
  await moments.prepare(from)
  const log = getOrCreate(logs, moments, () => ({ counts: new Map(), lastMs: -Infinity, last: undefined }))
  const days = new Map<string, RecordCounts>()
  const lastDay = Math.floor(Date.parse(to) / DAY_MS)
  for (let day = Math.floor(Date.parse(from) / DAY_MS); day <= lastDay; day += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    if (!log.counts.has(day)) await letOthersRun()
    const counts = log.counts.get(day) ?? countDay(moments, log, day)
    if (Object.keys(counts).length > 0) days.set(toInstant(day * DAY_MS).slice(0, 10), counts)
  }
  return days
}

function countDay(moments: Moments, log: DayLog, day: number): RecordCounts {
  const beforeMs = day * DAY_MS - 1
  const toMs = beforeMs + DAY_MS
  const { future, fromMs, state: latest } = moments.startAt(beforeMs)
  const isFurther = log.last !== undefined && log.lastMs <= beforeMs && log.lastMs >= fromMs
  const begun = isFurther && log.last ? log.last : latest
  const morning = future.advance(begun, beforeMs).state
  const { state, changes } = future.advance(morning, toMs)
  log.last = state
  log.lastMs = toMs
  const counts: RecordCounts = {}
  for (const name of tableNames) {
    const { size = 0 } = changes[name] ?? {}
    if (size > 0) counts[name] = size
  }
  log.counts.set(day, counts)
  return counts
}
