/** The middle of several measurements, and how far they lie apart. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The spread of at least one value; the median of an even number of them is the mean of the two in the middle. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  const [min, max] = [sorted[0], sorted.at(-1)]
  if (sorted.some(Number.isNaN)) throw new Error('what is measured is no number')
  if (low === undefined || high === undefined || min === undefined || max === undefined)
    throw new Error('there is nothing to take the median of')
  return { median: (low + high) / 2, min, max }
}

/** The median alone. */
export const medianOf = (values: readonly number[]): number => spreadOf(values).median

/** The spread of ratios, pair by pair. */
export const ratiosOf = (over: readonly number[], under: readonly number[]): Spread =>
  spreadOf(over.map((value, index) => value / (under[index] ?? NaN)))

/** Numbers from 0 to 1, 1 excluded, the same in every run (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
