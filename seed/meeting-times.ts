import type { Row } from '../src/store/tables.ts'
import type { RecordKey } from './random.ts'
import { DAY, HOUR, instant, startOfDay, parseTime, workingDay } from './time.ts'

type Times = Pick<Row<'meetings'>, 'startDate' | 'endDate' | 'createdDate' | 'updatedDate'>

interface Calendar {
  readonly key: RecordKey
  /** Units: milliseconds since 1970. */
  readonly nowMs: number
  readonly minutes: number
  /** The customer's offset from UTC. Units: hours. */
  readonly offsetHours: number
}

const MINUTE = 60_000

/**
 * Generates the times when a meeting was planned, takes place and was last changed: on a working day, in the customer's
 * office hours. A few are in the future; none was planned or changed after now.
 */
export function generateMeetingTimes(given: Partial<Times>, calendar: Calendar): Times {
  const { key, nowMs, minutes } = calendar
  const startMs = given.startDate ? parseTime(given.startDate) : generateStart(given, calendar)
  const endMs = given.endDate ? parseTime(given.endDate) : startMs + minutes * MINUTE
  const updatedEnd = given.updatedDate ? parseTime(given.updatedDate) : nowMs
  const plannedMs = Math.min(startMs, nowMs, updatedEnd) - key.for('planned').skewed(HOUR, 21 * DAY)
  const createdMs = given.createdDate ? parseTime(given.createdDate) : Math.floor(plannedMs)
  const lastMs = Math.max(createdMs, endMs <= nowMs ? endMs : createdMs)
  const distance = Math.min(key.for('updated').skewed(5 * MINUTE, 4 * DAY), Math.max(0, nowMs - lastMs) * 0.8)
  return {
    startDate: instant(startMs),
    endDate: instant(endMs),
    createdDate: instant(createdMs),
    updatedDate: instant(Math.floor(lastMs + distance)),
  }
}

function generateStart(given: Partial<Times>, { key, nowMs, minutes, offsetHours }: Calendar): number {
  if (given.endDate) return parseTime(given.endDate) - minutes * MINUTE
  const random = key.for('start')
  const isToCome = random.chance(0.06)
  const days = isToCome ? random.int(3, 24) : -random.skewed(0.2, 320)
  const at = workingDay(startOfDay(nowMs + Math.round(days * DAY))) + random.int(18, 32) * 30 * MINUTE
  const startMs = at - offsetHours * HOUR
  const [earliest, latest] = [
    parseTime(given.createdDate ?? instant(0)),
    parseTime(given.updatedDate ?? instant(nowMs)),
  ]
  if (isToCome) return startMs
  const isInTime = startMs + minutes * MINUTE <= Math.min(nowMs, latest) && startMs >= earliest
  return isInTime ? startMs : Math.max(startMs - 7 * DAY, earliest)
}
