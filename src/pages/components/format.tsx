import type { RequestSummary } from '../../testing/journal/view.ts'

/** Formats a whole number, the same in every browser, as in `10,000`; empty if it is not known. */
export const formatNumber = (count?: number): string => `${count ?? ''}`.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Formats a count of things, as in `1 request`, `3 requests`. */
export const plural = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

/** Formats a size, as in `820 B`, `12.4 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

export type InstantPart = 'minute' | 'second' | 'time'

/** The position of each part in `2026-01-15T12:00:00.000Z`. */
const parts: Readonly<Record<InstantPart, readonly [from: number, to: number]>> = {
  minute: [0, 16],
  second: [0, 19],
  time: [11, 23],
}

/**
 * Formats an instant in UTC, the same in every browser, as in `2026-01-15 12:00:00`; `time` omits the day and shows
 * milliseconds. Returns text that is not an instant unchanged.
 */
export function formatInstant(instant: string, part: InstantPart = 'second'): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  const [from, to] = parts[part]
  return date.toISOString().replace('T', ' ').slice(from, to)
}

/** Formats a duration to three digits, as in `0.42 ms`, `12.3 ms`, `1.5 s`. Units: milliseconds. */
export function formatDuration(ms: number): string {
  const [value, unit] = ms < 999.5 ? [ms, 'ms'] : [ms / 1_000, 's']
  return `${Number(value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0))} ${unit}`
}

/** The units of a moved clock. Units: milliseconds. Order: from large to small. */
const moveUnits = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 } as const

/** Formats how far a clock was moved, by its two largest units, as in `+30 days`, `−1 day 2 hours`. */
export function formatMove(ms: number): string {
  let rest = Math.abs(ms)
  const found = Object.entries(moveUnits).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest %= size
    return count > 0 ? plural(count, unit) : []
  })
  return `${ms < 0 ? '−' : '+'}${found.slice(0, 2).join(' ') || `${rest} ms`}`
}

export function Instant({ at, part }: { at: string; part?: InstantPart }) {
  return (
    <time dateTime={at} title={at}>
      {formatInstant(at, part)}
    </time>
  )
}

export type Status = RequestSummary['status'] | 'no response'

/** The colour of each class of statuses. Order: from success to unfinished. */
export const colours = {
  '2xx': 'good',
  '3xx': 'accent',
  '4xx': 'warn',
  '5xx': 'bad',
  broken: 'odd',
  pending: 'quiet',
} as const
export type StatusClass = keyof typeof colours

export const statusClasses: readonly StatusClass[] = ['2xx', '3xx', '4xx', '5xx', 'broken', 'pending']

/** Classifies a status; `broken` means that the response was cut off. */
export function classifyStatus(status: Status): StatusClass {
  if (typeof status !== 'number') return status === 'pending' ? 'pending' : 'broken'
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status < 500 ? '4xx' : '5xx'
}

export function StatusTag({ status }: { status: Status }) {
  return <span class={`tag ${colours[classifyStatus(status)]}`}>{status}</span>
}
