import type { Journal } from './journal.ts'
import { toSummary } from './view.ts'

/** The interval of heartbeats in a silent stream. Units: milliseconds. */
const HEARTBEAT_MS = 15_000

const BATCH = 100

/**
 * Streams a journal as server-sent events: `request` is a request that was answered or is delayed by a fault; `clear` means
 * that the journal was cleared; `gap` is the number of events that the client has missed.
 * The stream keeps a cursor but no buffer, so a client that stalls misses events.
 * @param over ends the stream, and is aborted when the client ends it
 * @param after the number of the last event that the client has seen; by default, of all so far
 */
export function createEventStream(
  journal: Journal,
  over: AbortController,
  after = journal.lastEvent,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const isOver = (): boolean => over.signal.aborted || journal.isClosed
  let cursor = after
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode('retry: 1000\n: the journal, live\n\n')),
      async pull(controller) {
        if (cursor === journal.lastEvent && !isOver()) await nextEvent(journal, over.signal)
        if (isOver()) {
          controller.close()
          return over.abort()
        }
        const events = journal.readEvents(cursor, BATCH)
        const text = cursor === journal.lastEvent ? ': alive\n\n' : renderEvents(journal, events)
        cursor = events.cursor
        controller.enqueue(encoder.encode(text))
      },
      cancel: () => over.abort(),
    },
    { highWaterMark: 0 },
  )
}

function nextEvent(journal: Journal, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      unlisten()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const unlisten = journal.listen(wake)
    const timer = setTimeout(wake, HEARTBEAT_MS)
    signal.addEventListener('abort', wake)
    // An open stream must not keep the process alive. In browsers, timers are numbers.
    if (typeof timer === 'object') timer.unref()
  })
}

type Events = ReturnType<Journal['readEvents']>

function renderEvents(journal: Journal, { events, missed, cursor }: Events): string {
  let gap = missed
  let text = ''
  for (const [index, event] of events.entries()) {
    const number = cursor - events.length + index + 1
    const entry = event === 'cleared' ? undefined : journal.get(event)
    if (event === 'cleared') text += renderEvent('clear', number, {})
    else if (entry) text += renderEvent('request', number, toSummary(entry, journal.session))
    else gap += 1
  }
  return (gap > 0 ? renderEvent('gap', cursor - events.length, { missed: gap }) : '') + text
}

const renderEvent = (name: string, number: number, data: object): string =>
  `event: ${name}\nid: ${number}\ndata: ${JSON.stringify(data)}\n\n`
