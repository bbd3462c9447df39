import type { Settings } from '../contract/choices.ts'
import { SandboxError } from '../core/errors.ts'
import { systemTime } from '../core/system-clock.ts'
import { version } from '../core/version.ts'
import { createMemoryStorage, type Storage } from '../disk/storage.ts'
import type { Entry } from '../journal/entry.ts'
import { loadEntry, saveEntry } from '../journal/saved-entries.ts'
import { type OpenSandbox, openSandbox } from '../sandbox/sandbox.ts'
import type { SavedSession } from '../sessions/saved-state.ts'
import type { Session } from '../sessions/session.ts'
import { configured, readAsset, type WorkerEnv } from './options.ts'
import type { SessionStore, Stored, StoredEntry } from './session-store.ts'

export class NotStored extends SandboxError {
  constructor(message: string) {
    super('storage_full', message)
  }
}

export class DurableSession {
  readonly #store: SessionStore
  readonly #sandbox: OpenSandbox
  readonly #id: string | undefined
  #observed: Session | undefined
  #firstAssumptions: SavedSession['assumptions'] = {}
  readonly #changedEntries = new Set<number>()
  #isCleared = false
  #unused: string | undefined
  #lastSave: Promise<void> = Promise.resolve()

  private constructor(store: SessionStore, sandbox: OpenSandbox, id: string | undefined) {
    this.#store = store
    this.#sandbox = sandbox
    this.#id = id
  }

  static async open(store: SessionStore, id: string | undefined, env: WorkerEnv): Promise<DurableSession> {
    const { seed, size, fixture, now, future, assumptions, present, clockRate, requireSession } = configured()
    const stored = store.read()
    const options = { seed, size, fixture, now, future }
    const sandbox = await openSandbox(options, {
      assumptions,
      present,
      clockRate,
      requireSession,
      storage: createFixedStorage(),
      builtFile: (name) => readAsset(env, name),
      sessions: { ttlMs: Infinity },
      startTime: stored?.session.state.dataset.now ?? `${systemTime().slice(0, 10)}T00:00:00.000Z`,
    })
    const durable = new DurableSession(store, sandbox, id)
    if (stored) await durable.#load(stored)
    else if (id === undefined) {
      const { session } = await durable.#describe(durable.#open())
      durable.#unused = JSON.stringify(session)
    }
    return durable
  }

  get isOpen(): boolean {
    return this.#session !== undefined
  }

  /**
   * Responds to a request. What it has changed is stored before the response is sent.
   * @throws NotStored if there is no room for it
   */
  async handle(request: Request): Promise<Response> {
    try {
      return await this.#sandbox.handle(request, {})
    } finally {
      await this.#save()
    }
  }

  async handleCopy(request: Request, from: string, state: unknown): Promise<Response> {
    const { state: sandbox } = this.#sandbox
    const isDefault = from === 'default'
    const origin = isDefault ? sandbox.defaultSession : sandbox.sessions.open(from)
    try {
      await sandbox.restoreState(origin, state)
      return await this.handle(request)
    } finally {
      if (isDefault) await sandbox.reset(origin)
      else sandbox.sessions.delete(from)
    }
  }

  get #session(): Session | undefined {
    const { defaultSession, sessions } = this.#sandbox.state
    return this.#id === undefined ? defaultSession : sessions.find(this.#id)
  }

  #open(): Session {
    const { defaultSession, sessions } = this.#sandbox.state
    return this.#id === undefined ? defaultSession : sessions.open(this.#id)
  }

  async #load({ session: stored, changes, entries }: Stored): Promise<void> {
    const session = this.#open()
    const { state: sandbox } = this.#sandbox
    const { name, openedWith, firstAssumptions, clock, state } = stored
    session.name = name
    session.openedWith = openedWith
    session.assume(firstAssumptions)
    session.keepAssumptions()
    const { dataset } = await sandbox.saveState(session)
    if (dataset.fingerprint !== state.dataset.fingerprint) throw otherData(this.#id, state.version)
    session.clock.restore(clock)
    const time = { ...state.clock, now: session.clock.now() }
    await sandbox.restoreState(session, { ...state, version, dataset, clock: time, changes })
    // A running clock would otherwise stand still while the object sleeps.
    session.clock.restore(clock)
    const { settings } = session
    const loaded = entries.map((one) => loadEntry(one.entry, settings, one.requestBody, one.responseBody))
    session.requests.load(loaded)
    this.#observe(session)
    this.#firstAssumptions = firstAssumptions
  }

  #observe(session: Session): void {
    this.#observed = session
    session.requests.events.listen((event) => {
      if (event === 'cleared') {
        this.#isCleared = true
        this.#changedEntries.clear()
      } else this.#changedEntries.add(event)
    })
  }

  #save(): Promise<void> {
    const save = this.#lastSave.then(() => this.#saveNow())
    this.#lastSave = save.catch(() => undefined)
    return save.catch(() => {
      const fact =
        'its object has no room for what this request has changed, and has kept the state before it'
      throw new NotStored(`Session ${this.#id ?? 'default'} could not be stored: ${fact}.`)
    })
  }

  async #saveNow(): Promise<void> {
    const session = this.#session
    if (!session) return this.#store.exists ? this.#store.delete() : undefined
    const isNew = this.#observed !== session
    const described = await this.#describe(session, isNew)
    if (isNew) {
      const { requests } = session
      for (const { id } of requests.entries()) this.#changedEntries.add(id)
      this.#observe(session)
    }
    const { changes } = described
    const isUnused = !this.#store.exists && changes.length === 0 && this.#changedEntries.size === 0
    if (isUnused && JSON.stringify(described.session) === this.#unused) return
    const { requests, settings } = session
    const entries = [...this.#changedEntries].flatMap((id) => {
      const entry = requests.get(id)
      return entry ? [storeEntry(entry, settings)] : []
    })
    const [first] = requests.entries()
    this.#store.write({ ...described, entries, isCleared: this.#isCleared, firstEntry: first?.id ?? 1 })
    this.#isCleared = false
    this.#changedEntries.clear()
  }

  async #describe(session: Session, isNew = true): Promise<Pick<Stored, 'session' | 'changes'>> {
    const { id, name, openedWith } = session
    const { state: clock, isRunning } = session.clock
    const { changes, dataset, fingerprint, ...state } = await this.#sandbox.state.saveState(session)
    if (isNew) this.#firstAssumptions = state.assumptions
    const { fixtureContent: _, ...key } = dataset
    const described = {
      ...state,
      dataset: key,
      // The time of a running clock follows from its state.
      clock: isRunning ? { ...state.clock, now: key.now } : state.clock,
      ...(!isRunning && fingerprint !== undefined && { fingerprint }),
    }
    const firstAssumptions = this.#firstAssumptions
    return { changes, session: { id, name, openedWith, clock, firstAssumptions, state: described } }
  }
}

/** Larger bodies are not stored, so that a thousand entries fit into the memory of an isolate. Units: bytes. */
const MAX_BODY = 16_384

function storeEntry(entry: Entry, settings: Settings): StoredEntry {
  const saved = saveEntry(entry, settings)
  const { requestBody } = entry
  const responseBody = entry.responseBody?.bytes
  const isLarge = [requestBody, responseBody].some((body) => body && body.length > MAX_BODY)
  if (!isLarge) return { entry: saved, requestBody, responseBody }
  return { entry: { ...saved, hasBodies: false }, requestBody: undefined, responseBody: undefined }
}

/** Creates a storage whose dataset cannot be replaced, since all objects of a deployment share it. */
function createFixedStorage(): Storage {
  const storage = createMemoryStorage()
  let isFilled = false
  return {
    ...storage,
    async replace(seeded, apply) {
      if (isFilled) {
        const fact = 'the dataset of a worker is part of its deployment, which all its sessions share'
        const message = `Cannot generate another dataset: ${fact}. Change the options of createWorker, and deploy.`
        throw new SandboxError('conflict', message)
      }
      isFilled = true
      await storage.replace(seeded, apply)
    },
  }
}

function otherData(id = 'default', savedBy: string): SandboxError {
  const fact = `it was saved by version ${savedBy} over other data than those of version ${version} with its present options`
  const advice =
    id === 'default' ? 'Drop it with POST /_sandbox/reset.' : `Drop it with DELETE /_sandbox/sessions/${id}.`
  return new SandboxError('conflict', `Cannot continue session ${id}: ${fact}. ${advice}`)
}
