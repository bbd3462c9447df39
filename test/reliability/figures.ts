import { expect, type TestContext } from 'vitest'

/** True if the tests run at full scale (`npm run torture`), which measures the promises. */
export const isFullScale = process.env['TORTURE'] === 'yes'

/** Chooses amounts, such as the sizes of tenants, by the scale of the run. */
export const chooseAmount = <T>(short: T, long: T): T => (isFullScale ? long : short)

/** Expects a figure below the promised bound, and shows both beside the test. */
export async function expectBelow(
  { annotate }: Pick<TestContext, 'annotate'>,
  name: string,
  value: number,
  bound: number,
  format: (value: number) => string,
): Promise<void> {
  await annotate(`${name}: ${format(value)}, promised < ${format(bound)}`)
  expect(value, `of ${name}`).toBeLessThan(bound)
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
