import { letOthersRun, stopwatch } from './system-clock.ts'

export type Steps<R> = Iterator<undefined, R>

/** How long a slice of work takes, unless one step takes longer. Units: milliseconds. */
const SLICE_MS = 10

export function finish<R>(steps: Steps<R>): R {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

export function runInSlices(
  steps: Steps<unknown>,
  pause: () => Promise<void> = letOthersRun,
): Promise<void> | undefined {
  return runSlice(steps) ? undefined : runLaterSlices(steps, pause)
}

async function runLaterSlices(steps: Steps<unknown>, pause: () => Promise<void>): Promise<void> {
  do {
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    await pause()
  } while (!runSlice(steps))
}

function runSlice(steps: Steps<unknown>): boolean {
  const endMs = stopwatch() + SLICE_MS
  do if (steps.next().done === true) return true
  while (stopwatch() < endMs)
  return false
}
