import { expect, it } from 'vitest'

import { fromLocalTime, isWorkingDay, toLocalTime } from '../../seed/calendar/calendar.ts'
import { countries } from '../../seed/calendar/places.ts'
import { DAY, HOUR } from '../../seed/calendar/time.ts'

const places = countries.flatMap((country) => country.places)
const timezones = [...new Set(places.map(({ timezone }) => timezone))]

/**
 * The days of 2023 to 2025. Newer time zone databases know that western Canada keeps its summer time from 2026 on; older
 * ones and the data do not. Units: milliseconds since 1970.
 */
const days = Array.from({ length: 1096 }, (_, day) => Date.UTC(2023, 0, 1) + day * DAY)

/** Reads the clocks of a zone as `2026-01-15, 09:00`. */
function createClock(timeZone: string): (timeMs: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (timeMs) => format.format(timeMs)
}

it.each(timezones)('noon on working days in %s is the noon that its clocks show', (timezone) => {
  const readClock = createClock(timezone)
  const readUtc = createClock('UTC')
  const country = places.find((place) => place.timezone === timezone)?.country ?? ''
  const noons = days.filter((day) => isWorkingDay(day, country)).map((day) => day + 12 * HOUR)
  expect(noons.length).toBeGreaterThan(700)
  expect(noons.filter((noon) => readClock(fromLocalTime(noon, timezone)) !== readUtc(noon))).toEqual([])
  expect(noons.filter((noon) => readUtc(toLocalTime(noon, timezone)) !== readClock(noon))).toEqual([])
})
