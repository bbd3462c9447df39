import { letOthersRun, stopwatch } from './system-clock.ts'

/** Work in steps, between which it can be interrupted. */
export type Steps<R> = Generator<undefined, R>

/** How long work goes on before others run, unless one step takes longer. Units: milliseconds. */
const SLICE_MS = 10

/** A read that can be interrupted, because it can begin anew. */
interface Attempt {
  /** When it has generated rows for a slice; undefined until it generates some. */
  endMs?: number
}

/** The read that runs now; undefined if nobody else waits for it. */
let attempt: Attempt | undefined

function runAs<R>(read: Attempt | undefined, work: () => R): R {
  const outer = attempt
  attempt = read
  try {
    return work()
  } finally {
    attempt = outer
  }
}

/** Thrown out of a read that has generated rows for a slice, with the steps that are left. */
class Interruption {
  readonly steps: Steps<unknown>

  constructor(steps: Steps<unknown>) {
    this.steps = steps
  }
}

/** Runs steps to their end; they must keep their result. A read that has generated rows for a slice is interrupted. */
export function finish<R>(steps: Steps<R>): R {
  const read = attempt
  for (;;) {
    // Steps within a step are not interrupted, since a step is done completely or not at all.
    const { done, value } = read ? runAs(undefined, () => steps.next()) : steps.next()
    if (done === true) return value
    if (read && stopwatch() >= (read.endMs ??= stopwatch() + SLICE_MS)) throw new Interruption(steps)
  }
}

/** Reads what may interrupt the read. Only `readInSlices` may call what calls this: a write, once it is its turn. */
export const withinSlice = <R>(read: () => R): R => runAs(attempt ?? {}, read)

/**
 * Reads rows that may have to be generated first. Once that has taken a slice, the rest is generated in slices between
 * which others run, and the read begins anew; so it may change nothing before it has read everything. Returns no promise
 * if there is nothing to wait for.
 * @param check is called before the read begins anew, since the facts may have changed
 */
export function readInSlices<R>(read: () => R | Promise<R>, check?: () => void): R | Promise<R> {
  const readAgain = async (error: unknown): Promise<R> => {
    if (!(error instanceof Interruption)) throw error
    await takeTurn()
    await runInSlices(error.steps)
    check?.()
    return readInSlices(read, check)
  }
  try {
    const result = runAs({}, read)
    return result instanceof Promise ? result.catch(readAgain) : result
  } catch (error) {
    if (error instanceof Interruption) return readAgain(error)
    throw error
  }
}

/** Runs steps to their end without a pause, unlike `finish` within a read as well. */
export function runAtOnce<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

let lastTurn: Promise<void> = Promise.resolve()

/** Lets others run. Of all works in slices, one goes on at a time, so that many are no burden. */
const takeTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => letOthersRun()))

/**
 * Runs steps in slices, between which others run. A function is called to begin them: each of its steps is a read, and
 * once one is interrupted, it is called again; so its steps may change nothing that is not their own.
 * @param pause is awaited after each slice; by default until others have run
 */
export async function runInSlices<R>(
  work: Steps<R> | (() => Steps<R>),
  pause: () => Promise<void> = takeTurn,
): Promise<R> {
  const begin = typeof work === 'function' ? work : undefined
  const steps = typeof work === 'function' ? work() : work
  const proceed = () => steps.next()
  try {
    for (;;) {
      const endMs = stopwatch() + SLICE_MS
      do {
        const { done, value } = begin ? runAs({}, proceed) : proceed()
        if (done === true) return value
      } while (stopwatch() < endMs)
      // oxlint-disable-next-line no-await-in-loop -- one slice after the other
      await pause()
    }
  } catch (error) {
    if (!begin || !(error instanceof Interruption)) throw error
    await runInSlices(error.steps, pause)
    return runInSlices(begin, pause)
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
