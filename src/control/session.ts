import type { Dataset } from '../store/dataset.ts'
import { type DataSnapshot, SessionData } from '../store/session-data.ts'
import type { Change } from '../store/storage.ts'
import { type ClockState, SessionClock } from './clock.ts'

/** What a session was at a moment. */
export interface SessionSnapshot {
  readonly data: DataSnapshot
  readonly clock: ClockState
}

/** An isolated set of changes over the shared dataset, with a clock of its own. */
export class Session {
  /** Undefined for the default session. */
  readonly id: string | undefined
  /** What people call it. */
  name: string | undefined
  readonly data: SessionData
  readonly clock: SessionClock

  /** @param keep makes changes durable; only the default session's are kept. */
  constructor(
    id: string | undefined,
    dataset: () => Dataset,
    keep?: (changes: readonly Change[]) => Promise<void>,
  ) {
    this.id = id
    this.data = new SessionData(dataset, keep)
    this.clock = new SessionClock(() => dataset().key)
  }

  /** An estimate of what the session holds. Units: bytes. */
  get bytes(): number {
    return this.data.bytes
  }

  /** Drops changes and clock. Gives a function that undoes it, should the storage refuse. */
  reset(): () => void {
    const clock = this.clock.state
    const undo = this.data.reset()
    this.clock.restore(undefined)
    return () => {
      undo()
      this.clock.restore(clock)
    }
  }

  /** What the session is now; in constant time. */
  snapshot(): SessionSnapshot {
    return { data: this.data.snapshot(), clock: this.clock.state }
  }

  /** Back to a snapshot; in constant time. */
  restore({ data, clock }: SessionSnapshot): void {
    this.data.restore(data)
    this.clock.restore(clock)
  }
}
