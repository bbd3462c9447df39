/** How much of an instant is shown. */
export type InstantPart = 'day' | 'minute' | 'second' | 'time'

/** Where each part stands in `2026-01-15T12:00:00.000Z`. */
const parts: Readonly<Record<InstantPart, readonly [from: number, to: number]>> = {
  day: [0, 10],
  minute: [0, 16],
  second: [0, 19],
  time: [11, 23],
}

/**
 * An instant in UTC, the same in every browser, as in `2026-01-15 12:00:00`; `time` leaves the day out, and shows
 * milliseconds. What is no instant stays as it is.
 */
export function instantText(instant: string, part: InstantPart = 'second'): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const [from, to] = parts[part]
  return date.toISOString().replace('T', ' ').slice(from, to)
}

/** A duration to three digits, as in `0.42 ms`, `12.3 ms`, `1.5 s`, `2 min 5 s`, `3 h 20 min`. Units: milliseconds. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${rounded(ms)} ms`
  if (ms < 59_950) return `${rounded(ms / 1_000)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return joined(seconds, 60, 'min', 's')
  return joined(Math.round(seconds / 60), 60, 'h', 'min')
}

/** To two digits below 10, to one below 100; no zeros at the end. */
function rounded(value: number): number {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return Number(value.toFixed(digits))
}

function joined(count: number, each: number, large: string, small: string): string {
  const rest = count % each
  return `${Math.floor(count / each)} ${large}${rest > 0 ? ` ${rest} ${small}` : ''}`
}
