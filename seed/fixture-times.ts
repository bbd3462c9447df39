import { date, instant, relativeTime } from './time.ts'

/**
 * A value of a fixture with its relative times made absolute: in every field whose name ends in `Date`,
 * `now-12d` becomes the instant twelve days before now, and a `renewalDate` of `now+40d` the day in forty days.
 * What is undefined is left out.
 */
export function withTimesAt<T>(value: T, nowMs: number): T
export function withTimesAt(value: unknown, nowMs: number): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => withTimesAt(entry, nowMs))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
  return Object.fromEntries(entries.map(([name, entry]) => [name, fieldAt(name, entry, nowMs)]))
}

function fieldAt(name: string, value: unknown, nowMs: number): unknown {
  if (!name.endsWith('Date') || typeof value !== 'string') return withTimesAt(value, nowMs)
  const timeMs = relativeTime(value, nowMs)
  if (timeMs === undefined) return value
  return name === 'renewalDate' ? date(timeMs) : instant(timeMs)
}
