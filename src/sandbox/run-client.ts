import { startTimer } from '../core/system-clock.ts'
import { pluralize } from '../core/words.ts'

export interface RunOutcome {
  readonly passed: boolean
  readonly error: unknown
}

export class LateError extends Error {
  override readonly name = 'LateError'

  constructor(limitMs: number) {
    super(`It has not ended after ${pluralize(limitMs / 1_000, 'second')} of real time.`)
  }
}

export async function runInTime(run: () => unknown, limitMs: number): Promise<RunOutcome> {
  const timer = startTimer(limitMs)
  const late = timer.over.then(() => {
    throw new LateError(limitMs)
  })
  try {
    await Promise.race([Promise.resolve().then(run), late])
    return { passed: true, error: undefined }
  } catch (error) {
    return { passed: false, error }
  } finally {
    timer.stop()
  }
}

export function getFirstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
