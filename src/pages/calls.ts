import { batch, signal } from '@preact/signals'

import type { FieldError } from '../core/errors.ts'
import { session, switchSession } from './place.ts'

const ADMIN = 'workspace-sandbox admin token'

declare const result: unique symbol

/** A call to the control plane. Shape: `T` is the type of the response. */
export interface Call<T = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** The session to call in; null for the default one, absent for that of the page. */
  readonly session?: string | null
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

export const isLocked = signal(false)

export function unlock(token: string): void {
  sessionStorage.setItem(ADMIN, token)
  batch(() => {
    adminToken.value = token
    isLocked.value = false
    revision.value += 1
  })
}

export function createHeaders(id: string | undefined, token = adminToken.peek()): Record<string, string> {
  return {
    ...(id !== undefined && { 'Sandbox-Session': id }),
    ...(token !== '' && { Authorization: `Bearer ${token}` }),
  }
}

/** Makes a call that changes nothing. Errors: RequestError. */
export async function read<T>(call: Call<T>, until?: AbortSignal): Promise<T> {
  return parse(await send(call, until))
}

/** Makes a call that changes something, and reloads the views. Returns null if the response has no body. Errors: RequestError. */
export async function change<T>(call: Call<T>): Promise<T> {
  const left = call.ends === session.peek() ? call.ends : undefined
  if (left !== undefined) switchSession(undefined)
  try {
    return await parse(await send(call))
  } catch (error) {
    if (left !== undefined) switchSession(left)
    throw error
  } finally {
    revision.value += 1
  }
}

const getSession = ({ session: id }: Call): string | undefined =>
  id === undefined ? session.peek() : (id ?? undefined)

async function send(call: Call, until?: AbortSignal): Promise<Response> {
  const { method, path, body } = call
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
  pendingCalls.value += 1
  try {
    return await fetch(path, {
      method,
      headers: { ...createHeaders(getSession(call)), ...content },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(until && { signal: until }),
    })
  } catch (error) {
    if (until?.aborted) throw error
    throw new RequestError(0, 'The sandbox is not responding. Is it still running?')
  } finally {
    pendingCalls.value -= 1
  }
}

async function parse(response: Response) {
  const text = await response.text()
  if (response.ok) return JSON.parse(text || 'null')
  if (response.status === 401) isLocked.value = true
  throw toError(response, text)
}

function toError({ status }: Response, text: string): RequestError {
  try {
    const { detail, errors } = JSON.parse(text)
    return new RequestError(status, `${detail}`, errors)
  } catch {
    return new RequestError(status, `The sandbox responded with ${status}.`)
  }
}
