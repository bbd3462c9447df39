import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

import { RequestError, change, read, revision, type Call } from '../calls.ts'
import { session } from '../place.ts'

/** The state of a call: its latest value, and the error of the last attempt. */
export interface ReadState<T> {
  readonly value?: T | undefined
  readonly error?: unknown
}

/** The number of responses to keep, so that a view that is opened again shows them at once. */
const KEPT = 100

function createShared(call: Call) {
  const state = signal<ReadState<unknown>>({})
  let controller = new AbortController()
  let isScheduled = false
  const load = async (): Promise<void> => {
    isScheduled = false
    controller.abort()
    const { signal: until } = (controller = new AbortController())
    // Drops the error of the last attempt, which may be over.
    state.value = { value: state.peek().value }
    try {
      const value = await read(call, until)
      if (!until.aborted) state.value = { value }
    } catch (error) {
      if (until.aborted) return
      // Keeps the value while the sandbox does not respond, because it may come back.
      const isDown = error instanceof RequestError && error.status === 0
      state.value = { value: isDown ? state.peek().value : undefined, error }
    }
  }
  /** Reads again. Requests at the same moment share one call. */
  const reload = (): void => {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => void load())
  }
  return { state, reload }
}

type Shared = ReturnType<typeof createShared>
const known = new Map<string, Shared>()

/** Finds the shared response of a call in the page's session. Order: the map keeps the last used at its end. */
function share(text: string): Shared {
  const key = `${session.peek() ?? ''} ${text}`
  const shared = known.get(key) ?? createShared(JSON.parse(text))
  known.delete(key)
  known.set(key, shared)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return shared
}

/**
 * Reads from the control plane whenever the call, the session or the data changes; the old value stays until then.
 * @param call undefined to read nothing
 * @param again anything else that the response depends on
 */
export function useRead<T>(call: Call<T> | undefined, again?: unknown): ReadState<T> {
  const text = call && JSON.stringify(call)
  const shared = text === undefined ? undefined : share(text)
  useEffect(() => shared?.reload(), [shared, session.value, revision.value, again])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored under the text of its call
  return shared ? (shared.state.value as ReadState<T>) : {}
}

export type Announcement<T> = string | ((response: T) => string)

export interface Change {
  readonly make: <T>(call: Call<T>, done: Announcement<T>) => Promise<boolean>
  readonly isBusy: boolean
  readonly error: unknown
}

/** Makes a change and announces its success. Errors: RequestError. */
export async function makeChange<T>(call: Call<T>, done: Announcement<T>): Promise<void> {
  const response = await change(call)
  announce(typeof done === 'string' ? done : done(response))
}

export function useChange(): Change {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const make: Change['make'] = async (call, done) => {
    setBusy(true)
    said.value = ''
    setError(undefined)
    try {
      await makeChange(call, done)
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { make, isBusy, error }
}

export const said = signal('')
let silence: ReturnType<typeof setTimeout> | undefined

/** Shows a message for a few seconds and announces it to screen readers; an empty one leaves the last in place. */
export function announce(text: string): void {
  if (text === '') return
  said.value = text
  clearTimeout(silence)
  silence = setTimeout(() => {
    said.value = ''
  }, 4_000)
}
