import type { Steps } from './slices.ts'

/** The values that one step sorts or merges. */
const PER_STEP = 2_000

/** Sorts a copy of values in steps, as `toSorted` does in one. */
export function* sortInSteps<T>(values: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let start = 0; start < values.length; start += PER_STEP) {
    runs.push(values.slice(start, start + PER_STEP).toSorted(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (const [at, run] of runs.entries()) {
      const previous = runs[at - 1]
      if (at % 2 === 1 && previous) merged.push(yield* merge(previous, run, compare))
      else if (at === runs.length - 1) merged.push(run)
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  const merged: T[] = []
  let next = 0
  for (const value of left) {
    for (let other = right[next]; other !== undefined && compare(other, value) < 0; other = right[next]) {
      merged.push(other)
      next += 1
      if (merged.length % PER_STEP === 0) yield
    }
    merged.push(value)
    if (merged.length % PER_STEP === 0) yield
  }
  return [...merged, ...right.slice(next)]
}
