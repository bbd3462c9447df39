import { useState } from 'preact/hooks'

import { type Call, change } from '../calls.ts'
import { announce } from './announcer.tsx'

/** Makes the calls of a form or a button, one at a time. */
export interface Change {
  /** Makes a call, and says aloud what came of it. Gives whether it succeeded. */
  readonly make: (call: Call, done: string) => Promise<boolean>
  readonly isBusy: boolean
  /** Why the latest call failed. */
  readonly error: unknown
  readonly forget: () => void
}

/** A way to change something, and what came of it. */
export function useChange(): Change {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const make = async (call: Call, done: string): Promise<boolean> => {
    setBusy(true)
    setError(undefined)
    try {
      await change(call)
      announce(done)
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
