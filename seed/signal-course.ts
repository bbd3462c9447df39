import type { Row } from '../src/store/tables.ts'
import type { Random, RecordKey } from './random.ts'
import { DAY, HOUR, instant, parseTime } from './time.ts'

type Signal = Row<'signals'>

/** The progress of a signal, with its dates. */
export type Course = Pick<
  Signal,
  'status' | 'isDraft' | 'createdDate' | 'raisedDate' | 'closedDate' | 'updatedDate'
> & {
  /** Units: milliseconds since 1970. */
  readonly createdMs: number
}

/** Generates the progress of a signal around its given fields. Order: created, raised, closed, updated, now. */
export function generateCourse(given: Partial<Signal>, key: RecordKey, nowMs: number): Course {
  const random = key.for('course')
  const ageMs = key.for('age').skewed(HOUR / 2, 400 * DAY)
  const isDraft = given.isDraft ?? (canBeDraft(given) && key.for('draft').chance(0.07))
  const status = given.status ?? (isDraft ? 'open' : chooseStatus(given, ageMs, key.for('status')))
  const ends = [given.raisedDate, given.closedDate, given.updatedDate].map((text) =>
    text ? parseTime(text) : nowMs,
  )
  const [raisedEnd = nowMs, closedEnd = nowMs, updatedEnd = nowMs] = ends
  const createdMs = given.createdDate
    ? parseTime(given.createdDate)
    : Math.floor(Math.min(nowMs - ageMs, raisedEnd - DAY / 2, closedEnd - 3 * DAY, updatedEnd - 3 * DAY))
  const raisedMs = given.raisedDate
    ? parseTime(given.raisedDate)
    : after(createdMs, Math.min(closedEnd, updatedEnd), random.skewed(0, 3 * DAY))
  const beganMs = isDraft ? createdMs : raisedMs
  const isOver = status === 'closed' || status === 'dismissed'
  const closedMs = given.closedDate
    ? parseTime(given.closedDate)
    : after(beganMs, updatedEnd, random.skewed(DAY, 70 * DAY))
  const lastMs = isOver ? closedMs : beganMs
  return {
    status,
    isDraft,
    createdMs,
    createdDate: instant(createdMs),
    raisedDate: isDraft ? null : instant(raisedMs),
    closedDate: isOver ? instant(closedMs) : null,
    updatedDate: instant(after(lastMs, nowMs, random.skewed(0, isOver ? 5 * DAY : 45 * DAY))),
  }
}

/** Checks that no field is given that a draft cannot have. */
function canBeDraft({ status = 'open', raisedDate, closedDate }: Partial<Signal>): boolean {
  return status === 'open' && !raisedDate && !closedDate
}

function chooseStatus(given: Partial<Signal>, ageMs: number, random: Random): Signal['status'] {
  if (given.dismissalReason) return 'dismissed'
  if (given.closedDate || given.outcome) return 'closed'
  const young = [
    ['open', 60],
    ['inProgress', 30],
    ['closed', 5],
    ['dismissed', 5],
  ] as const
  const grown = [
    ['open', 25],
    ['inProgress', 25],
    ['closed', 36],
    ['dismissed', 14],
  ] as const
  const old = [
    ['open', 6],
    ['inProgress', 9],
    ['closed', 65],
    ['dismissed', 20],
  ] as const
  if (ageMs < 20 * DAY) return random.weighted<Signal['status']>(young)
  return random.weighted<Signal['status']>(ageMs < 100 * DAY ? grown : old)
}

/** Returns a time after another one, and before the end if possible. Units: milliseconds since 1970. */
function after(fromMs: number, endMs: number, distanceMs: number): number {
  return Math.floor(fromMs + Math.min(distanceMs, Math.max(0, endMs - fromMs) * 0.7))
}
