import { effect, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'

import type { RequestSummary } from '../control/journal/view.ts'
import { adminToken, change, headersOf, isLocked, read, Refusal, revision } from './calls.ts'
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

/** The session that the sandbox no longer has, if that is the page's; undefined while it has it. */
export const goneSession = signal<string | undefined>(undefined)

/** Follows the journal of the page's session from now on, and of whichever it turns to. */
export function followJournal(): void {
  effect(() => {
    const over = new AbortController()
    if (session.value !== undefined && session.value === goneSession.value) {
      requests.value = []
      isLive.value = false
      return undefined
    }
    void follow(session.value, adminToken.value, over.signal)
    return () => over.abort()
  })
}

/** Opens the session that is gone again, as empty as any new one. Errors: Refusal. */
export async function reopenSession(id: string): Promise<void> {
  await change({ method: 'POST', path: '/_sandbox/sessions', body: { id }, isOfNoSession: true })
  goneSession.value = undefined
}

async function follow(id: string | undefined, token: string, until: AbortSignal): Promise<void> {
  requests.value = []
  isLive.value = false
  for (let isFirst = true; !until.aborted; isFirst = false) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one connection after the other
      const status = await followOnce(headersOf(id, token), until, isFirst)
      if (status === 404 && !until.aborted) goneSession.value = id
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

/** Follows the journal over one connection, and gives its status. A connection after the first may lead to other data. */
async function followOnce(
  headers: Record<string, string>,
  until: AbortSignal,
  isFirst: boolean,
): Promise<number> {
  const response = await fetch('/_sandbox/requests/stream', { headers, signal: until })
  const { status, body } = response
  if (status === 401) isLocked.value = true
  if (!response.ok || !body) return status
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  try {
    const known = new Known(until)
    const page = await read<{ items: RequestSummary[] }>('/_sandbox/requests?bodies=false', until)
    known.put(page.items)
    if (!isFirst) revision.value += 1
    isLive.value = true
    await take(events, known)
    return status
  } finally {
    // A connection that nobody reads would stay open: browsers have six of them.
    await events.cancel().catch(() => undefined)
  }
}

/** Takes over what happens until the connection ends, or something was missed. */
async function take(
  events: ReadableStreamDefaultReader<{ readonly event?: string | undefined; readonly data: string }>,
  known: Known,
): Promise<void> {
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

  /** The journal was emptied: by itself, or because the session or the whole dataset was reset. */
  clear(): void {
    this.#byId.clear()
    revision.value += 1
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
