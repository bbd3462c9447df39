import { batch, signal } from '@preact/signals'

import type { FieldError } from '../contract/errors.ts'
import { session } from './place.ts'

/** Under which name the tab keeps the token. */
const ADMIN = 'workspace-sandbox admin token'

/** A call to the control plane, as a click makes it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its query, from `/_sandbox` on. */
  readonly path: string
  readonly body?: unknown
  /** Whether it is made outside of the page's session. */
  readonly isOfNoSession?: boolean
}

/** A call that was made, and its status; 0 where there was no answer. */
export interface MadeCall extends Call {
  readonly number: number
  readonly status: number
  readonly session: string | undefined
}

/** What the sandbox answered instead of what was asked for. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** 0 where there was no answer. */
  readonly status: number
  /** Each wrong field of a 400. */
  readonly errors: readonly FieldError[]

  constructor(status: number, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.status = status
    this.errors = errors
  }
}

/** The calls that the page has made. Order: the latest first; the last 100. */
export const madeCalls = signal<readonly MadeCall[]>([])

/** How many calls have no answer yet. */
export const pendingCalls = signal(0)

/** Grows with whatever changes what the sandbox tells: who shows that reads it anew. */
export const revision = signal(0)

/** The token of the control plane, for as long as the tab is open; empty where it wants none. */
export const adminToken = signal(sessionStorage.getItem(ADMIN) ?? '')

/** Whether the control plane wants another token than it was given. */
export const isLocked = signal(false)

/** Takes a token for the control plane, and reads everything anew. */
export function unlock(token: string): void {
  sessionStorage.setItem(ADMIN, token)
  batch(() => {
    adminToken.value = token
    isLocked.value = false
    revision.value += 1
  })
}

/** What a call needs besides what it says: the session, and the token where there is one. */
export function headersOf(id: string | undefined, token = adminToken.peek()): Record<string, string> {
  return {
    ...(id !== undefined && { 'Sandbox-Session': id }),
    ...(token !== '' && { Authorization: `Bearer ${token}` }),
  }
}

/** Reads what the control plane tells. Shape: T, which the caller knows from the call. Errors: Refusal. */
export function read<T>(path: string, until?: AbortSignal): Promise<T> {
  return answered<T>({ method: 'GET', path }, until)
}

/** Asks something that changes nothing, by a body. Errors: Refusal. */
export function ask<T>(path: string, body: unknown, until?: AbortSignal): Promise<T> {
  return answered<T>({ method: 'POST', path, body }, until)
}

/** Changes something; whoever shows what the sandbox tells reads it anew. Null where there is no content. Errors: Refusal. */
export async function change<T>(call: Call): Promise<T> {
  const answer = await answered<T>(call)
  revision.value += 1
  return answer
}

async function answered<T>(call: Call, until?: AbortSignal): Promise<T> {
  const response = await sent(call, until)
  const text = await response.text()
  if (response.ok) return JSON.parse(text || 'null')
  if (response.status === 401) isLocked.value = true
  throw refusalOf(response, text)
}

async function sent(
  { method, path, body, isOfNoSession = false }: Call,
  until?: AbortSignal,
): Promise<Response> {
  const id = isOfNoSession ? undefined : session.peek()
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' }
  pendingCalls.value += 1
  try {
    const response = await fetch(path, {
      method,
      headers: { ...headersOf(id), ...content },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(until && { signal: until }),
    })
    note({ method, path, body }, response.status, id)
    return response
  } catch (error) {
    if (until?.aborted) throw error
    note({ method, path, body }, 0, id)
    throw new Refusal(0, 'The sandbox does not answer. Is it still running?')
  } finally {
    pendingCalls.value -= 1
  }
}

let count = 0

function note(call: Call, status: number, id: string | undefined): void {
  count += 1
  const made = { ...call, number: count, status, session: id }
  const [latest, ...earlier] = madeCalls.peek()
  // What is read again and again must not push out what was done.
  const kept = latest && isSame(latest, made) ? earlier : madeCalls.peek()
  madeCalls.value = [made, ...kept.slice(0, 99)]
}

function isSame(a: MadeCall, b: MadeCall): boolean {
  const isRead = a.method === 'GET' && b.method === 'GET'
  return isRead && a.path === b.path && a.status === b.status && a.session === b.session
}

function refusalOf({ status }: Response, text: string): Refusal {
  try {
    const { detail, errors } = JSON.parse(text)
    return new Refusal(status, `${detail}`, errors)
  } catch {
    return new Refusal(status, `The sandbox answered ${status}.`)
  }
}
