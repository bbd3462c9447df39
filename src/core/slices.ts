import { letOthersRun, stopwatch } from './system-clock.ts'

/** Work in steps, between which it can be interrupted. */
export type Steps<R> = Generator<undefined, R>

/** How long a slice of work takes, unless one step takes longer. Units: milliseconds. */
const SLICE_MS = 10

/** When the work that runs now must let others run; undefined if nobody else waits for it. */
let endMs: number | undefined

function runUntil<R>(end: number | undefined, work: () => R): R {
  const outer = endMs
  endMs = end
  try {
    return work()
  } finally {
    endMs = outer
  }
}

/** Thrown out of a read whose slice has ended, with the steps that are left. */
class Interruption {
  readonly steps: Steps<unknown>

  constructor(steps: Steps<unknown>) {
    this.steps = steps
  }
}

/**
 * Runs steps to their end; they must keep their result. Within a slice, they interrupt the read that needs them once the
 * slice has ended.
 */
export function finish<R>(steps: Steps<R>): R {
  const end = endMs
  for (;;) {
    // Steps within a step are not interrupted, since a step is done completely or not at all.
    const { done, value } = end === undefined ? steps.next() : runUntil(undefined, () => steps.next())
    if (done === true) return value
    if (end !== undefined && stopwatch() >= end) throw new Interruption(steps)
  }
}

/** How much longer a read may take with each time that it begins anew, so that it ends in any case. Units: milliseconds. */
const GRACE_MS = 0.2

/** Reads within a slice. Only `readInSlices` may call what calls this: a write, once it is its turn. */
export const withinSlice = <R>(read: () => R): R => runUntil(endMs ?? stopwatch() + SLICE_MS, read)

/**
 * Reads rows that may have to be generated first. Once that has taken a slice, the rest is generated in slices between
 * which others run, and the read begins anew; so it may change nothing before it has read everything. Returns no promise
 * if there is nothing to wait for.
 * @param check is called before the read begins anew, since the facts may have changed
 */
export function readInSlices<R>(read: () => R | Promise<R>, check?: () => void, attempt = 0): R | Promise<R> {
  const resume = async (error: unknown): Promise<R> => {
    if (!(error instanceof Interruption)) throw error
    await takeTurn()
    await runInSlices(error.steps)
    check?.()
    return readInSlices(read, check, attempt + 1)
  }
  try {
    const result = runUntil(stopwatch() + SLICE_MS + attempt * GRACE_MS, read)
    return result instanceof Promise ? result.catch(resume) : result
  } catch (error) {
    if (error instanceof Interruption) return resume(error)
    throw error
  }
}

/** Runs steps to their end without a pause, unlike `finish` within a slice as well. */
export function runAtOnce<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

let lastTurn: Promise<void> = Promise.resolve()

/** Lets others run. Of all works in slices, one goes on at a time, so that many are no burden. */
const takeTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => letOthersRun()))

/** How long a step may generate rows before it is interrupted. Units: milliseconds. */
const PATIENCE_MS = 30

/**
 * Runs steps in slices, between which others run. A function is called to begin them: if they need rows that take long to
 * generate, those are generated in slices, and it is called again; so its steps may change nothing that is not their own.
 * @param pause is awaited after each slice; by default until others have run
 */
export async function runInSlices<R>(
  work: Steps<R> | (() => Steps<R>),
  pause: () => Promise<void> = takeTurn,
  attempt = 0,
): Promise<R> {
  const begin = typeof work === 'function' ? work : undefined
  const steps = typeof work === 'function' ? work() : work
  const patienceMs = PATIENCE_MS + attempt * GRACE_MS
  try {
    for (;;) {
      const sliceEndMs = stopwatch() + SLICE_MS
      do {
        const { done, value } = begin ? runUntil(stopwatch() + patienceMs, () => steps.next()) : steps.next()
        if (done === true) return value
      } while (stopwatch() < sliceEndMs)
      await pause()
    }
  } catch (error) {
    if (!begin || !(error instanceof Interruption)) throw error
    await runInSlices(error.steps, pause)
    return runInSlices(begin, pause, attempt + 1)
  }
}

/** Reads something for each item in slices, between which others run. */
export async function mapInSlices<T, R>(items: readonly T[], read: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  await runInSlices(function* readRest() {
    for (const item of items.slice(results.length)) {
      results.push(read(item))
      yield
    }
  })
  return results
}
