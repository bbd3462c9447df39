import { stopwatch } from '../control/clock.ts'

/** A second Ctrl-C within this time is npm's echo of the first. */
const ECHO_MS = 1_000

/** By when the process ends, whatever hangs. Everything that was acknowledged is on disk by then. */
const DEADLINE_MS = 4_500

/** The exit code of a process that was ended by SIGINT. */
const INTERRUPTED = 130

/**
 * Waits for the first signal that asks the process to end. From then on it has 5 seconds; a further Ctrl-C, but for
 * npm's echo, ends it at once.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const stop = (signal: NodeJS.Signals) => {
      if (asked === undefined) {
        asked = stopwatch()
        setTimeout(() => process.exit(), DEADLINE_MS).unref()
        resolve()
      } else if (signal === 'SIGINT' && stopwatch() - asked > ECHO_MS) {
        process.exit(INTERRUPTED)
      }
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
