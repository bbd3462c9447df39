import type { Settings } from '../contract/choices.ts'
import { type PartialSettings, withSettings } from '../contract/settings.ts'
import { SandboxError } from '../core/errors.ts'
import { type Contract, getContract, getSettingsKey } from '../service/contract.ts'
import type { DataOwner } from '../store/change.ts'
import type { Dataset } from '../store/dataset.ts'
import type { Moment } from '../store/history.ts'
import { type DataSnapshot, SessionData, untouched } from '../store/session-data.ts'
import { Faults, type FaultsSnapshot } from '../testing/faults/faults.ts'
import { Journal } from '../testing/journal/journal.ts'
import type { WarningSearch } from '../testing/journal/warnings.ts'
import { Scenarios, type ScenariosSnapshot } from '../testing/scenarios/scenarios.ts'
import { type ClockSnapshot, type ClockSource, SessionClock } from './clock.ts'

export interface SessionLimits {
  readonly ttlMs: number
  readonly count: number
  /** The memory of all sessions together. Units: bytes, estimated. */
  readonly bytes: number
  /** The memory of the changes of one session. Units: bytes, estimated. */
  readonly sessionBytes: number
  readonly inUse: number
}

export interface Shared extends ClockSource {
  readonly draw: (key: string) => number
  readonly contract: Contract
  readonly limits: SessionLimits
  readonly searchWarnings?: ((session: Session) => WarningSearch) | undefined
  readonly hasRoom: () => boolean
}

/** The most that the changes of the default session may take, which are on disk as well. Units: bytes, estimated. */
const MAX_DEFAULT_BYTES = 512 * 1_048_576

export interface SessionSnapshot extends ClockSnapshot {
  /** The dataset that the session starts from. */
  readonly dataset: Dataset
  readonly data: DataSnapshot
  readonly faults: FaultsSnapshot | undefined
  readonly scenarios: ScenariosSnapshot
  readonly settings: Settings
}

export class Session implements DataOwner {
  readonly id: string | undefined
  name: string | undefined
  openedWith: Readonly<Record<string, string>> | undefined
  readonly data: SessionData
  readonly clock: SessionClock
  readonly #shared: Shared
  readonly requests: Journal = new Journal(this)
  readonly faults: Faults
  readonly scenarios: Scenarios
  readonly storage: DataOwner['storage']
  settings: Settings
  /** The settings and the future that a reset restores. */
  first: Pick<SessionSnapshot, 'settings' | 'future'>
  #isDropped = false
  #start: Moment | undefined
  #moment: Moment = { at: '', revision: 0 }
  #settingsRevision = 0

  constructor(id: string | undefined, shared: Shared, storage?: DataOwner['storage']) {
    this.id = id
    this.#shared = shared
    this.clock = new SessionClock(shared, () => this.data)
    this.storage = storage
    this.data = new SessionData(this.clock.dataset, this)
    // With the id, so that random faults differ between sessions.
    this.faults = new Faults((key) => shared.draw(`${this.id ?? 'default'} ${key}`))
    this.scenarios = new Scenarios(this)
    this.first = { settings: shared.contract.settings, future: undefined }
    this.settings = shared.contract.settings
  }

  checkRoom(bytes: number): void {
    const { hasRoom, limits } = this.#shared
    const limit = this.id === undefined ? MAX_DEFAULT_BYTES : limits.sessionBytes
    if (bytes <= limit && (this.id === undefined || hasRoom())) return
    const fact =
      bytes > limit
        ? `the changes of a session may take up ${Math.floor(limit / 1_048_576)} MB`
        : 'the sessions in use take up all memory for sessions'
    const advice = 'Reset the session, or delete sessions that you no longer need.'
    throw new SandboxError('storage_full', `Cannot store the change: ${fact}. ${advice}`)
  }

  findNeededPast(): string | undefined {
    return this.scenarios.isEmpty ? undefined : this.scenarios.findNeededPast()
  }

  get start(): Moment {
    return this.#start ?? { at: this.data.dataset.key.now, revision: 0 }
  }

  begin(): void {
    this.#start = this.moment
  }

  /** The moment of its data; the same object as long as neither time nor data change. */
  get moment(): Moment {
    const at = this.clock.now()
    const { revision } = this.data
    if (this.#moment.at !== at || this.#moment.revision !== revision) this.#moment = { at, revision }
    return this.#moment
  }

  /** Increases with each change to the session, except by its requests alone. */
  get revision(): number {
    const { data, clock, faults, scenarios } = this
    return this.#settingsRevision + data.revision + clock.revision + faults.revision + scenarios.revision
  }

  get contract(): Contract {
    const { contract } = this.#shared
    return this.settings === contract.settings ? contract : getContract(this.settings)
  }

  assume(settings: PartialSettings): void {
    if (Object.keys(settings).length === 0) return
    const { contract } = this.#shared
    this.#settingsRevision += 1
    const changed = withSettings(this.settings, settings)
    this.settings =
      getSettingsKey(changed) === getSettingsKey(contract.settings) ? contract.settings : changed
  }

  searchWarnings(): WarningSearch | undefined {
    return this.#shared.searchWarnings?.(this)
  }

  get bytes(): number {
    const { data, faults, scenarios, requests } = this
    const stored = data.overlay.bytes + data.history.bytes
    const content = stored + faults.bytes + scenarios.bytes + requests.bytes + requests.deliveries.bytes
    const hasOverrides = this.settings !== this.#shared.contract.settings
    const opened = Object.values(this.openedWith ?? {}).reduce((sum, text) => sum + text.length, 0)
    return content + 2 * (opened + (hasOverrides ? getSettingsKey(this.settings).length : 0))
  }

  dropBodies(): void {
    this.data.history.shrink(0, this.findNeededPast())
    this.requests.dropBodies()
  }

  /** Drops changes, clock, faults and journal; restores the assumptions and the future that the session was opened with. */
  reset(): void {
    const start = { clock: undefined, tick: undefined, faults: undefined, scenarios: undefined }
    this.restore({ ...start, ...this.first, data: untouched })
    this.requests.reset()
  }

  /** Marks the session as dropped, so that requests in flight do not write to it. */
  drop(): void {
    this.#isDropped = true
    this.faults.gates.close('the session was dropped')
  }

  close(): void {
    this.requests.close()
    this.faults.gates.close('the session has ended')
  }

  throwIfDropped(): void {
    if (!this.#isDropped) return
    throw new SandboxError('not_found', `Session ${this.id} has been dropped. Open a new one.`)
  }

  snapshot(): SessionSnapshot {
    return {
      dataset: this.#shared.dataset,
      data: this.data.snapshot(),
      faults: this.faults.snapshot(),
      scenarios: this.scenarios.snapshot(),
      settings: this.settings,
      ...this.clock.snapshot(),
    }
  }

  restore(snapshot: Omit<SessionSnapshot, 'dataset'>): void {
    const { data, clock, faults, scenarios, settings, future, tick } = snapshot
    this.clock.restore({ clock, future, tick })
    this.data.restore(data)
    this.settings = settings
    this.faults.restore(faults)
    this.scenarios.restore(scenarios)
    this.begin()
  }
}
