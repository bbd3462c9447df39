const DURATION =
  /^P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,9}))?S)?)?$/

/** The last instant that the format of instants can name. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * An instant moved on by an ISO 8601 duration, years and months by the calendar in UTC.
 * Shape: undefined where the text is no duration, or the result is after the year 9999.
 */
export function after(instant: string, duration: string): string | undefined {
  const match = DURATION.exec(duration)
  if (!match) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1, 8)
    .map((part) => Number(part ?? 0))
  const milliseconds = Math.floor(Number(`0.${match[8] ?? 0}`) * 1000)
  const at = new Date(instant)
  const month = at.getUTCMonth() + (months ?? 0)
  const year = at.getUTCFullYear() + (years ?? 0)
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const time = Date.UTC(
    year,
    month,
    Math.min(at.getUTCDate(), lastDay) + (weeks ?? 0) * 7 + (days ?? 0),
    at.getUTCHours() + (hours ?? 0),
    at.getUTCMinutes() + (minutes ?? 0),
    at.getUTCSeconds() + (seconds ?? 0),
    at.getUTCMilliseconds() + milliseconds,
  )
  return time <= LAST ? new Date(time).toISOString() : undefined
}
