import type { Row } from '../src/store/tables.ts'
import type { Random, RecordKey } from './random.ts'
import { DAY, HOUR, instant, timeOf } from './time.ts'

type Signal = Row<'signals'>

/** How far a signal has come, and when. */
export type Course = Pick<
  Signal,
  'status' | 'isDraft' | 'createdDate' | 'raisedDate' | 'closedDate' | 'updatedDate'
> & {
  /** Units: milliseconds since 1970. */
  readonly createdMs: number
}

/** Draws a signal's course around what is given of it. Order: created, raised, closed, updated, now. */
export function drawCourse(given: Partial<Signal>, key: RecordKey, nowMs: number): Course {
  const random = key.for('course')
  const ageMs = key.for('age').skewed(HOUR / 2, 400 * DAY)
  const isDraft = given.isDraft ?? (isYetToCome(given) && key.for('draft').chance(0.07))
  const status = given.status ?? (isDraft ? 'open' : statusOf(given, ageMs, key.for('status')))
  const ends = [given.raisedDate, given.closedDate, given.updatedDate].map((text) =>
    text ? timeOf(text) : nowMs,
  )
  const [raisedEnd = nowMs, closedEnd = nowMs, updatedEnd = nowMs] = ends
  const createdMs = given.createdDate
    ? timeOf(given.createdDate)
    : Math.floor(Math.min(nowMs - ageMs, raisedEnd - DAY / 2, closedEnd - 3 * DAY, updatedEnd - 3 * DAY))
  const raisedMs = given.raisedDate
    ? timeOf(given.raisedDate)
    : after(createdMs, Math.min(closedEnd, updatedEnd), random.skewed(0, 3 * DAY))
  const beganMs = isDraft ? createdMs : raisedMs
  const isOver = status === 'closed' || status === 'dismissed'
  const closedMs = given.closedDate
    ? timeOf(given.closedDate)
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

/** Says that nothing is given that a draft cannot have. */
function isYetToCome({ status = 'open', raisedDate, closedDate }: Partial<Signal>): boolean {
  return status === 'open' && !raisedDate && !closedDate
}

function statusOf(given: Partial<Signal>, ageMs: number, random: Random): Signal['status'] {
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

/** Some time after another, but before the end if there is time until then. Units: milliseconds since 1970. */
function after(fromMs: number, endMs: number, distanceMs: number): number {
  return Math.floor(fromMs + Math.min(distanceMs, Math.max(0, endMs - fromMs) * 0.7))
}
