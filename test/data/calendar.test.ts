import { expect, it } from 'vitest'

import { fromLocalTime, isWorkingDay, toLocalTime } from '../../seed/calendar/calendar.ts'
import { countries } from '../../seed/calendar/places.ts'
import { DAY, HOUR } from '../../seed/calendar/time.ts'
import { expectNone, readClock } from './tenants.ts'

const places = countries.flatMap((country) => country.places)
const timezones = [...new Set(places.map(({ timezone }) => timezone))]

/**
 * The days of 2023 to 2025. Newer time zone databases know that western Canada keeps its summer time from 2026 on; older
 * ones and the data do not. Units: milliseconds since 1970.
 */
const days = Array.from({ length: 1096 }, (_, day) => Date.UTC(2023, 0, 1) + day * DAY)

it.each(timezones)('noon on working days in %s is the noon that its clocks show', (timezone) => {
  const country = places.find((place) => place.timezone === timezone)?.country ?? ''
  const noons = days.filter((day) => isWorkingDay(day, country)).map((day) => day + 12 * HOUR)
  expect(noons.length).toBeGreaterThan(700)
  expectNone(noons, (noon) => readClock(fromLocalTime(noon, timezone), timezone) !== readClock(noon, 'UTC'))
  expectNone(noons, (noon) => readClock(toLocalTime(noon, timezone), 'UTC') !== readClock(noon, timezone))
})
