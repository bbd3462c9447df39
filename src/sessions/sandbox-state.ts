import { createRandom } from '../../seed/random/random.ts'
import { SandboxError } from '../core/errors.ts'
import { importSequentially, loadOnce } from '../core/import-sequentially.ts'
import { getOrCreate } from '../core/maps.ts'
import { systemTime } from '../core/system-clock.ts'
import type { Contract } from '../service/contract.ts'
import type { ClockMove, Commit } from '../store/change.ts'
import type { DatasetKey } from '../store/dataset-key.ts'
import type { Dataset } from '../store/dataset.ts'
import type { Storage } from '../store/disk/storage.ts'
import type { Change } from '../store/tables.ts'
import { Waits } from '../testing/faults/connection.ts'
import type { RecordWriter } from '../testing/records/record-writer.ts'
import type { LivingData } from './clock.ts'
import { type DatasetOptions, parseDatasetOptions, resolveDatasetKey } from './dataset-options.ts'
import { generateDataset, storeDataset } from './generate-dataset.ts'
import type { SavedSession } from './saved-state.ts'
import { Session, type SessionSnapshot, type Shared } from './session.ts'
import { Sessions } from './sessions.ts'

export interface StateOptions extends Omit<Shared, 'dataset' | 'moments' | 'draw' | 'hasRoom'> {
  readonly storage: Storage
  readonly startTime?: string | undefined
  readonly requiresSession?: boolean | undefined
  /** Loads the events after a dataset's time. */
  readonly loadMoments?: ((dataset: Dataset) => Promise<LivingData>) | undefined
}

const loadStateCode = () => importSequentially(() => import('./save-and-load.ts'))

const loadWriterCode = loadOnce(() => importSequentially(() => import('../testing/records/record-writer.ts')))

export class SandboxState {
  #lastReseed: Promise<unknown> = Promise.resolve()
  readonly #parts: StateOptions & Shared
  readonly defaultSession: Session
  readonly sessions: Sessions
  readonly waits = new Waits()
  readonly contract: Contract
  readonly requiresSession: boolean
  readonly #writers = new WeakMap<Session, RecordWriter>()
  /** Notes on the stored data, such as a write that a crash has interrupted. */
  readonly warnings: readonly string[]

  constructor(dataset: Dataset, parts: StateOptions, moments?: LivingData, warnings: readonly string[] = []) {
    this.warnings = warnings
    this.contract = parts.contract
    this.requiresSession = parts.requiresSession ?? false
    this.#parts = {
      ...parts,
      dataset,
      moments,
      draw: (key) => createRandom(this.dataset.key.seed, key, 0, 'draw').next(),
      hasRoom: () => this.sessions.hasRoom,
    }
    this.defaultSession = new Session(undefined, this.#parts, parts.storage)
    this.sessions = new Sessions(this.#parts)
  }

  get dataset(): Dataset {
    return this.#parts.dataset
  }

  async recordWriter(session: Session): Promise<RecordWriter> {
    const { RecordWriter } = await loadWriterCode()
    const hold = () => this.sessions.hold(session)
    return getOrCreate(this.#writers, session, () => new RecordWriter(session, hold))
  }

  async loadFuture(): Promise<void> {
    const { dataset } = this
    if (this.#parts.moments) return
    const moments = await this.#parts.loadMoments?.(dataset)
    if (this.dataset === dataset) this.#parts.moments ??= moments
  }

  copySession(session: Session, changes: Partial<SessionSnapshot> = {}): Session {
    const copy = new Session(session.id, this.#parts)
    copy.restore({ ...session.snapshot(), faults: undefined, scenarios: undefined, ...changes })
    return copy
  }

  async saveState(session: Session): Promise<SavedSession> {
    const { saveState } = await loadStateCode()
    session.throwIfDropped()
    return saveState(session, this.#parts)
  }

  /**
   * Restores a saved state into a session, in one step after all checks. In the default session, a state over another
   * dataset brings that dataset, as a reseed does.
   * @throws SandboxError `invalid_request`; `conflict` if the state belongs to other data; as `reset`
   */
  async restoreState(session: Session, input: unknown): Promise<void> {
    const { parseState, findMismatch, getMode, toDatasetKey } = await loadStateCode()
    const state = await parseState(input)
    const { dataset } = this
    const mode = getMode(state)
    const mismatch = await findMismatch(state, dataset)
    const isOther = mismatch !== undefined || mode !== (dataset.key.future ?? 'still')
    if (session === this.defaultSession && isOther) return this.#reseedTo(() => toDatasetKey(state), state)
    if (mode === 'living' && !mismatch) await this.loadFuture()
    const { snapshot, commit } = await this.#loadState(state, { dataset })
    const decide = (): Commit => {
      session.throwIfDropped()
      if (this.dataset === dataset) return commit
      throw new SandboxError('conflict', 'Cannot restore the state: the sandbox was reseeded meanwhile.')
    }
    await this.#replace(session, decide, () => session.restore(snapshot))
  }

  async #loadState(state: SavedSession, source: Partial<Pick<Shared, 'dataset' | 'moments'>>) {
    const { loadState } = await loadStateCode()
    const snapshot = await loadState(state, { ...this.#parts, ...source })
    const at = new Date(state.clock.now).toISOString()
    return { snapshot, commit: createReset(at, state.changes, snapshot.clock) }
  }

  async reset(session: Session): Promise<void> {
    const decide = (): Commit => createReset(this.dataset.key.now)
    await this.#replace(session, decide, () => session.reset())
  }

  /** Replaces all that a session has written; in the default session once that is durable. */
  async #replace({ storage }: Session, decide: () => Commit, apply: () => void): Promise<void> {
    if (storage) return storage.append({ decide, apply, mayDecideEarly: false })
    decide()
    apply()
  }

  /** Generates a new dataset and drops every session; options that are left out keep their values. */
  reseed(options: DatasetOptions = {}): Promise<void> {
    return this.#reseedTo(async () =>
      resolveDatasetKey(await parseDatasetOptions(options), this.dataset.key, systemTime()),
    )
  }

  /** Reseeds after earlier reseeds, because an omitted option keeps the value of the previous one. */
  #reseedTo(findKey: () => Promise<DatasetKey>, state?: SavedSession): Promise<void> {
    const reseed = async (): Promise<void> => {
      const dataset = await generateDataset(await findKey())
      const moments = await openMoments(dataset, this.#parts)
      const restored = state && (await this.#loadState(state, { dataset, moments }))
      await storeDataset(dataset, this.#parts.storage, restored ? [restored.commit] : [], () => {
        this.#replaceDataset(dataset, moments)
        if (restored) this.defaultSession.restore(restored.snapshot)
      })
    }
    const reseeded = this.#lastReseed.then(reseed)
    this.#lastReseed = reseeded.catch(() => undefined)
    return reseeded
  }

  #replaceDataset(dataset: Dataset, moments: LivingData | undefined): void {
    this.#parts.moments?.close()
    this.#parts.dataset = dataset
    this.#parts.moments = moments
    this.defaultSession.reset()
    this.sessions.clear()
  }
}

export async function openMoments(
  dataset: Dataset,
  { loadMoments }: Pick<StateOptions, 'loadMoments'>,
): Promise<LivingData | undefined> {
  return dataset.key.future === 'living' ? loadMoments?.(dataset) : undefined
}

/** Creates the commit that drops all that was written before, and may bring the changes and the clock of a saved state. */
function createReset(at: string, changes: readonly Change[] = [], clock?: ClockMove): Commit {
  return { at, by: 'control', reset: true, clock, changes }
}
