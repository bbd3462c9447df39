import type { Settings } from '../../contract/choices.ts'
import { SandboxError } from '../../contract/errors.ts'
import { type PartialSettings, withSettings } from '../../contract/settings.ts'
import { type Contract, contractUnder, settingsKey } from '../../resources/contract.ts'
import type { Dataset } from '../../store/dataset.ts'
import { type DataSnapshot, SessionData } from '../../store/session-data.ts'
import type { Change } from '../../store/storage.ts'
import type { Write } from '../../store/write-queue.ts'
import { type ClockState, SessionClock } from '../clock.ts'
import { Faults, type FaultsSnapshot } from '../faults/faults.ts'
import type { AssumptionTally } from '../journal/assumptions-report.ts'
import type { Entry } from '../journal/entry.ts'
import { Journal } from '../journal/journal.ts'

/** What every session of a sandbox shares. */
export interface Shared {
  /** The dataset at the moment. */
  readonly dataset: () => Dataset
  /** A number from 0 up to 1 that follows from the dataset's seed and a key. */
  readonly draw: (key: string) => number
  /** The contract of a session that sets nothing. */
  readonly contract: Contract
  /** Counts what requests rest on, where somebody asked for it. */
  readonly tally: () => AssumptionTally | undefined
}

/** What a session was at a moment. */
export interface SessionSnapshot {
  readonly data: DataSnapshot
  readonly clock: ClockState
  readonly faults: FaultsSnapshot | undefined
  readonly settings: Settings
}

/** An isolated set of changes over the shared dataset, with clock, faults and journal of its own. */
export class Session {
  /** Undefined for the default session. */
  readonly id: string | undefined
  /** What people call it. */
  name: string | undefined
  readonly data: SessionData
  readonly clock: SessionClock
  readonly #shared: Shared
  #faults: Faults | undefined
  #requests: Journal | undefined
  /** The settings that it was opened with. */
  #firstSettings: Settings
  #settings: Settings
  #isDropped = false

  /** @param keep makes changes durable; only the default session's are kept. */
  constructor(id: string | undefined, shared: Shared, keep?: (write: Write<Change>) => Promise<void>) {
    this.id = id
    this.#shared = shared
    this.data = new SessionData(shared.dataset, keep)
    this.clock = new SessionClock(() => shared.dataset().key)
    this.#firstSettings = shared.contract.settings
    this.#settings = shared.contract.settings
  }

  /** How it decides what the document leaves open. */
  get settings(): Settings {
    return this.#settings
  }

  /** The contract under its settings. */
  get contract(): Contract {
    const { contract } = this.#shared
    return this.#settings === contract.settings ? contract : contractUnder(this.#settings)
  }

  /** Decides some assumptions otherwise, until it is reset. */
  assume(settings: PartialSettings): void {
    if (Object.keys(settings).length === 0) return
    const { contract } = this.#shared
    const changed = withSettings(this.#settings, settings)
    this.#settings = settingsKey(changed) === settingsKey(contract.settings) ? contract.settings : changed
  }

  /** Takes what it decides now for what it was opened with: a reset goes back to it. */
  keepAssumptions(): void {
    this.#firstSettings = this.#settings
  }

  /** The session's faults; made when first asked for. */
  get faults(): Faults {
    const { draw } = this.#shared
    // Sessions differ in when a fault acts by chance.
    this.#faults ??= new Faults((key) => draw(`${this.id ?? 'default'} ${key}`))
    return this.#faults
  }

  /** The session's faults; undefined where nobody ever asked for them. */
  get knownFaults(): Faults | undefined {
    return this.#faults
  }

  /** The requests that the session has answered; made when first asked for. */
  get requests(): Journal {
    this.#requests ??= new Journal(this)
    return this.#requests
  }

  /** Counts an entry that the journal lets go of, where somebody asked for it. */
  get letGo(): ((entry: Entry) => void) | undefined {
    const tally = this.#shared.tally()
    return tally && ((entry) => tally.add(entry, this.data))
  }

  /** The memory that the session takes for itself. Units: bytes, estimated. */
  get bytes(): number {
    const own = this.data.bytes + (this.#faults?.bytes ?? 0) + (this.#requests?.bytes ?? 0)
    const isOwn = this.#settings !== this.#shared.contract.settings
    return own + (isOwn ? 2 * settingsKey(this.#settings).length : 0)
  }

  /** Releases the bodies in its journal. */
  dropBodies(): void {
    this.#requests?.dropBodies()
  }

  /** Shortens its journal to the last few entries. */
  shortenJournal(): void {
    this.#requests?.shorten()
  }

  /** Back to the first moment. */
  reset(): void {
    this.data.reset()
    this.#settings = this.#firstSettings
    this.clock.restore(undefined)
    // Whoever has the faults in hand goes on with them.
    this.#faults?.restore(undefined)
    this.#requests?.reset()
  }

  /** Marks the session as dropped: a request that began before must not write into it. */
  drop(): void {
    this.#isDropped = true
  }

  /** Errors: not_found once the session has been dropped. */
  refuseDropped(): void {
    if (!this.#isDropped) return
    throw new SandboxError('not_found', `Session ${this.id} has been dropped. Open another one.`)
  }

  /** Ends what watches the session, which is gone. */
  close(): void {
    this.#requests?.close()
  }

  /** What the session is now; in constant time. */
  snapshot(): SessionSnapshot {
    return {
      data: this.data.snapshot(),
      clock: this.clock.state,
      faults: this.#faults?.snapshot(),
      settings: this.#settings,
    }
  }

  /** Back to a snapshot; in constant time. */
  restore({ data, clock, faults, settings }: SessionSnapshot): void {
    this.data.restore(data)
    this.#settings = settings
    this.clock.restore(clock)
    if (faults || this.#faults) this.faults.restore(faults)
  }
}
