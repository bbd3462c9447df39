import { useState } from 'preact/hooks'

import { type Call, change } from '../calls.ts'
import { announce } from './announcer.tsx'

/** What is said aloud of a call that succeeded; it may follow from the answer. */
export type Said<T> = string | ((answer: T) => string)

/** Makes the calls of a form or a button, one at a time. */
export interface Change {
  /** Makes a call, and says aloud what came of it. Gives whether it succeeded. */
  readonly make: <T = unknown>(call: Call, done: Said<T>) => Promise<boolean>
  readonly isBusy: boolean
  /** Why the latest call failed. */
  readonly error: unknown
  readonly forget: () => void
}

/** A way to change something, and what came of it. */
export function useChange(): Change {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const make: Change['make'] = async (call, done) => {
    setBusy(true)
    setError(undefined)
    try {
      const answer = await change<Parameters<Exclude<typeof done, string>>[0]>(call)
      announce(typeof done === 'string' ? done : done(answer))
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { make, isBusy, error, forget: () => setError(undefined) }
}
