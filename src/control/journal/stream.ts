import { EMPTIED, type Events } from './events.ts'
import type { Journal } from './journal.ts'
import { summaryOf } from './view.ts'

/** How long a silent stream waits before it says that it is alive. Units: milliseconds. */
const HEARTBEAT_MS = 15_000

/** How many events go out in one piece. */
const BATCH = 100

/** How a stream of events starts and ends. */
export interface StreamOptions {
  /** The number of the last event that the reader has seen; undefined for one that has just come. */
  readonly after: number | undefined
  /** Ends the stream. */
  readonly signal: AbortSignal
  readonly heartbeatMs?: number
  /** Called once the stream has ended by itself, or its reader has gone. */
  readonly ended?: () => void
}

/**
 * The journal's events as server-sent events: `request` with an entry's summary when it is answered, before that when a
 * fault lets it wait, and again when its warnings change; `clear` when the journal was emptied; `gap` with how many
 * events the reader missed.
 * Nothing is kept for a reader but the number of its last event: one that stalls misses events, and is told so.
 */
export function eventStream(journal: Journal, options: StreamOptions): ReadableStream<Uint8Array> {
  const { signal, heartbeatMs = HEARTBEAT_MS, ended } = options
  const reader = new Reader(journal, options.after)
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode('retry: 1000\n: the journal, live\n\n'))
        signal.addEventListener('abort', () => reader.stop(), { once: true })
        if (signal.aborted) reader.stop()
      },
      async pull(controller) {
        const text = await reader.next(heartbeatMs)
        if (text !== undefined) return controller.enqueue(encoder.encode(text))
        controller.close()
        ended?.()
      },
      cancel: () => {
        reader.stop()
        ended?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Follows a journal: a place among its events, and nothing else. */
class Reader {
  readonly #journal: Journal
  #cursor: number
  #isStopped = false
  #wake: (() => void) | undefined

  constructor(journal: Journal, after: number | undefined) {
    this.#journal = journal
    this.#cursor = after ?? journal.events.last
  }

  /** What happened since; waits for it, or for a time, after which there is a sign of life. Undefined at the end. */
  async next(heartbeatMs: number): Promise<string | undefined> {
    if (this.#isIdle() && !this.#isOver()) await this.#event(heartbeatMs)
    if (this.#isOver()) return undefined
    if (this.#isIdle()) return ': alive\n\n'
    const events = this.#journal.events.after(this.#cursor, BATCH)
    this.#cursor = events.cursor
    return eventsText(this.#journal, events)
  }

  /** Ends it, a wait included. */
  stop(): void {
    this.#isStopped = true
    this.#wake?.()
  }

  #isIdle(): boolean {
    return this.#cursor === this.#journal.events.last
  }

  #isOver(): boolean {
    return this.#isStopped || this.#journal.isClosed
  }

  #event(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        unlisten()
        resolve()
      }
      const unlisten = this.#journal.events.listen(wake)
      const timer = setTimeout(wake, ms)
      // A stream that nobody closes shall not keep a process alive; browsers have numbers for timers.
      if (typeof timer === 'object') timer.unref()
      this.#wake = wake
    })
  }
}

function eventsText(journal: Journal, { ids, missed, cursor }: Events): string {
  let gone = missed
  let text = ''
  for (const [index, id] of ids.entries()) {
    const number = cursor - ids.length + index + 1
    const entry = id === EMPTIED ? undefined : journal.get(id)
    if (id === EMPTIED) text += eventText('clear', number, {})
    else if (entry) text += eventText('request', number, summaryOf(entry, journal.session))
    else gone += 1
  }
  return (gone > 0 ? eventText('gap', cursor - ids.length, { missed: gone }) : '') + text
}

const eventText = (name: string, number: number, data: object): string =>
  `event: ${name}\nid: ${number}\ndata: ${JSON.stringify(data)}\n\n`
