import { batch, signal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'

import type { FieldError } from '../core/errors.ts'
import { tryJson } from './components/schema.ts'
import { session, switchSession } from './place.ts'

const ADMIN = 'workspace-sandbox admin token'

declare const result: unique symbol

/** A call to the control plane. Shape: `T` is the type of the response. */
export interface Call<T = unknown> {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The session that the call ends: the page leaves it before, and returns if the call fails. */
  readonly ends?: string | undefined
  /** Exists in types only. */
  readonly [result]?: T
}

export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** 0 if there was no response. */
  readonly status: number
  readonly errors: readonly FieldError[]

  constructor(status: number, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.errors = errors
  }
}

export const pendingCalls = signal(0)

/** Increases when the sandbox's data may have changed, so that views reload it. */
export const revision = signal(0)

/** The admin token, kept until the tab is closed; empty if none is required. */
export const adminToken = signal(sessionStorage.getItem(ADMIN) ?? '')

/** Whether the page has to ask for the admin token before it may call anything. */
export const isLocked = signal(document.body.dataset['locked'] !== undefined && adminToken.peek() === '')

export function unlock(token: string): void {
  sessionStorage.setItem(ADMIN, token)
  batch(() => {
    adminToken.value = token
    isLocked.value = false
    revision.value += 1
  })
}

export function createHeaders(): Record<string, string> {
  const [id, token] = [session.peek(), adminToken.peek()]
  return {
    ...(id !== undefined && { 'Sandbox-Session': id }),
    ...(token !== '' && { Authorization: `Bearer ${token}` }),
  }
}

export const read = async <T>(call: Call<T>, until?: AbortSignal): Promise<T> =>
  JSON.parse((await (await send(call, until)).text()) || 'null')

/** Makes a call that changes something, announces its success, and reloads the views. Errors: RequestError. */
export async function makeChange<T>(call: Call<T>, done: Announcement<T>): Promise<void> {
  const left = call.ends === session.peek() ? call.ends : undefined
  if (left !== undefined) switchSession(undefined)
  try {
    const response = await read(call)
    announce(typeof done === 'string' ? done : done(response))
  } catch (error) {
    if (left !== undefined) switchSession(left)
    throw error
  } finally {
    revision.value += 1
  }
}

/** Makes a call. Errors: RequestError if there is no response, or one that reports an error. */
export async function send(call: Call, until?: AbortSignal): Promise<Response> {
  const { method, path, body } = call
  const isFile = body instanceof Blob
  const content = body === undefined ? {} : { 'Content-Type': isFile ? body.type : 'application/json' }
  // Without subscribing an effect that makes the call.
  pendingCalls.value = pendingCalls.peek() + 1
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: { ...createHeaders(), ...content },
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      ...(until && { signal: until }),
    })
  } catch (error) {
    if (until?.aborted) throw error
    throw new RequestError(0, 'The sandbox is not responding. Is it still running?')
  } finally {
    pendingCalls.value -= 1
  }
  if (response.ok) return response
  const { status } = response
  if (status === 401) isLocked.value = true
  const problem = Object(tryJson(await response.text())?.json)
  const { detail = `The sandbox responded with ${status}.`, errors } = problem
  throw new RequestError(status, detail, errors)
}

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
    const { value: last, error: lastError } = state.peek()
    // Drops the error of the last attempt, which may be over, unless the call is invalid in itself.
    if (!(lastError instanceof RequestError && lastError.status === 400)) state.value = { value: last }
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
  const reload = (): void => {
    if (isScheduled || isLocked.peek()) return
    isScheduled = true
    queueMicrotask(() => void load())
  }
  return { state, reload }
}

type Shared = ReturnType<typeof createShared>
const known = new Map<string, Shared>()

/** Finds the shared response of a call in the page's session. Order: the map keeps the last used at its end. */
function share(call: Call): Shared {
  const key = `${session.peek() ?? ''} ${JSON.stringify(call)}`
  const shared = known.get(key) ?? createShared(call)
  known.delete(key)
  known.set(key, shared)
  const [oldest = ''] = known.keys()
  if (known.size > KEPT) known.delete(oldest)
  return shared
}

/**
 * Reads from the control plane whenever the call, the session or the data changes; the old value stays until then.
 * @param call undefined to read nothing
 * @param again anything else that the response depends on
 */
export function useRead<T>(call: Call<T> | undefined, again?: unknown): ReadState<T> {
  const file = call?.body instanceof Blob ? call.body : undefined
  // Nothing tells files apart, so each has a response of its own.
  const own = useMemo(() => call && file && createShared(call), [call?.path, file])
  const shared = own ?? (call && share(call))
  useEffect(() => shared?.reload(), [shared, session.value, revision.value, again])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored under the text of its call
  return shared ? (shared.state.value as ReadState<T>) : {}
}

export type Announcement<T> = string | ((response: T) => string)

export type Change = ReturnType<typeof useChange>

export function useChange() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const make = async <T>(call: Call<T>, done: Announcement<T>): Promise<boolean> => {
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
  return { make, isBusy, error, setError }
}

/** Announces an error that no part of the view shows. */
export const announceError = (error: unknown): void =>
  announce(error instanceof Error ? error.message : 'Something went wrong.')

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
