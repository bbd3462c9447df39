import { contentOf } from '../seed/content.ts'
import { recordKey } from '../seed/random.ts'
import { createTexts } from '../seed/texts.ts'
import { defaultSettings, type PartialSettings, withSettings } from './contract/settings.ts'
import type { Access } from './control/access.ts'
import { systemTime } from './control/clock.ts'
import { type Credentials, credentialsOf } from './control/credentials.ts'
import type { Arranger } from './control/data/data.ts'
import type { Host } from './control/host.ts'
import { inProcess, inProcessLater } from './control/in-process.ts'
import type { AssumptionReport } from './control/journal/assumptions-report.ts'
import type { BuiltFile } from './control/pages.ts'
import { Handle, type HandleParts, type SessionHandle } from './control/sessions/handle.ts'
import { openedSession, parsedSession, type SessionInput } from './control/sessions/input.ts'
import type { Session } from './control/sessions/session.ts'
import { sessionLimits, type SessionLimits } from './control/sessions/sessions.ts'
import { keep, otherDataset, State, type StateParts } from './control/state.ts'
import { type App, createApp } from './http/app.ts'
import { whole } from './http/respond.ts'
import { importInTurn } from './import-in-turn.ts'
import { datasetKey, type DatasetOptions, differences, parsedOptions } from './options.ts'
import { contractUnder } from './resources/contract.ts'
import { createDataset, type Dataset, type DatasetKey, rowsOf } from './store/dataset.ts'
import { wholeText } from './store/layout.ts'
import { memoryStorage, type Storage } from './store/storage.ts'
import { type Rows, type TableName, forEachTable } from './store/tables.ts'
import { type WholeDataset, wholeDataset } from './store/whole.ts'
import { version } from './version.ts'

/** What a sandbox may be given by its surroundings. */
export interface Wiring {
  /** Where the dataset and the default session's changes are kept; in memory without. */
  readonly storage?: Storage
  /** Who may use the control plane; without, whoever has the sandbox in hand. */
  readonly access?: Access
  /** What reads the pages that were built for browsers; without, there are none. */
  readonly builtFile?: BuiltFile
  /** How many sessions are kept, and for how long. */
  readonly sessions?: Partial<SessionLimits>
  /** How what the document leaves open is decided, where a session does not say otherwise. */
  readonly assumptions?: PartialSettings | undefined
  /** Refuses requests that name no session, so that a forgotten one is seen. */
  readonly requireSession?: boolean
  /** The advice if the storage holds another dataset than the options describe. */
  readonly otherDataset?: string | undefined
}

/** What a sandbox's data is, and what it is made from. */
export interface DatasetView {
  readonly seed: number
  /** Customers of the first organization. */
  readonly size: number
  readonly fixture: string
  readonly now: string
  /** Records of each table, over all organizations. */
  readonly counts: Readonly<Record<TableName, number>>
  /** Every record, as it is kept: without the long texts that are drawn when they are read. */
  readonly rows: Rows
  /**
   * Returns the whole dataset, every transcript, brief and log message included, without changes.
   * It is a fixture that gives the same dataset again, without further options.
   */
  export(): WholeDataset
  /** A hash over the dataset: equal data, equal fingerprint. */
  fingerprint(): Promise<string>
}

/**
 * A running imitation of the service. What it has of a session is the default session's, the only one that is kept;
 * `fetch` answers for the session that a request names.
 */
export interface Sandbox
  extends Omit<SessionHandle, 'id' | 'close' | 'snapshot' | 'restore'>, AsyncDisposable {
  /** Every member with a token. */
  readonly credentials: Credentials
  readonly dataset: DatasetView
  /** Makes a new dataset; what is not given stays. Every session is dropped. Errors: as reset, invalid_request. */
  reseed(options?: DatasetOptions): Promise<void>
  /**
   * Opens a session. Errors: not_found for an unknown `from`, conflict for an id that is taken, storage_full if the
   * sessions in use take all the memory, invalid_request.
   */
  session(input?: SessionInput): SessionHandle
  /**
   * Counts from now on what the requests of all sessions rest on, those of sessions that end among them.
   * Gives a function that says what was counted so far; ids of requests are left out, since every session has its own.
   */
  collectAssumptions(): () => AssumptionReport
  /** Lets requests go on that faults hold up; a server calls it before it waits for what is in flight. */
  release(): void
  /** Lets go of the storage, and of every request that a fault holds up. */
  close(): Promise<void>
}

/**
 * Opens a sandbox over what its storage kept, or over a new dataset.
 * Errors: conflict where what was kept was made from other options; invalid_request for wrong options or fixtures.
 */
export async function openSandbox(options: DatasetOptions = {}, wiring: Wiring = {}): Promise<OpenSandbox> {
  const storage = wiring.storage ?? memoryStorage()
  const stateParts: StateParts = {
    storage,
    version,
    limits: { ...sessionLimits, ...wiring.sessions },
    draw: (seed, key) => recordKey(seed, key, 0).for('draw').next(),
    contract: contractUnder(withSettings(defaultSettings, wiring.assumptions)),
  }
  const state = await openState(parsedOptions(options), stateParts, wiring.otherDataset)
  let lastReseed: Promise<unknown> = Promise.resolve()
  // One after the other: options that are left out keep the values of the dataset before.
  const reseed = (given: DatasetOptions = {}): Promise<void> => {
    const reseedNow = async (): Promise<void> => {
      const key = datasetKey(parsedOptions(given), state.dataset.key, systemTime())
      await state.replace(await makeDataset(key))
    }
    const reseeded = lastReseed.then(reseedNow)
    lastReseed = reseeded.catch(() => undefined)
    return reseeded
  }
  let arranging: Promise<(session: Session) => Arranger> | undefined
  const arranger = async (session: Session): Promise<Arranger> => {
    arranging ??= importInTurn(() => import('./control/data/arranger.ts')).then(({ createArranging }) =>
      createArranging({
        dataset: () => state.dataset,
        draft: async () => (await importInTurn(() => import('../seed/index.ts'))).draft,
        hold: (held: Session) => state.sessions.hold(held),
      }),
    )
    return (await arranging)(session)
  }
  const app = createApp(hostOf(state, { reseed, arranger }, wiring))
  const parts: HandleParts = {
    app,
    arranger,
    reset: (session) => state.reset(session),
    drop: (session) => void (session.id !== undefined && state.sessions.delete(session.id)),
  }
  return new OpenSandbox(state, parts, { reseed, storage })
}

/** A sandbox as a server holds it. */
export class OpenSandbox implements Sandbox {
  /** What a server asks. */
  readonly app: App
  readonly fetch: Sandbox['fetch']
  readonly reseed: Sandbox['reseed']
  readonly #state: State
  readonly #parts: HandleParts
  readonly #storage: Storage
  /** The default session's. */
  readonly #handle: Handle

  constructor(
    state: State,
    parts: HandleParts,
    { reseed, storage }: Pick<Sandbox, 'reseed'> & { storage: Storage },
  ) {
    this.#state = state
    this.#parts = parts
    this.#storage = storage
    this.#handle = new Handle(state.defaultSession, parts)
    this.app = parts.app
    this.reseed = (options) => inProcessLater('option', () => reseed(options))
    this.fetch = async (request, connection) => whole(await this.app.fetch(request, { connection }))
  }

  get credentials(): Credentials {
    return credentialsOf(this.#state.dataset.organizations, this.#state.defaultSession.data)
  }

  get dataset(): DatasetView {
    return viewOf(this.#state)
  }

  /** The export as JSON, in pieces: a large one may be longer than a text can be. */
  exportText(): Iterable<string> {
    return wholeText(this.#state.dataset)
  }

  get clock(): Sandbox['clock'] {
    return this.#handle.clock
  }

  get faults(): Sandbox['faults'] {
    return this.#handle.faults
  }

  get requests(): Sandbox['requests'] {
    return this.#handle.requests
  }

  get data(): Sandbox['data'] {
    return this.#handle.data
  }

  explain(...input: Parameters<Sandbox['explain']>): ReturnType<Sandbox['explain']> {
    return inProcessLater('input', () => this.#handle.explain(...input))
  }

  preview(...input: Parameters<Sandbox['preview']>): ReturnType<Sandbox['preview']> {
    return inProcessLater('input', () => this.#handle.preview(...input))
  }

  reset(): Promise<void> {
    return inProcessLater('argument', () => this.#handle.reset())
  }

  session(input: SessionInput = {}): SessionHandle {
    const { sessions, defaultSession } = this.#state
    const open = () => openedSession(sessions, defaultSession, parsedSession(input))
    return new Handle(inProcess('session', open), this.#parts)
  }

  collectAssumptions(): () => AssumptionReport {
    this.#state.collectAssumptions()
    return () => this.#state.assumptionReport()
  }

  release(): void {
    this.#state.waits.end()
  }

  async close(): Promise<void> {
    this.release()
    await this.#storage.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

async function openState(options: DatasetOptions, parts: StateParts, advice?: string): Promise<State> {
  const { storage } = parts
  const kept = await storage.load()
  if (!kept) {
    const dataset = await makeDataset(datasetKey(options, undefined, systemTime()))
    await keep(dataset, storage, version)
    return new State(dataset, parts)
  }
  const { key } = kept.seeded
  const requested = differences(options, key)
  const otherVersion =
    kept.seeded.version !== version && Object.values(options).some((value) => value !== undefined)
  if (otherVersion) requested.push(`a dataset of version ${version}`)
  if (requested.length > 0) throw otherDataset(key, kept.seeded.version, requested, advice)
  const state = new State(createDataset(key, kept.seeded, createTexts(key.seed)), parts)
  state.defaultSession.data.load(kept.changes)
  return state
}

async function makeDataset(key: DatasetKey): Promise<Dataset> {
  return createDataset(key, await contentOf(key), createTexts(key.seed))
}

function hostOf(state: State, given: Pick<Host, 'reseed' | 'arranger'>, wiring: Wiring): Host {
  const summary: Host['summary'] = (session) => {
    const { seed, size, fixture } = state.dataset.key
    return { status: 'ok', version, seed, size, fixture, now: session.clock.now() }
  }
  return {
    access: wiring.access,
    builtFile: wiring.builtFile,
    contract: state.contract,
    defaultSession: state.defaultSession,
    sessions: state.sessions,
    waits: state.waits,
    requiresSession: wiring.requireSession ?? false,
    credentials: (session) => credentialsOf(state.dataset.organizations, session.data),
    summary,
    health: async (session) => ({ ...summary(session), fingerprint: await state.fingerprint() }),
    reset: (session) => state.reset(session),
    ...given,
    copyOf: (session) => state.copyOf(session),
  }
}

function viewOf(state: State): DatasetView {
  const { dataset } = state
  const { seed, size, fixture, now } = dataset.key
  const counts = forEachTable<DatasetView['counts']>((name) => dataset.tables[name].rows.length)
  return {
    seed,
    size,
    fixture,
    now,
    counts,
    get rows() {
      return rowsOf(dataset)
    },
    export: () => wholeDataset(dataset),
    fingerprint: () => state.fingerprint(),
  }
}
