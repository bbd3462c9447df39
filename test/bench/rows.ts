import { cpus, totalmem } from 'node:os'

import * as z from 'zod'

import rows from './rows.json' with { type: 'json' }

/** Describes what a row measures. The goal is the most that is acceptable, or the least; without one, a row is shown for scale only. */
const RowDefinition = z.strictObject({
  title: z.string(),
  unit: z.string(),
  atLeast: z.number().optional(),
  atMost: z.number().optional(),
})

/** By the names for `--only`. Order: as in the table. */
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
  const definitions = z.record(z.string(), RowDefinition).parse(rows)
  const cells = Object.entries(definitions).flatMap(([id, { title, unit, atLeast, atMost }]) => {
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
