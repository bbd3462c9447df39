import { effect, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'

import type { RequestSummary } from '../control/journal/view.ts'
import { adminToken, headersOf, isLocked, read, Refusal, revision } from './calls.ts'
import { session } from './place.ts'

/** How many requests are kept, as in the sandbox. */
const KEPT = 1_000

/** How long what comes is gathered before it is shown. Units: milliseconds. */
const GATHERED_MS = 50

/** How long to wait before connecting again. Units: milliseconds. */
const RETRY_MS = 1_000

/** The requests of the session. Order: by id ascending. */
export const requests = signal<readonly RequestSummary[]>([])

/** Whether new requests arrive by themselves. */
export const isLive = signal(false)

/** Follows the journal of the page's session from now on, and of whichever it turns to. */
export function followJournal(): void {
  effect(() => {
    const over = new AbortController()
    void follow(session.value, adminToken.value, over.signal)
    return () => over.abort()
  })
}

async function follow(id: string | undefined, token: string, until: AbortSignal): Promise<void> {
  requests.value = []
  isLive.value = false
  while (!until.aborted) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one connection after the other
      await followOnce(headersOf(id, token), until)
    } catch (error) {
      const isLost = error instanceof TypeError || error instanceof Refusal
      if (!isLost && !until.aborted) throw error
    }
    // Who follows another session by now says by himself whether that is live.
    if (until.aborted) return
    isLive.value = false
    if (isLocked.peek()) return
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function followOnce(headers: Record<string, string>, until: AbortSignal): Promise<void> {
  const response = await fetch('/_sandbox/requests/stream', { headers, signal: until })
  if (response.status === 401) isLocked.value = true
  if (!response.ok || !response.body) return
  const known = new Known(until)
  const page = await read<{ items: RequestSummary[] }>('/_sandbox/requests?bodies=false', until)
  known.put(page.items)
  isLive.value = true
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- events come one after the other
    const { done, value } = await events.read()
    if (done) return
    if (value.event === 'clear') known.clear()
    if (value.event === 'request') known.add(JSON.parse(value.data))
    // What was missed is to be read, as at the beginning.
    if (value.event === 'gap') return
  }
}

/** The requests that are known, shown a few times a second however fast they come. */
class Known {
  readonly #byId = new Map<number, RequestSummary>()
  readonly #until: AbortSignal
  #isGathering = false
  #hasWritten = false

  constructor(until: AbortSignal) {
    this.#until = until
  }

  put(entries: readonly RequestSummary[]): void {
    for (const entry of entries) this.#byId.set(entry.id, entry)
    this.#later()
  }

  /** One that came just now, or has changed since. */
  add(entry: RequestSummary): void {
    const isAnswered = (this.#byId.get(entry.id)?.status ?? 'pending') !== 'pending'
    if (entry.method === 'POST' && !isAnswered) this.#hasWritten = true
    this.put([entry])
  }

  clear(): void {
    this.#byId.clear()
    this.#later()
  }

  #later(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    setTimeout(() => this.#publish(), GATHERED_MS)
  }

  #publish(): void {
    this.#isGathering = false
    if (this.#until.aborted) return
    const entries = Array.from(this.#byId.values()).toSorted((a, b) => a.id - b.id)
    for (const { id } of entries.splice(0, entries.length - KEPT)) this.#byId.delete(id)
    requests.value = entries
    if (this.#hasWritten) revision.value += 1
    this.#hasWritten = false
  }
}
