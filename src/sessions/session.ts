import type { Settings } from '../contract/choices.ts'
import { SandboxError } from '../contract/errors.ts'
import { addDuration } from '../contract/instants.ts'
import { type PartialSettings, withSettings } from '../contract/settings.ts'
import { Faults, type FaultsSnapshot } from '../faults/faults.ts'
import type { Entry } from '../journal/entry.ts'
import { Journal } from '../journal/journal.ts'
import { type Contract, getContract, getSettingsKey } from '../resources/contract.ts'
import { Scenarios, type ScenariosSnapshot } from '../scenarios/scenarios.ts'
import type { Dataset } from '../store/dataset.ts'
import { findDifferences, type StepChanges, summarizeDifferences } from '../store/differences.ts'
import type { Change } from '../store/documents.ts'
import type { Moments } from '../store/moments.ts'
import { type DataSnapshot, SessionData } from '../store/session-data.ts'
import type { Write } from '../store/write-queue.ts'
import { type ClockState, SessionClock } from './clock.ts'
import type { Tick } from './tick.ts'

/** The parts of a sandbox that all its sessions share. */
export interface Shared {
  /** Returns the current dataset. */
  readonly dataset: () => Dataset
  /** Returns the data at any time; undefined until the events after the dataset's time are loaded. */
  readonly moments: () => Moments | undefined
  /** The speed of running clocks, if it is not the machine's. */
  readonly clockRate: number | undefined
  /** Returns a number from 0 up to 1 that follows from the dataset's seed and a key. */
  readonly draw: (key: string) => number
  /** The contract of sessions without overrides. */
  readonly contract: Contract
  /** Returns a function that counts an entry dropped by a journal; undefined if entries are not counted. */
  readonly countDropped: () => ((entry: Entry, data: SessionData) => void) | undefined
}

/** The state of a session, without its journal. */
export interface SessionSnapshot {
  readonly data: DataSnapshot
  readonly clock: ClockState
  readonly faults: FaultsSnapshot | undefined
  readonly scenarios: ScenariosSnapshot
  readonly settings: Settings
  readonly future: FutureMode | undefined
  readonly tick: Tick | undefined
}

/** Whether data stands still or changes as time passes. */
export type FutureMode = 'still' | 'living'

/** An isolated set of changes over the shared dataset, with its own clock, faults, journal and assumptions. */
export class Session {
  /** Undefined for the default session. */
  readonly id: string | undefined
  /** A name for people. */
  name: string | undefined
  /** The options that the session was opened with. */
  openedWith: object | undefined
  readonly data: SessionData
  readonly clock: SessionClock
  readonly #shared: Shared
  #faults: Faults | undefined
  #scenarios: Scenarios | undefined
  #requests: Journal | undefined
  /** The settings that a reset restores. */
  #firstSettings: Settings
  #settings: Settings
  #isDropped = false
  /** Increases with each change of the settings. */
  #settingsRevision = 0
  /** How the clock moves with each request; undefined if it does not. */
  tick: Tick | undefined
  /** Whether the session's data changes with time; as the dataset if undefined. */
  #future: FutureMode | undefined
  /** The time of the present moment, and the moment. */
  #moment: { readonly at: string; readonly of: Moments; readonly dataset: Dataset } | undefined
  /** The moment that the current task sees while the clock runs. */
  #held: { readonly clock: ClockState; readonly dataset: Dataset } | undefined

  /** @param keep makes changes durable; only the default session has it */
  constructor(id: string | undefined, shared: Shared, keep?: (write: Write<Change>) => Promise<void>) {
    this.id = id
    this.#shared = shared
    this.data = new SessionData(() => this.#dataset(), keep)
    this.clock = new SessionClock(() => shared.dataset().key, shared.clockRate)
    this.data.beforeChange = (changes) => {
      this.#requests?.past.keep(this.data.revision, this.data.listReversals(changes))
      this.#scenarios?.keepPast(changes)
    }
    this.#firstSettings = shared.contract.settings
    this.#settings = shared.contract.settings
  }

  /** The value of every assumption in this session. */
  get settings(): Settings {
    return this.#settings
  }

  /** Increases with each change to the session, except by its requests alone. */
  get revision(): number {
    const played = (this.#faults?.revision ?? 0) + (this.#scenarios?.revision ?? 0)
    return this.#settingsRevision + this.data.revision + this.clock.revision + played
  }

  /** The contract under the session's settings. */
  get contract(): Contract {
    const { contract } = this.#shared
    return this.#settings === contract.settings ? contract : getContract(this.#settings)
  }

  /** Whether the session's data changes with time. */
  get future(): FutureMode {
    return this.#future ?? this.#shared.dataset().key.future ?? 'still'
  }

  /**
   * Lets the session's data change with time, or stand still.
   * @throws SandboxError `conflict` if the events after the dataset's time are not loaded
   */
  setFuture(future: FutureMode): void {
    if (future === 'living' && !this.#shared.moments()) {
      const advice = "Open the sandbox with the option future: 'living', or the session over HTTP."
      throw new SandboxError(
        'conflict',
        `The session cannot live, because the sandbox stands still. ${advice}`,
      )
    }
    this.#future = future
  }

  /** Returns the data at the session's time. While the clock runs, a task sees one moment until it waits. */
  #dataset(): Dataset {
    const { dataset, moments } = this.#shared
    if (this.future === 'still') return dataset()
    const of = moments()
    if (!of) return dataset()
    const { clock } = this
    if (this.#held && this.#held.clock === clock.state) return this.#held.dataset
    const at = clock.now()
    if (this.#moment?.at !== at || this.#moment.of !== of) this.#moment = { at, of, dataset: of.at(at) }
    const { dataset: present } = this.#moment
    if (clock.isRunning) {
      this.#held = { clock: clock.state, dataset: present }
      queueMicrotask(() => (this.#held = undefined))
    }
    return present
  }

  /** The data at any time; undefined if the session's data stands still. */
  get moments(): Moments | undefined {
    return this.future === 'still' ? undefined : this.#shared.moments()
  }

  /**
   * Moves the clock forward, and counts the records that change, by table.
   * @throws SandboxError `invalid_request` as the clock
   */
  advance(duration: string): StepChanges {
    const before = this.#dataset()
    this.clock.advance(duration)
    this.#held = undefined
    return summarizeDifferences(findDifferences(before, this.#dataset()))
  }

  /** Moves the clock after a request, if it ticks with requests of that operation. */
  tickAfter(operationId: string | undefined): void {
    const { tick, clock } = this
    if (!tick || (tick.on !== undefined && tick.on !== operationId)) return
    const next = addDuration(clock.now(), tick.by)
    if (next !== undefined) clock.set(next)
  }

  /** Overrides assumptions until the session is reset. */
  assume(settings: PartialSettings): void {
    if (Object.keys(settings).length === 0) return
    const { contract } = this.#shared
    this.#settingsRevision += 1
    const changed = withSettings(this.#settings, settings)
    this.#settings =
      getSettingsKey(changed) === getSettingsKey(contract.settings) ? contract.settings : changed
  }

  /** Keeps the current assumptions through a reset. */
  keepAssumptions(): void {
    this.#firstSettings = this.#settings
  }

  /** The session's faults; created on first use. */
  get faults(): Faults {
    const { draw } = this.#shared
    // With the id, so that random faults differ between sessions.
    this.#faults ??= new Faults((key) => draw(`${this.id ?? 'default'} ${key}`))
    return this.#faults
  }

  /** The session's faults; undefined if they have not been used. */
  get knownFaults(): Faults | undefined {
    return this.#faults
  }

  /** The session's scenarios; created on first use. */
  get scenarios(): Scenarios {
    const { data, clock } = this
    this.#scenarios ??= new Scenarios({ data, clock, datasetAt: (instant) => this.#datasetAt(instant) })
    return this.#scenarios
  }

  /** The session's scenarios; undefined if they have not been used. */
  get knownScenarios(): Scenarios | undefined {
    return this.#scenarios
  }

  /** Returns the data at an instant, without the session's changes. */
  #datasetAt(instant: string): Dataset {
    const { dataset, moments } = this.#shared
    return this.future === 'still' ? dataset() : (moments()?.at(instant) ?? dataset())
  }

  /** The session's request journal; created on first use. */
  get requests(): Journal {
    this.#requests ??= new Journal(this)
    return this.#requests
  }

  /** Counts an entry that the journal drops; undefined if entries are not counted. */
  get onEntryDropped(): ((entry: Entry) => void) | undefined {
    const count = this.#shared.countDropped()
    return count && ((entry) => count(entry, this.data))
  }

  /** The session's own memory, without shared data. Units: bytes, estimated. */
  get bytes(): number {
    const played = (this.#faults?.bytes ?? 0) + (this.#scenarios?.bytes ?? 0)
    const own = this.data.bytes + played + (this.#requests?.bytes ?? 0)
    const hasOverrides = this.#settings !== this.#shared.contract.settings
    return own + (hasOverrides ? 2 * getSettingsKey(this.#settings).length : 0)
  }

  /** Releases the bodies in the journal. */
  dropBodies(): void {
    this.#requests?.dropBodies()
  }

  /** Shortens the journal to its last few entries. */
  shortenJournal(): void {
    this.#requests?.shorten()
  }

  /** Drops changes, clock, faults and journal; restores the assumptions that the session was opened with. */
  reset(): void {
    this.data.reset()
    this.#settings = this.#firstSettings
    this.clock.restore(undefined)
    this.tick = undefined
    // Restored rather than replaced, because callers may hold the faults.
    this.#faults?.restore(undefined)
    this.#scenarios?.restore(undefined)
    this.#requests?.reset()
  }

  /** Marks the session as dropped, so that requests in flight do not write to it. */
  drop(): void {
    this.#isDropped = true
    this.#faults?.gates.close('the session was dropped')
  }

  /** Ends the subscriptions to the session's journal, and the waits for held requests. */
  close(): void {
    this.#requests?.close()
    this.#faults?.gates.close('the session has ended')
  }

  /** @throws SandboxError `not_found` if the session has been dropped */
  throwIfDropped(): void {
    if (!this.#isDropped) return
    throw new SandboxError('not_found', `Session ${this.id} has been dropped. Open a new one.`)
  }

  /** Takes a snapshot of the session, without its journal, in constant time. */
  snapshot(): SessionSnapshot {
    return {
      data: this.data.snapshot(),
      clock: this.clock.state,
      faults: this.#faults?.snapshot(),
      scenarios: this.#scenarios?.snapshot(),
      settings: this.#settings,
      future: this.#future,
      tick: this.tick,
    }
  }

  /** Restores a snapshot in constant time. */
  restore({ data, clock, faults, scenarios, settings, future, tick }: SessionSnapshot): void {
    this.#future = future
    this.tick = tick
    this.data.restore(data)
    this.#settings = settings
    this.clock.restore(clock)
    if (faults || this.#faults) this.faults.restore(faults)
    if (scenarios || this.#scenarios) this.scenarios.restore(scenarios)
  }
}
