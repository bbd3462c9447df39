import { systemTime } from '../core/system-clock.ts'
import { endsConnection } from '../faults/connection.ts'
import { problemResponse } from '../http/problem.ts'
import { SessionId } from '../sessions/open-session.ts'
import { DurableSession, NotStored } from './durable-session.ts'
import { configured, type ObjectState, type WorkerEnv } from './options.ts'
import {
  findObject,
  findSessionId,
  opensSession,
  readInput,
  sessionInPath,
  answerAsIndex,
  isIndex,
  noteSession,
} from './session-index.ts'
import { SessionStore } from './session-store.ts'

const MINUTE_MS = 60_000
const DEFAULT_TTL_MINUTES = 30

/**
 * The Durable Object of a session: it owns the session's changes, clock, faults, scenarios, assumptions and journal, and
 * stores them in its SQLite database before it answers. Bind it in `wrangler.jsonc`, and export it from the worker.
 * @example export { SandboxSession } from 'workspace-sandbox/worker'
 */
export class SandboxSession {
  readonly #state: ObjectState
  readonly #env: WorkerEnv
  readonly #store: SessionStore
  #session: Promise<DurableSession> | undefined
  #inFlight = 0
  #lastRetry: Promise<unknown> = Promise.resolve()
  /** When the session ends unless it is used. Units: milliseconds since 1970. */
  #alarmMs = 0

  constructor(state: ObjectState, env: WorkerEnv) {
    this.#state = state
    this.#env = env
    this.#store = new SessionStore(state.storage)
  }

  async fetch(request: Request): Promise<Response> {
    this.#inFlight += 1
    try {
      if (isIndex(this.#state.id, this.#env)) return answerAsIndex(request, this.#state.storage)
      return await this.#answerAlone(request)
    } catch (error) {
      if (endsConnection(error)) throw error
      this.#dropUnstored(error)
      return problemResponse(error)
    } finally {
      this.#inFlight -= 1
    }
  }

  async alarm(): Promise<void> {
    if (this.#inFlight > 0) return this.#postpone()
    const id = this.#store.read()?.session.id
    this.#session = undefined
    this.#alarmMs = 0
    await this.#store.delete()
    if (id !== undefined) await noteSession(this.#env, id, 'DELETE')
  }

  /** Answers a request, and again after the others if the session could not be stored: one of those may be the cause. */
  async #answerAlone(request: Request): Promise<Response> {
    const again = request.clone()
    try {
      return await this.#answer(request)
    } catch (error) {
      if (!(error instanceof NotStored) || this.#inFlight === 1) throw error
      this.#dropUnstored(error)
      const retry = this.#lastRetry.then(() => this.#answer(again))
      this.#lastRetry = retry.catch((cause: unknown) => this.#dropUnstored(cause))
      return retry
    }
  }

  /** Drops a session that could not be stored; the next request opens what is stored. */
  #dropUnstored(error: unknown): void {
    if (error instanceof NotStored) this.#session = undefined
  }

  async #answer(request: Request): Promise<Response> {
    const id = await findSessionId(request)
    const session = await this.#open(request, id)
    const { exists } = this.#store
    const response = opensSession(request)
      ? await this.#answerOpening(request, id, session)
      : await session.handle(request)
    if (id === undefined) return response
    const isReading = request.method === 'GET' && sessionInPath(request) !== undefined
    if (this.#store.exists && !isReading) await this.#postpone()
    if (exists !== this.#store.exists) await noteSession(this.#env, id, exists ? 'DELETE' : 'PUT')
    return response
  }

  async #open(request: Request, id: string | undefined): Promise<DurableSession> {
    const open = (): Promise<DurableSession> => DurableSession.open(this.#store, id, this.#env)
    try {
      return await (this.#session ??= open())
    } catch (error) {
      this.#session = undefined
      if (!dropsSession(request, id)) throw error
      await this.#store.delete()
      return (this.#session = open())
    }
  }

  async #answerOpening(request: Request, id: string | undefined, session: DurableSession): Promise<Response> {
    const { from } = await readInput(request)
    const isKnown = from === 'default' || SessionId.safeParse(from).success
    if (typeof from !== 'string' || !isKnown || from === id || session.isOpen) return session.handle(request)
    const origin = new Request(new URL('/_sandbox/state', request.url), {
      headers: from === 'default' ? {} : { 'sandbox-session': from },
    })
    const answer = await findObject(this.#env, from).fetch(origin)
    return answer.ok ? session.handleCopy(request, from, await answer.json()) : answer
  }

  async #postpone(): Promise<void> {
    const ttlMs = (configured().sessionTtl ?? DEFAULT_TTL_MINUTES) * MINUTE_MS
    const nowMs = Date.parse(systemTime())
    if (this.#alarmMs >= nowMs + ttlMs) return
    this.#alarmMs = nowMs + 1.5 * ttlMs
    await this.#state.storage.setAlarm(this.#alarmMs)
  }
}

function dropsSession(request: Request, id: string | undefined): boolean {
  const { method, url } = request
  if (id !== undefined) return method === 'DELETE' && sessionInPath(request) === id
  return method === 'POST' && new URL(url).pathname === '/_sandbox/reset'
}
