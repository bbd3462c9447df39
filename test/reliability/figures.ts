import type { TestContext } from 'vitest'

/** The promises, in the order of the table. */
export const promises = [
  'acknowledged writes',
  'power loss',
  'start after a kill',
  'end',
  'disk fault',
  'one folder',
  'hostile input',
  'body limit',
  'slowloris',
  'aborts',
  'reset',
  'sessions',
  'load',
  'journal',
  'small heap',
  'security',
  'supply chain',
  'sameness',
] as const

/** What was promised and what a test has measured. */
export interface Figure {
  readonly promise: (typeof promises)[number]
  readonly promised: string
  readonly measured: string
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figure[]
  }
}

/** Whether the tests run in the long form, which measures what is promised; else they run with small amounts. */
export const isLong = process.env['TORTURE'] === 'long'

/** How much of something a test does. */
export const amount = (short: number, long: number): number => (isLong ? long : short)

/** Keeps a figure for the table. */
export function tell(
  { task }: Pick<TestContext, 'task'>,
  promise: Figure['promise'],
  promised: string,
  measured: string,
): void {
  const { figures = [] } = task.meta
  task.meta.figures = [...figures, { promise, promised, measured }]
}

/** The value below which a part of the others lie. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Bytes as people read them. */
export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`

/** A duration as people read it. */
export const milliseconds = (ms: number): string => `${ms.toFixed(0)} ms`

/** A bound that holds in the long form only, as it depends on the machine. */
export const inLong = (bound: number): number => (isLong ? bound : Infinity)
