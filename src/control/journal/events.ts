/** An entry that waits, is complete, or has changed since; 0 stands for a journal that was emptied. */
export type EventId = number

/** The event of an emptied journal. */
export const EMPTIED: EventId = 0

/** How many events are remembered for readers that come back. */
const REMEMBERED = 2_000

/** What happened after a moment, and where that leads. */
export interface Events {
  /** Order: as they happened. */
  readonly ids: readonly EventId[]
  /** How many were forgotten before these. */
  readonly missed: number
  /** The number of the last one. */
  readonly cursor: number
}

/** What happens to a journal, numbered from 1 on: readers keep a number, not a buffer. */
export class EventLog {
  #ids: EventId[] = []
  #last = 0
  readonly #listeners = new Set<(id: EventId) => void>()

  /** The number of the last event. */
  get last(): number {
    return this.#last
  }

  push(id: EventId): void {
    this.#last += 1
    this.#ids.push(id)
    if (this.#ids.length > REMEMBERED * 2) this.#ids = this.#ids.slice(-REMEMBERED)
    for (const listener of this.#listeners) listener(id)
  }

  /** The events after a number, `max` at most. A number that never was counts as the beginning. */
  after(cursor: number, max: number): Events {
    const known = cursor > this.#last ? 0 : cursor
    const first = Math.max(known, this.#last - this.#ids.length)
    const start = first - (this.#last - this.#ids.length)
    const ids = this.#ids.slice(start, start + max)
    return { ids, missed: first - known, cursor: first + ids.length }
  }

  /** Calls a function at each event, until the function that it gives is called. */
  listen(listener: (id: EventId) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
