import type { Row } from '../src/store/tables.ts'
import { fromLocalTime } from './calendar.ts'
import { mostlySmall } from './fakers.ts'
import type { RecordKey } from './record-key.ts'
import { DAY, HOUR, MINUTE, instant, startOfDay, parseTime, workingDay } from './time.ts'

type Times = Pick<Row<'meetings'>, 'startDate' | 'endDate' | 'createdDate' | 'updatedDate'>

interface Calendar {
  readonly key: RecordKey
  /** Units: milliseconds since 1970. */
  readonly nowMs: number
  readonly minutes: number
  /** The customer's time zone. */
  readonly timezone: string
}

/**
 * Generates the times when a meeting was planned, takes place and was last changed: on a working day, in the customer's
 * office hours. A few are in the future; none was planned or changed after now.
 */
export function generateMeetingTimes(given: Partial<Times>, calendar: Calendar): Times {
  const { key, nowMs, minutes } = calendar
  const startMs = given.startDate ? parseTime(given.startDate) : generateStart(given, calendar)
  const endMs = given.endDate ? parseTime(given.endDate) : startMs + minutes * MINUTE
  const updatedEnd = given.updatedDate ? parseTime(given.updatedDate) : nowMs
  const plannedMs =
    Math.min(startMs, nowMs, updatedEnd) -
    key.faker('planned').number.float({ min: HOUR, max: 21 * DAY, distributor: mostlySmall })
  const createdMs = given.createdDate ? parseTime(given.createdDate) : Math.floor(plannedMs)
  const lastMs = Math.max(createdMs, endMs <= nowMs ? endMs : createdMs)
  const distance = Math.min(
    key.faker('updated').number.float({ min: 5 * MINUTE, max: 4 * DAY, distributor: mostlySmall }),
    Math.max(0, nowMs - lastMs) * 0.8,
  )
  return {
    startDate: instant(startMs),
    endDate: instant(endMs),
    createdDate: instant(createdMs),
    updatedDate: instant(Math.floor(lastMs + distance)),
  }
}

function generateStart(given: Partial<Times>, { key, nowMs, minutes, timezone }: Calendar): number {
  if (given.endDate) return parseTime(given.endDate) - minutes * MINUTE
  const faker = key.faker('start')
  const isToCome = faker.datatype.boolean(0.06)
  const days = isToCome
    ? faker.number.int({ min: 3, max: 24 })
    : -faker.number.float({ min: 0.2, max: 320, distributor: mostlySmall })
  const at =
    workingDay(startOfDay(nowMs + Math.round(days * DAY))) +
    faker.number.int({ min: 18, max: 32 }) * 30 * MINUTE
  const startMs = fromLocalTime(at, timezone)
  const [earliest, latest] = [
    parseTime(given.createdDate ?? instant(0)),
    parseTime(given.updatedDate ?? instant(nowMs)),
  ]
  if (isToCome) return startMs
  const isInTime = startMs + minutes * MINUTE <= Math.min(nowMs, latest) && startMs >= earliest
  return isInTime ? startMs : Math.max(startMs - 7 * DAY, earliest)
}
