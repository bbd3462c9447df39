const AMOUNT = String.raw`(\d+)(?:[.,](\d{1,9}))?`

/** Only the last part may have a fraction, and only a part of the time. */
const DURATION = new RegExp(
  String.raw`^P(?=\d|T\d)(?!.*[.,]\d+[HM]\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?` +
    String.raw`(?:T(?=\d)(?:${AMOUNT}H)?(?:${AMOUNT}M)?(?:${AMOUNT}S)?)?$`,
)

const [SECOND, MINUTE, HOUR, DAY, WEEK] = [1_000, 60_000, 3_600_000, 86_400_000, 604_800_000] as const

/** The first instant with a four-digit year. Units: milliseconds since 1970. */
export const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')

/** The last instant with a four-digit year. Units: milliseconds since 1970. */
export const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Reading the digits of a longer one would take long. Units: characters. */
const MAX_LENGTH = 1_000

/**
 * Adds an ISO 8601 duration to an instant, years and months by the UTC calendar.
 * Shape: undefined if the duration is invalid or the result is after the year 9999.
 */
export function addDuration(instant: string, duration: string): string | undefined {
  const match = duration.length > MAX_LENGTH ? undefined : DURATION.exec(duration)
  if (!match) return undefined
  const amount = (group: number): number => Number(match[group] ?? 0)
  const at = new Date(instant)
  const day = at.getUTCDate()
  // First the last day of the target month; `Date.UTC` would misread years before 100.
  at.setUTCFullYear(at.getUTCFullYear() + amount(1), at.getUTCMonth() + amount(2) + 1, 0)
  at.setUTCDate(Math.min(day, at.getUTCDate()))
  const time =
    at.getTime() +
    amount(3) * WEEK +
    amount(4) * DAY +
    amount(5) * HOUR +
    amount(7) * MINUTE +
    amount(9) * SECOND +
    truncate(match[6], HOUR) +
    truncate(match[8], MINUTE) +
    truncate(match[10], SECOND)
  return time <= LAST_MS ? new Date(time).toISOString() : undefined
}

function truncate(digits: string | undefined, unit: number): number {
  return Math.floor((Number(digits?.padEnd(9, '0') ?? 0) * unit) / 1_000_000_000)
}
