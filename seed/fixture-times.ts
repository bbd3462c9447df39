import { date, instant, parseRelativeTime } from './time.ts'

/**
 * Resolves the relative times in a value of a fixture: in every field whose name ends in `Date`,
 * `now-12d` becomes the instant twelve days before now, and a `renewalDate` of `now+40d` the day in forty days.
 * Drops undefined values.
 */
export function resolveTimes<T>(value: T, nowMs: number): T
export function resolveTimes(value: unknown, nowMs: number): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => resolveTimes(entry, nowMs))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
  return Object.fromEntries(entries.map(([name, entry]) => [name, resolveField(name, entry, nowMs)]))
}

function resolveField(name: string, value: unknown, nowMs: number): unknown {
  if (!name.endsWith('Date') || typeof value !== 'string') return resolveTimes(value, nowMs)
  const timeMs = parseRelativeTime(value, nowMs)
  if (timeMs === undefined) return value
  return name === 'renewalDate' ? date(timeMs) : instant(timeMs)
}
