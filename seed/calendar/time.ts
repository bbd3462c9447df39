/** Units: milliseconds. */
export const HOUR = 3_600_000

export const DAY = 86_400_000

/** A year that is no leap year. Units: milliseconds. */
export const YEAR = 365 * DAY

export const MINUTE = 60_000

/** Formats an instant. Units: milliseconds since 1970 in, ISO 8601 in UTC with milliseconds out. */
export const formatInstant = (timeMs: number): string => new Date(timeMs).toISOString()

/** The days so far: few, which are asked for often. */
const dayTexts = new Map<number, string>()

/** Formats a calendar date. Units: milliseconds since 1970 in, `YYYY-MM-DD` in UTC out. */
export function formatDate(timeMs: number): string {
  const day = Math.floor(timeMs / DAY)
  let text = dayTexts.get(day)
  if (text === undefined) dayTexts.set(day, (text = formatInstant(day * DAY).slice(0, 10)))
  return text
}

/** Adds calendar years to the day of a time. Units: milliseconds since 1970. */
export function addYears(timeMs: number, years: number): number {
  const at = new Date(timeMs)
  return Date.UTC(at.getUTCFullYear() + years, at.getUTCMonth(), at.getUTCDate())
}

export const startOfDay = (timeMs: number): number => Math.floor(timeMs / DAY) * DAY
