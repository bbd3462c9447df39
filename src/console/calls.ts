import { batch, signal } from '@preact/signals'

import type { FieldError } from '../contract/errors.ts'
import { session } from './place.ts'

/** The key of the token in the session storage. */
const ADMIN = 'workspace-sandbox admin token'

declare const result: unique symbol

/** A call to the control plane. Shape: `T` is the type of the response. */
export interface Call<T = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with the query. */
  readonly path: string
  readonly body?: unknown
  /** Makes the call without the page's session. */
  readonly isSessionless?: boolean
  /** Exists in types only. */
  readonly [result]?: T
}

/** A call that was made, with its status; 0 if there was no response. */
export interface MadeCall extends Call {
  readonly number: number
  readonly status: number
  readonly session: string | undefined
}

/** An error that the sandbox responded with. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** 0 if there was no response. */
  readonly status: number
  /** Each invalid field of a 400. */
  readonly errors: readonly FieldError[]

  constructor(status: number, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.errors = errors
  }
}

/** The calls that the page has made. Order: the latest first; the last 100. */
export const madeCalls = signal<readonly MadeCall[]>([])

/** The number of calls without a response yet. */
export const pendingCalls = signal(0)

/** Increases when the sandbox's data may have changed, so that views reload it. */
export const revision = signal(0)

/** The admin token, kept until the tab is closed; empty if none is required. */
export const adminToken = signal(sessionStorage.getItem(ADMIN) ?? '')

/** Whether the control plane rejected the token. */
export const isLocked = signal(false)

/** Stores the admin token and reloads everything. */
export function unlock(token: string): void {
  sessionStorage.setItem(ADMIN, token)
  batch(() => {
    adminToken.value = token
    isLocked.value = false
    revision.value += 1
  })
}

/** Creates the headers that select the session and authorize the call. */
export function createHeaders(id: string | undefined, token = adminToken.peek()): Record<string, string> {
  return {
    ...(id !== undefined && { 'Sandbox-Session': id }),
    ...(token !== '' && { Authorization: `Bearer ${token}` }),
  }
}

/** Makes a call that changes nothing. Errors: RequestError. */
export function read<T>(call: Call<T>, until?: AbortSignal): Promise<T> {
  return fetchJson(call, until)
}

/**
 * Makes a call that changes something, and reloads the views. Returns null if the response has no body. Errors:
 * RequestError.
 */
export async function change<T>(call: Call<T>): Promise<T> {
  const response = await fetchJson(call)
  revision.value += 1
  return response
}

async function fetchJson<T>(call: Call<T>, until?: AbortSignal): Promise<T> {
  const response = await send(call, until)
  const text = await response.text()
  if (response.ok) return JSON.parse(text || 'null')
  if (response.status === 401) isLocked.value = true
  throw toError(response, text)
}

async function send(
  { method, path, body, isSessionless = false }: Call,
  until?: AbortSignal,
): Promise<Response> {
  const id = isSessionless ? undefined : session.peek()
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
  pendingCalls.value += 1
  try {
    const response = await fetch(path, {
      method,
      headers: { ...createHeaders(id), ...content },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(until && { signal: until }),
    })
    recordCall({ method, path, body }, response.status, id)
    return response
  } catch (error) {
    if (until?.aborted) throw error
    recordCall({ method, path, body }, 0, id)
    throw new RequestError(0, 'The sandbox is not responding. Is it still running?')
  } finally {
    pendingCalls.value -= 1
  }
}

let count = 0

function recordCall(call: Call, status: number, id: string | undefined): void {
  count += 1
  const made = { ...call, number: count, status, session: id }
  const [latest, ...earlier] = madeCalls.peek()
  // Repeated reads must not push other calls out of the log.
  const kept = latest && isSame(latest, made) ? earlier : madeCalls.peek()
  madeCalls.value = [made, ...kept.slice(0, 99)]
}

function isSame(a: MadeCall, b: MadeCall): boolean {
  const isRead = a.method === 'GET' && b.method === 'GET'
  return isRead && a.path === b.path && a.status === b.status && a.session === b.session
}

function toError({ status }: Response, text: string): RequestError {
  try {
    const { detail, errors } = JSON.parse(text)
    return new RequestError(status, `${detail}`, errors)
  } catch {
    return new RequestError(status, `The sandbox responded with ${status}.`)
  }
}
