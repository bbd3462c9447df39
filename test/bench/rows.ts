import { cpus, totalmem } from 'node:os'

import * as z from 'zod'

/** Describes what a row measures. The goal is the most that is acceptable, or the least; without one, a row is shown for scale only. */
interface RowDefinition {
  readonly title: string
  readonly unit: string
  readonly atLeast?: number
  readonly atMost?: number
}

/** The rows by their names for `--only`. Order: as in the table. */
export const rows = {
  'start-small': { title: 'start with 25 customers', unit: 'ms CPU', atMost: 150 },
  'start-new': { title: 'start with 300 customers in a new folder', unit: 'ms CPU', atMost: 200 },
  'start-files': { title: 'start with 300 customers from their files', unit: 'ms CPU', atMost: 200 },
  'start-large': { title: 'start with 10,000 customers', unit: 'ms CPU', atMost: 2_000 },
  'start-large-memory': { title: 'memory after that', unit: 'MB', atMost: 150 },
  'start-huge': { title: 'start with 100,000 customers', unit: 'ms CPU', atMost: 10_000 },
  'start-huge-memory': { title: 'memory after that', unit: 'MB', atMost: 500 },
  customer: { title: 'one customer by id', unit: 'of bare Hono', atLeast: 0.76 },
  page: { title: 'a page of 100 customers, one URL', unit: 'of bare Hono', atLeast: 0.76 },
  mine: { title: 'a page of 100 signals, scope=mine', unit: 'of bare Hono', atLeast: 0.76 },
  walk: { title: 'pages of 100, walking over 10,000 customers', unit: 'of bare Hono', atLeast: 0.78 },
  filtered: { title: 'a page of 100 with two filters', unit: 'of bare Hono', atLeast: 0.78 },
  first: { title: 'each of the first 1,000 requests of a fresh server', unit: 'times bare Hono', atMost: 2 },
  note: {
    title: 'POST a note, on the disk before the response',
    unit: 'of appending and flushing',
    atLeast: 0.3,
  },
  notes: { title: 'POST a note where 10,000 are stored', unit: 'times the first', atMost: 1.5 },
  'test-import': { title: 'import the package', unit: 'ms' },
  'test-first': { title: 'the first sandbox of a test file', unit: 'ms', atMost: 30 },
  'test-later': { title: 'another sandbox', unit: 'ms', atMost: 2 },
  'test-session': { title: 'a session of a test, with ten requests and a verification', unit: 'ms' },
  'test-reset': { title: 'a reset after a note', unit: 'ms', atMost: 1 },
  'memory-medium': { title: 'memory after 3,000 requests, 300 customers', unit: 'MB', atMost: 120 },
  'memory-large': { title: 'memory after 3,000 requests, 10,000 customers', unit: 'MB', atMost: 240 },
  wait: {
    title: 'the longest wait of others, whoever calls the control plane of 20,000 customers',
    unit: 'ms',
    atMost: 100,
  },
  'growth-page': {
    title: 'a page of 100, at 300 to 100,000 customers',
    unit: 'times that of 300',
    atMost: 1.3,
  },
  'growth-filtered': {
    title: 'a page of 100 with two filters, at 300 to 100,000 customers',
    unit: 'times that of 300',
    atMost: 1.3,
  },
} satisfies Readonly<Record<string, RowDefinition>>

export type RowId = keyof typeof rows

/** The measurement of one run. */
export interface Measured {
  readonly id: RowId
  readonly value: number
  /** The absolute figures behind a share. */
  readonly details?: string
}

/** Rows that share servers. */
export interface Suite {
  readonly ids: readonly RowId[]
  measure(wanted: ReadonlySet<string>): AsyncIterable<Measured>
}

/** All runs, as `result.json` keeps them. */
export const Result = z.strictObject({
  /** Shape: `YYYY-MM-DD`. */
  date: z.string(),
  machine: z.string(),
  /** How many processes wanted a core when each run began. */
  neighbours: z.array(z.number()),
  /** By row; a value of each run, and the details of the last one. */
  rows: z.record(z.string(), z.strictObject({ values: z.array(z.number()), details: z.string().optional() })),
})

export type Result = z.infer<typeof Result>

/** Computes the median; of an even number, the mean of the two in the middle. Errors: there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  if (low === undefined || high === undefined || Number.isNaN(low + high))
    throw new Error('nothing was measured')
  return (low + high) / 2
}

/** Computes the median of the ratios of pairs that were measured in turn. */
export const medianRatio = (over: readonly number[], under: readonly number[]): number =>
  median(over.map((value, index) => value / (under[index] ?? Number.NaN)))

export const describeMachine = (): string =>
  `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`

/** Formats a result as a table of Markdown, with the conditions above it. */
export function markdownTable({ date, machine, neighbours, rows: measured }: Result): string[] {
  const busy = neighbours.map((load) => load.toFixed(1)).join(', ')
  const cells = Object.entries<RowDefinition>(rows).flatMap(([id, { title, unit, atLeast, atMost }]) => {
    const { values, details = '' } = measured[id] ?? {}
    if (!values) return []
    const [middle, ...range] = [median(values), Math.min(...values), Math.max(...values)].map(formatNumber)
    const goal = atLeast === undefined ? atMost && `≤ ${atMost}` : `≥ ${atLeast}`
    const isReached = median(values) >= (atLeast ?? 0) && median(values) <= (atMost ?? Infinity)
    const verdict = !goal ? '' : isReached ? 'reached' : 'missed'
    return [[`\`${id}\``, title, `${middle} (${range.join(' to ')})`, unit, goal ?? '', verdict, details]]
  })
  const head = ['row', 'what', 'median (range)', 'unit', 'goal', 'result', 'in the last run']
  const lines = [head, head.map(() => '---'), ...cells]
  return [
    `${date}, ${machine}. ${neighbours.length} runs; processes that wanted a core as each began: ${busy}.`,
    '',
    ...lines.map((line) => `| ${line.join(' | ')} |`),
  ]
}

/** Formats a number with two significant digits at least, and without decimals from 100 on. */
const formatNumber = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : value >= 0.1 ? 2 : 3)
