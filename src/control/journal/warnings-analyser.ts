import type { Entry } from './entry.ts'
import { SingleReads, UnreadPages } from './warnings-lists.ts'
import { HastyRetries, Repeats, type Surroundings } from './warnings-repeats.ts'
import type { Warning } from './warnings.ts'

/** Looks at each request of a session as a careful reviewer would. What it remembers is bounded. */
export class Analyser {
  readonly #repeats: Repeats
  readonly #retries: HastyRetries
  readonly #singleReads = new SingleReads()
  readonly #unread = new UnreadPages()

  constructor(around: Surroundings) {
    this.#repeats = new Repeats(around)
    this.#retries = new HastyRetries(around)
  }

  /** Adds to a request what is known before it is answered: these warnings fit into its answer's header. */
  opened(entry: Entry): void {
    this.#retries.opened(entry)
    this.#repeats.opened(entry)
    this.#singleReads.opened(entry)
  }

  /** Takes an answer into account; gives the earlier entries whose warnings have changed. */
  completed(entry: Entry, nowMs: number): Entry[] {
    this.#retries.completed(entry, nowMs)
    this.#repeats.completed(entry, nowMs)
    this.#singleReads.completed(entry, nowMs)
    return this.#unread.completed(entry)
  }

  /** Lists of which something is unread now; this is known only when the client is done. */
  unreadPages(): Warning[] {
    return this.#unread.warnings()
  }
}
