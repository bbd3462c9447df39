import { stopwatch } from '../../core/system-clock.ts'
import { pluralize } from '../../core/words.ts'
import { warn } from './output.ts'

const EVERY_MS = 5_000

/**
 * Says on standard error how many of some things are done, and how long the rest may take: after the first, and then at
 * most every five seconds. The time counts from the last call with none done.
 */
export function createProgress(noun: string, isQuiet: boolean): (done: number, total: number) => void {
  let startedMs = stopwatch()
  let saidMs = -EVERY_MS
  return (done, total) => {
    const nowMs = stopwatch()
    if (done === 0) startedMs = nowMs
    if (isQuiet || done === 0 || done === total || nowMs - saidMs < EVERY_MS) return
    saidMs = nowMs
    const leftMs = ((nowMs - startedMs) / done) * (total - done)
    warn(`${done} of ${pluralize(total, noun)}; about ${formatDuration(leftMs)} left.`)
  }
}

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 100 ? pluralize(seconds, 'second') : pluralize(Math.round(seconds / 60), 'minute')
}
