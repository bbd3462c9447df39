import { useEffect, useState } from 'preact/hooks'

import { type Call, change, read, revision } from '../calls.ts'
import { session } from '../place.ts'
import { announce } from './announcer.tsx'

/** The state of a call: its latest value, and the error of the last attempt. */
export interface ReadState<T> {
  readonly value?: T
  readonly error?: unknown
  readonly isReading: boolean
}

/**
 * Reads from the control plane whenever the call, the session or the data changes; the old value stays until then.
 * @param call undefined to read nothing
 * @param again anything else that the response depends on
 */
export function useRead<T>(call: Call<T> | undefined, again?: unknown): ReadState<T> {
  const [state, setState] = useState<ReadState<T>>({ isReading: call !== undefined })
  const text = call && JSON.stringify(call)
  useEffect(() => {
    if (text === undefined) {
      setState({ isReading: false })
      return undefined
    }
    const controller = new AbortController()
    setState((before) => ({ ...before, isReading: true }))
    const stored: Call<T> = JSON.parse(text)
    read(stored, controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, isReading: false }),
      (error: unknown) => controller.signal.aborted || setState({ error, isReading: false }),
    )
    return () => controller.abort()
  }, [text, session.value, revision.value, again])
  return state
}

/** The message after a successful call; it may depend on the response. */
export type Announcement<T> = string | ((response: T) => string)

/** Makes the calls of a form or a button, one at a time. */
export interface Change {
  /** Makes a call and announces its success. Returns whether it succeeded. */
  readonly make: <T>(call: Call<T>, done: Announcement<T>) => Promise<boolean>
  readonly isBusy: boolean
  /** The error of the last call. */
  readonly error: unknown
  readonly forget: () => void
}

/** Prepares to make changes and tracks their outcome. */
export function useChange(): Change {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const make: Change['make'] = async (call, done) => {
    setBusy(true)
    setError(undefined)
    try {
      const response = await change(call)
      announce(typeof done === 'string' ? done : done(response))
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
