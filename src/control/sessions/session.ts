import type { Dataset } from '../../store/dataset.ts'
import { type DataSnapshot, SessionData } from '../../store/session-data.ts'
import type { Change } from '../../store/storage.ts'
import { type ClockState, SessionClock } from '../clock.ts'
import { Faults, type FaultsSnapshot } from '../faults/faults.ts'
import { Journal } from '../journal/journal.ts'

/** What every session of a sandbox shares. */
export interface Shared {
  /** The dataset at the moment. */
  readonly dataset: () => Dataset
  /** A number from 0 up to 1 that follows from the dataset's seed and a key. */
  readonly draw: (key: string) => number
}

/** What a session was at a moment. */
export interface SessionSnapshot {
  readonly data: DataSnapshot
  readonly clock: ClockState
  readonly faults: FaultsSnapshot | undefined
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

  /** @param keep makes changes durable; only the default session's are kept. */
  constructor(id: string | undefined, shared: Shared, keep?: (changes: readonly Change[]) => Promise<void>) {
    this.id = id
    this.#shared = shared
    this.data = new SessionData(shared.dataset, keep)
    this.clock = new SessionClock(() => shared.dataset().key)
  }

  /** The session's faults; made when first asked for. */
  get faults(): Faults {
    this.#faults ??= new Faults(this.#shared.draw)
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

  /** An estimate of what the session holds. Units: bytes. */
  get bytes(): number {
    return this.data.bytes + (this.#faults?.bytes ?? 0) + (this.#requests?.bytes ?? 0)
  }

  /** Back to the first moment. Gives a function that undoes it, should the storage refuse. */
  reset(): () => void {
    const { clock, faults } = this.snapshot()
    const undo = this.data.reset()
    this.clock.restore(undefined)
    // Whoever has the faults in hand goes on with them.
    this.#faults?.restore(undefined)
    this.#requests?.reset()
    return () => {
      undo()
      this.clock.restore(clock)
      if (faults) this.faults.restore(faults)
    }
  }

  /** Ends what watches the session, which is gone. */
  close(): void {
    this.#requests?.close()
  }

  /** What the session is now; in constant time. */
  snapshot(): SessionSnapshot {
    return { data: this.data.snapshot(), clock: this.clock.state, faults: this.#faults?.snapshot() }
  }

  /** Back to a snapshot; in constant time. */
  restore({ data, clock, faults }: SessionSnapshot): void {
    this.data.restore(data)
    this.clock.restore(clock)
    if (faults || this.#faults) this.faults.restore(faults)
  }
}
