import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { stopwatch } from '../../core/system-clock.ts'
import { pluralize } from '../../core/words.ts'
import { describeWriteError, errorCode } from '../../store/disk/storage-errors.ts'
import { CommandError } from './failure.ts'

/** Lets a reader of standard output leave, as `head` does, and ends the process if the output is lost. */
export function watchOutput(): void {
  process.stdout.on('error', (error) => {
    if (errorCode(error) === 'EPIPE') return
    warn(`Cannot write to standard output: ${describeWriteError(error)}. Free some space and try again.`)
    process.exit(1)
  })
  process.stderr.on('error', () => {})
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u

export function warn(text: string): void {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, (gap) => (CONTROL.test(gap) ? ' ' : gap))
  process.stderr.write(`${line}\n`)
}

const EVERY_MS = 5_000

/**
 * Says on standard error how many of some things are done, and how long the rest may take: after the first, and then at
 * most every five seconds. The time counts from the last call with none done, and is no longer than the rest of the budget.
 */
export function createProgress(
  noun: string,
  isQuiet: boolean,
  budgetMs = Infinity,
): (done: number, total: number) => void {
  let startedMs = stopwatch()
  const endMs = startedMs + budgetMs
  let saidMs = -EVERY_MS
  return (done, total) => {
    const nowMs = stopwatch()
    if (done === 0) startedMs = nowMs
    if (isQuiet || done === 0 || done === total || nowMs - saidMs < EVERY_MS) return
    saidMs = nowMs
    const leftMs = Math.min(((nowMs - startedMs) / done) * (total - done), Math.max(endMs - nowMs, 0))
    warn(`${done} of ${pluralize(total, noun)}; about ${formatDuration(leftMs)} left.`)
  }
}

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000)
  return seconds < 100 ? pluralize(seconds, 'second') : pluralize(Math.round(seconds / 60), 'minute')
}

export async function createFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const exists = errorCode(error) === 'EEXIST'
    const fact = exists ? 'it already exists' : describeWriteError(error)
    const remedy = exists ? 'Change it, or remove it first.' : "Check the folder's permissions and try again."
    throw new CommandError(`Cannot write ${path}: ${fact}. ${remedy}`)
  }
}

/** Quotes a word for a POSIX shell if it needs that. */
export const quote = (word: string): string =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
