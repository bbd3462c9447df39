/** A change of a journal: the id of an entry that is delayed, complete or changed, or that the journal was cleared. */
export type JournalEvent = number | 'cleared'

/** The number of events that are kept for subscribers that reconnect. */
const KEPT = 2_000

export interface Events {
  readonly events: readonly JournalEvent[]
  readonly missed: number
  readonly cursor: number
}

/** The events of a journal, numbered from 1 on: each subscriber has a cursor, not a buffer. */
export class EventLog {
  #events: JournalEvent[] = []
  last = 0
  readonly #listeners = new Set<(event: JournalEvent) => void>()

  push(event: JournalEvent): void {
    this.last += 1
    this.#events.push(event)
    if (this.#events.length > KEPT * 2) this.#events = this.#events.slice(-KEPT)
    for (const listener of this.#listeners) listener(event)
  }

  /** Reads up to `max` events after a cursor. A cursor beyond the last event counts as 0. */
  after(cursor: number, max: number): Events {
    const position = cursor > this.last ? 0 : cursor
    const evicted = this.last - this.#events.length
    const first = Math.max(position, evicted)
    const events = this.#events.slice(first - evicted, first - evicted + max)
    return { events, missed: first - position, cursor: first + events.length }
  }

  listen(listener: (event: JournalEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
