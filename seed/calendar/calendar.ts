import type { SimpleFaker } from '@faker-js/faker'

import { countries, timezones } from './places.ts'
import { DAY, HOUR, MINUTE, formatDate, startOfDay } from './time.ts'

export interface Workplace {
  readonly country: string
  readonly timezone: string
}

/** Public holidays on fixed days (month and day). Most business also stops around Christmas and New Year. */
const everywhere = ['01-01', '12-24', '12-25', '12-26', '12-31']

const holidaysByCountry: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  countries.map(({ name, holidays }) => [name, new Set([...everywhere, ...holidays])]),
)
const commonHolidays: ReadonlySet<string> = new Set(everywhere)

export function isWorkingDay(timeMs: number, country: string): boolean {
  const day = Math.floor(timeMs / DAY)
  // The first day of 1970 was a Thursday.
  const weekday = (((day + 4) % 7) + 7) % 7
  if (weekday === 0 || weekday === 6) return false
  const free = holidaysByCountry.get(country) ?? commonHolidays
  return !free.has(formatDate(timeMs).slice(5))
}

export function previousWorkingDay(timeMs: number, country: string): number {
  let day = timeMs
  while (!isWorkingDay(day, country)) day -= DAY
  return day
}

export const toLocalTime = (timeMs: number, timezone: string): number => timeMs + findOffset(timeMs, timezone)

export const fromLocalTime = (localMs: number, timezone: string): number =>
  localMs - findOffset(localMs, timezone)

/** Finds the offset from UTC on a day; the clocks change on a Sunday, when nobody works. Units: milliseconds. */
function findOffset(timeMs: number, timezone: string): number {
  const zone = timezones.get(timezone)
  if (!zone) return 0
  const isSummer = zone.summerTime !== undefined && isSummerTime(timeMs, zone.summerTime)
  return (zone.offsetHours + (isSummer ? 1 : 0)) * HOUR
}

function isSummerTime(timeMs: number, rule: string): boolean {
  const year = new Date(timeMs).getUTCFullYear()
  if (rule === 'american') return timeMs >= findSunday(year, 2, 8) && timeMs < findSunday(year, 10, 1)
  if (rule === 'european') return timeMs >= findSunday(year, 2, 25) && timeMs < findSunday(year, 9, 25)
  return timeMs < findSunday(year, 3, 1) || timeMs >= findSunday(year, 9, 1)
}

/** Finds the first Sunday on or after a day of a month; January is 0. */
function findSunday(year: number, month: number, day: number): number {
  const first = Date.UTC(year, month, day)
  return first + ((7 - new Date(first).getUTCDay()) % 7) * DAY
}

/** The usual volume of business by month, from January. */
const seasons: readonly number[] = [0.9, 0.95, 1, 0.95, 0.95, 0.95, 0.75, 0.65, 1, 1, 0.95, 0.65]

/** Units: milliseconds since 1970. */
export interface Period {
  readonly fromMs: number
  readonly toMs: number
}

export interface WorkPeriod extends Period {
  readonly workplace: Workplace
  /** Events begin at multiples of this after the hour. Units: minutes. Default: 1. */
  readonly step?: number
  /**
   * The beginning of the part of the period that has the event, from 0 to 1. A part that goes beyond the end goes on at
   * the beginning. Default: all of it.
   */
  readonly part?: number | undefined
}

const PART = 0.3

const OPENING = 9 * HOUR
const CLOSING = 17 * HOUR

/**
 * Chooses an instant within the working hours of a place, on a working day of its country, following the volume of
 * business. Returns one shortly before the end of a period that has no such hour.
 */
export function chooseWorkingTime(
  faker: SimpleFaker,
  { fromMs, toMs, workplace, step = 1, part }: WorkPeriod,
): number {
  const choosePlace = (begin: number): number =>
    fromMs + Math.floor(((begin + PART * faker.number.float()) % 1) * (toMs - fromMs))
  const tries = fromMs < toMs ? 60 : 0
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const day = startOfDay(
      part === undefined ? faker.number.int({ min: fromMs, max: toMs }) : choosePlace(part),
    )
    const time = faker.number.int({ min: OPENING / MINUTE / step, max: CLOSING / MINUTE / step }) * step
    const timeMs = fromLocalTime(day + time * MINUTE, workplace.timezone)
    const isUsual = faker.number.float() < (seasons[new Date(timeMs).getUTCMonth()] ?? 1)
    if (isUsual && isWorkingDay(day, workplace.country) && timeMs >= fromMs && timeMs <= toMs) return timeMs
  }
  return previousWorkingTime(toMs, workplace, fromMs)
}

export function previousWorkingTime(timeMs: number, { country, timezone }: Workplace, fromMs = 0): number {
  const local = toLocalTime(timeMs, timezone)
  let day = startOfDay(local)
  let time = Math.min(local - day, CLOSING)
  if (time < OPENING || !isWorkingDay(day, country)) {
    time = CLOSING
    day = previousWorkingDay(day - DAY, country)
  }
  return Math.max(fromMs, fromLocalTime(day + time, timezone))
}
