import type { Verdict } from './verdict.ts'

interface SyncedResult {
  readonly pass: boolean
  readonly message: () => string
}

export function checkSynced({ correct, text }: Pick<Verdict, 'correct' | 'text'>): SyncedResult {
  return {
    pass: correct,
    message: () => (correct ? `Expected a copy that is not correct.\n${text}` : text),
  }
}
