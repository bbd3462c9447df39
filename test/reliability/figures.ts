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
  'late errors',
  'body limit',
  'slowloris',
  'aborts',
  'reset',
  'sessions',
  'load',
  'mixed load',
  'journal',
  'small heap',
  'security',
  'supply chain',
  'sameness',
] as const

/** A promised figure and the measured one. */
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

/** True if the tests run at full scale (`npm run torture`), which measures the promises. */
export const isFullScale = process.env['TORTURE'] === 'yes'

/** Chooses amounts, such as the sizes of tenants, by the scale of the run. */
export const chooseAmount = <T>(short: T, long: T): T => (isFullScale ? long : short)

/** Records a figure for the table. */
export function recordFigure(
  { task }: Pick<TestContext, 'task'>,
  promise: Figure['promise'],
  promised: string,
  measured: string,
): void {
  const { figures = [] } = task.meta
  task.meta.figures = [...figures, { promise, promised, measured }]
}

/** Finds a quantile of values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Formats bytes. */
export const formatMegabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`

/** Formats a duration. */
export const formatMilliseconds = (ms: number): string => `${ms.toFixed(0)} ms`

/** Applies a limit only at full scale, as it depends on the machine. */
export const limitAtFullScale = (bound: number): number => (isFullScale ? bound : Infinity)
