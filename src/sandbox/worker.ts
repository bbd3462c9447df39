import * as z from 'zod'

import type { PartialSettings } from '../contract/settings.ts'
import { loadOnce } from '../core/import-sequentially.ts'
import type { Input } from '../core/input.ts'
import { groupBy } from '../core/maps.ts'
import { stripSessionBase } from '../http/middleware/session.ts'
import { problemResponse } from '../http/problem.ts'
import { parseOptions } from '../sessions/dataset-options.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { SavedSession } from '../sessions/saved-state.ts'
import type { Session } from '../sessions/session.ts'
import { endsConnection } from '../testing/faults/connection.ts'
import { servedOptions } from './sandbox-options.ts'
import { type OpenSandbox, openSandbox } from './sandbox.ts'

export const WorkerOptions = z.strictObject(servedOptions)

/** The options of `createWorker`. */
export interface WorkerOptions extends Input<typeof WorkerOptions> {}

/** The options of this isolate's worker, which its object shares; undefined until `createWorker` is called. */
let current: ReturnType<typeof WorkerOptions.parse> | undefined

export function configure(options: WorkerOptions): void {
  current = parseOptions(WorkerOptions, options)
}

export function configured(): ReturnType<typeof WorkerOptions.parse> {
  if (current) return current
  throw new Error('SandboxSession needs options: export default createWorker(options) from the same module.')
}

type Fetcher = Readonly<Record<'fetch', (request: Request) => Promise<Response>>>

/** The bindings of the worker, as `wrangler.jsonc` names them. */
export interface WorkerEnv {
  /** The Durable Objects of class `SandboxSession`. */
  readonly SESSIONS?: { idFromName(name: string): object; get(id: object): Fetcher }
  /** The folder `dist` of the package, for the console and the documentation. */
  readonly ASSETS?: Fetcher
  readonly WORKSPACE_SANDBOX_ADMIN_TOKEN?: string
}

/** The part of a platform that a Durable Object gets. */
export interface ObjectState {
  readonly storage: {
    list(options: { readonly prefix: string }): Promise<Map<string, string>>
    /** Stores all entries or none. */
    put(entries: Readonly<Record<string, string>>): Promise<void>
    delete(keys: readonly string[]): Promise<number>
    deleteAll(): Promise<void>
  }
  /** Lets nothing else happen in the object until the task is done, and drops the object if it fails. */
  blockConcurrencyWhile<R>(task: () => Promise<R>): Promise<R>
}

/** The stored form of a session: its state, and the parts that a state does not have. */
interface Stored extends Pick<Session, 'name' | 'openedWith'> {
  readonly clock: Session['clock']['state']
  readonly firstSettings: PartialSettings
  readonly firstFuture?: Session['first']['future']
  readonly state: SavedSession
}

/** A value of the storage has at most 2 MB. Units: UTF-16 code units. */
const MAX_PART = 500_000
/** The most keys of one call of the storage. */
const MAX_KEYS = 128
const DEFAULT = 'default'
const toKey = (id: string, part: number): string => `session/${id}/${String(part).padStart(3, '0')}`
const parse = (parts: readonly string[]): Stored => JSON.parse(parts.join(''))

/**
 * The Durable Object that holds the sandbox of a deployment. It stores the states of all sessions before it answers. Bind
 * it in `wrangler.jsonc`, and export it from the worker.
 * @example export { SandboxSession } from 'workspace-sandbox/worker'
 */
export class SandboxSession {
  readonly #object: ObjectState
  readonly #env: WorkerEnv
  /** The stored form, with a mark that the session differs from once it has changed. */
  readonly #kept = new Map<string, { session: Session; mark: string; parts: readonly string[] }>()
  readonly #openOnce = loadOnce(() => this.#openStored())

  constructor(object: ObjectState, env: WorkerEnv) {
    this.#object = object
    this.#env = env
  }

  async fetch(request: Request): Promise<Response> {
    let sandbox: OpenSandbox | undefined
    try {
      sandbox = await this.#open(request)
      return await sandbox.handle(request, {})
    } catch (error) {
      if (endsConnection(error)) throw error
      return problemResponse(error)
    } finally {
      if (sandbox) await this.#save(sandbox.state)
    }
  }

  async #open(request: Request): Promise<OpenSandbox> {
    try {
      return await this.#openOnce()
    } catch (error) {
      // The way out, where another version of the package has other data than the stored sessions.
      if (request.method !== 'POST' || stripSessionBase(request) !== '/_sandbox/reseed') throw error
      await this.#object.storage.deleteAll()
      return this.#openOnce()
    }
  }

  /** Opens the sandbox that is stored, or a new one with the options of the worker. */
  async #openStored(): Promise<OpenSandbox> {
    const values = await this.#object.storage.list({ prefix: 'session/' })
    const groups = groupBy(values, ([key]) => key.split('/')[1] ?? '')
    const stored = Array.from(groups, ([id, entries]) => ({ id, parts: entries.map(([, part]) => part) }))
    const first = stored.find(({ id }) => id === DEFAULT)
    const state = first && parse(first.parts).state
    const { seed, size, fixture, now, future, sessionTtl = 30, ...rules } = configured()
    const sandbox = await openSandbox(state ? {} : { seed, size, fixture, now, future }, {
      ...rules,
      state,
      // The sessions share the 128 MB of an isolate with the dataset.
      sessions: { bytes: 16 * 1_048_576, ttlMs: sessionTtl * 60_000 },
      builtFile: async (name) => {
        const response = await this.#env.ASSETS?.fetch(new Request(`http://assets/${name}`))
        return response?.status === 200 ? new Uint8Array(await response.arrayBuffer()) : undefined
      },
    })
    await Promise.all(stored.map(({ id, parts }) => this.#restore(sandbox.state, id, parts)))
    return sandbox
  }

  async #restore(sandbox: SandboxState, id: string, parts: readonly string[]): Promise<void> {
    const { name, openedWith, clock, firstSettings, firstFuture: future, state } = parse(parts)
    const session = id === DEFAULT ? sandbox.defaultSession : sandbox.sessions.open(id)
    Object.assign(session, { name, openedWith })
    if (id !== DEFAULT) {
      session.assume(firstSettings)
      session.first = { settings: session.settings, future }
      await sandbox.restoreState(session, state)
    }
    // A running clock goes on while the object sleeps.
    session.clock.state = clock
    this.#kept.set(id, { session, mark: readMark(session), parts })
  }

  /** Stores what has changed, in one step. If that fails, the platform drops the object and its requests in flight. */
  #save(sandbox: SandboxState): Promise<void> {
    const { storage } = this.#object
    return this.#object.blockConcurrencyWhile(async () => {
      const changed = await Promise.all(listOpen(sandbox).map((one) => this.#prepare(sandbox, one)))
      const open = new Set(listOpen(sandbox).map(readId))
      const gone = [...this.#kept].filter(([id]) => !open.has(id))
      const entries = changed.flatMap((one) => one?.entries ?? [])
      const keys = gone.flatMap(([id, { parts }]) => parts.map((_, at) => toKey(id, at)))
      // The platform stores together what is written without waiting.
      await Promise.all([
        ...split(entries).map((some) => storage.put(Object.fromEntries(some))),
        ...split(keys).map((some) => storage.delete(some)),
      ])
      for (const one of changed) if (one) this.#kept.set(readId(one.kept.session), one.kept)
      for (const [id] of gone) this.#kept.delete(id)
    })
  }

  /** Finds what to store of a session; undefined if it has not changed. */
  async #prepare(sandbox: SandboxState, session: Session) {
    const id = readId(session)
    const last = this.#kept.get(id)
    const mark = readMark(session)
    if (last?.session === session && last.mark === mark) return undefined
    const state = await sandbox.saveState(session).catch((error: unknown) => {
      // It may have been deleted meanwhile.
      if (listOpen(sandbox).includes(session)) throw error
    })
    if (!state) return undefined
    const { name, openedWith, clock, first } = session
    const firstSettings = { ...first.settings, present: undefined }
    const stored = { name, openedWith, clock: clock.state, firstSettings, firstFuture: first.future, state }
    const text = JSON.stringify(stored)
    const count = Math.max(Math.ceil(text.length / MAX_PART), last?.parts.length ?? 0)
    const parts = Array.from({ length: count }, (_, at) => text.slice(at * MAX_PART, (at + 1) * MAX_PART))
    const entries = parts.flatMap((part, at) => (part === last?.parts[at] ? [] : [[toKey(id, at), part]]))
    return { entries, kept: { session, mark, parts } }
  }
}

const listOpen = ({ defaultSession, sessions }: SandboxState) => [defaultSession, ...sessions.list()]

const readId = ({ id }: Session): string => id ?? DEFAULT

/** Splits a list into calls of the storage. */
function split<T>(items: readonly T[]): (readonly T[])[] {
  const starts = Array.from({ length: Math.ceil(items.length / MAX_KEYS) }, (_, at) => at * MAX_KEYS)
  return starts.map((start) => items.slice(start, start + MAX_KEYS))
}

/** Describes the state of a session without its records. */
function readMark({ revision, clock, faults, scenarios }: Session): string {
  const played = [faults.snapshot()?.states, scenarios.snapshot()?.states]
  const counts = ['matched', 'injected', 'acted', 'fault']
  return JSON.stringify([revision, clock.snapshot()]) + JSON.stringify(played, counts)
}
