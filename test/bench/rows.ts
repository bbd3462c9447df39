import * as z from 'zod'

/** The measurement of one run. The goal is the most that is acceptable, or the least for a share of bare Hono. */
export interface Row {
  /** The name for `--only`. */
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly value: number
  /** Absent for rows that are shown for scale only. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
  /** The absolute figures behind a share. */
  readonly details?: string
}

/** Rows that share servers. */
export interface Suite {
  readonly ids: readonly string[]
  measure(wanted: ReadonlySet<string>): AsyncIterable<Row>
}

const Goal = z.union([z.strictObject({ atLeast: z.number() }), z.strictObject({ atMost: z.number() })])

/** All runs, as `result.json` keeps them. */
export const Result = z.strictObject({
  /** Shape: `YYYY-MM-DD`. */
  date: z.string(),
  machine: z.string(),
  /** How many processes wanted a core when each run began. */
  neighbours: z.array(z.number()),
  rows: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      unit: z.string(),
      goal: Goal.optional(),
      details: z.string().optional(),
      /** One of each run. */
      values: z.array(z.number()),
    }),
  ),
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
