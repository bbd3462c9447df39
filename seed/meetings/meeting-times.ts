import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import {
  chooseWorkingTime,
  isWorkingDay,
  toLocalTime,
  type Period,
  type Workplace,
} from '../calendar/calendar.ts'
import { DAY, HOUR, MINUTE, formatInstant, startOfDay } from '../calendar/time.ts'
import { type RecordKey, mostlySmall } from '../random/record-key.ts'
import { weekdays } from '../texts/format.ts'

type Times = Pick<Row<'meetings'>, 'startDate' | 'endDate' | 'createdDate' | 'updatedDate'>

export interface MeetingRequest {
  readonly key: RecordKey
  readonly nowMs: number
  readonly minutes: number
  readonly period: Period
  readonly workplace: Workplace
  readonly isFree: (startMs: number, endMs: number) => boolean
}

/**
 * Generates the times when a meeting was planned, takes place and was last changed: on a working day, in the customer's
 * office hours. A few are in the future; none was planned or changed after now.
 */
export function generateMeetingTimes(fields: Partial<Times>, request: MeetingRequest): Times {
  const { key, nowMs, minutes, workplace } = request
  const startMs = fields.startDate ? Date.parse(fields.startDate) : chooseStart(fields, request)
  const endMs = fields.endDate ? Date.parse(fields.endDate) : startMs + minutes * MINUTE
  const latestMs = Math.min(startMs, nowMs, Date.parse(fields.updatedDate ?? formatInstant(nowMs)))
  const planned = key.faker('planned')
  const noticeMs = planned.number.float({ min: 2 * DAY, max: 24 * DAY, distributor: mostlySmall })
  const createdMs = fields.createdDate
    ? Date.parse(fields.createdDate)
    : chooseWorkingTime(planned, {
        fromMs: Math.floor(latestMs - noticeMs),
        toMs: Math.floor(Math.max(latestMs - noticeMs / 3, latestMs - 20 * DAY)),
        workplace,
      })
  const lastMs = Math.max(createdMs, endMs <= nowMs ? endMs : createdMs)
  const distance = Math.min(
    key.faker('updated').number.float({ min: 5 * MINUTE, max: 4 * DAY, distributor: mostlySmall }),
    Math.max(0, nowMs - lastMs) * 0.8,
  )
  return {
    startDate: formatInstant(startMs),
    endDate: formatInstant(endMs),
    createdDate: formatInstant(createdMs),
    updatedDate: formatInstant(Math.floor(lastMs + distance)),
  }
}

const LATEST_END = 17.5 * HOUR

/** Chooses the start of a meeting: a time when everybody is free, unless given times leave none. */
function chooseStart(fields: Partial<Times>, request: MeetingRequest): number {
  const { key, nowMs, minutes, workplace, period, isFree } = request
  if (fields.endDate) return Date.parse(fields.endDate) - minutes * MINUTE
  const faker = key.faker('start')
  const isToCome = faker.datatype.boolean(
    Math.max(0.065, Math.min(1, (period.toMs - nowMs) / (period.toMs - period.fromMs))),
  )
  const { fromMs, toMs } = limitPeriod(fields, isToCome, request)
  const isPossible = (startMs: number) => {
    if (!isFree(startMs, startMs + minutes * MINUTE)) return false
    const local = toLocalTime(startMs, workplace.timezone)
    return local - startOfDay(local) + minutes * MINUTE <= LATEST_END
  }
  let latest = toMs
  for (let tries = 0; tries < 16; tries += 1) {
    const step = faker.datatype.boolean(0.85) ? 30 : 15
    latest = floorTo(chooseWorkingTime(faker, { fromMs, toMs, workplace, step }), step)
    const isUnpopular =
      isFridayAfternoon(toLocalTime(latest, workplace.timezone)) && faker.datatype.boolean(0.5)
    if (latest >= fromMs && isPossible(latest) && !isUnpopular) return latest
  }
  // A period that reaches into the future may have room only there.
  const search = fields.updatedDate === undefined ? { fromMs, toMs: period.toMs } : { fromMs, toMs }
  const find = (distance: number, bounds: Period) =>
    findFreeStart(startOfDay(latest) + distance * DAY, bounds, workplace, isPossible)
  for (let index = 0; index < SEARCH_DAYS * 2; index += 1) {
    const startMs = find(Math.ceil(index / 2) * (index % 2 === 0 ? 1 : -1), search)
    if (startMs !== undefined) return startMs
  }
  if (fields.createdDate !== undefined || fields.updatedDate !== undefined) return Math.max(fromMs, latest)
  // Ends, because nobody has meetings on every day of the past.
  for (let distance = 0; ; distance -= 1) {
    const startMs = find(distance, { fromMs: -Infinity, toMs })
    if (startMs !== undefined) return startMs
  }
}

const isFridayAfternoon = (localMs: number): boolean =>
  new Date(localMs).getUTCDay() === 5 && localMs - startOfDay(localMs) >= 13 * HOUR

const floorTo = (timeMs: number, step: number): number => Math.floor(timeMs / MINUTE / step) * MINUTE * step

/** Limits the period of a meeting to the past or to the future, and to the given fields. */
function limitPeriod(fields: Partial<Times>, isToCome: boolean, request: MeetingRequest): Period {
  const { fromMs, toMs } = request.period
  const { nowMs, minutes } = request
  const [hasPast, hasFuture] = [fromMs < nowMs - 2 * DAY, toMs > nowMs + 2 * DAY]
  if (fields.updatedDate === undefined && hasFuture && (isToCome || !hasPast)) {
    return { fromMs: Math.max(fromMs, nowMs + HOUR), toMs }
  }
  const latestMs = Math.min(nowMs, Date.parse(fields.updatedDate ?? formatInstant(nowMs))) - minutes * MINUTE
  const earliestMs = Math.max(fromMs, Date.parse(fields.createdDate ?? formatInstant(0)))
  return { fromMs: Math.min(earliestMs, latestMs), toMs: Math.min(toMs, latestMs) }
}

const SEARCH_DAYS = 30

function findFreeStart(
  day: number,
  { fromMs, toMs }: Period,
  { country, timezone }: Workplace,
  isPossible: (startMs: number) => boolean,
): number | undefined {
  if (!isWorkingDay(day, country)) return undefined
  const shiftMs = toLocalTime(day, timezone) - day
  for (let time = 18; time < 34; time += 1) {
    const startMs = day + time * 30 * MINUTE - shiftMs
    if (startMs >= fromMs && startMs <= toMs && isPossible(startMs)) return startMs
  }
  return undefined
}

export function chooseGreeting(startMs: number, timezone: string): string {
  const local = toLocalTime(startMs, timezone)
  return local - startOfDay(local) < 12 * HOUR ? 'Good morning' : 'Good afternoon'
}

export function chooseDeadline(faker: SimpleFaker, timeMs: number): string {
  const today = new Date(timeMs).getUTCDay() - 1
  return faker.helpers.arrayElement(weekdays.filter((_, index) => index !== today))
}
