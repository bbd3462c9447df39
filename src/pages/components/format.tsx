import type { RequestSummary } from '../../testing/journal/view.ts'

/** Formats a number, the same in every browser, as in `10,000`; empty if it is not known. */
export const formatNumber = (count?: number): string => count?.toLocaleString('en') ?? ''

export const plural = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

const parts = { minute: [0, 16], second: [0, 19], time: [11, 23] } as const
export type InstantPart = keyof typeof parts

/**
 * Formats an instant in UTC, the same in every browser, as in `2026-01-15 12:00:00`; `time` omits the day and shows
 * milliseconds. Returns text that is not an instant unchanged.
 */
export function formatInstant(instant: string, part: InstantPart = 'second'): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return instant
  return date
    .toISOString()
    .replace('T', ' ')
    .slice(...parts[part])
}

/** Formats a duration to three digits, as in `0.42 ms`, `12.3 ms`, `1.5 s`. Units: milliseconds. */
export function formatDuration(ms: number): string {
  return ms < 999.5 ? `${Number(ms.toPrecision(3))} ms` : `${Number((ms / 1_000).toPrecision(3))} s`
}

const units = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 } as const

/** Formats how far a clock was moved, by its largest unit, as in `+30 days`, `-1.5 hours`. */
export function formatMove(ms: number): string {
  const [unit, size] = Object.entries(units).find((one) => Math.abs(ms) >= one[1]) ?? ['second', units.second]
  const options = { style: 'unit', unit, unitDisplay: 'long', signDisplay: 'always' } as const
  return (ms / size).toLocaleString('en', { ...options, maximumFractionDigits: 1 })
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

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const statusClasses = Object.keys(colours) as readonly StatusClass[]

export function classifyStatus(status: Status): StatusClass {
  if (typeof status !== 'number') return status === 'pending' ? 'pending' : 'broken'
  if (status < 300) return '2xx'
  if (status < 400) return '3xx'
  return status < 500 ? '4xx' : '5xx'
}

export function StatusTag({ status }: { status: Status }) {
  return <span class={`tag ${colours[classifyStatus(status)]}`}>{status}</span>
}
