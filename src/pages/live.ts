import { effect, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'

import type { Overview } from '../control/routes/overview.ts'
import type { RequestSummary } from '../testing/journal/view.ts'
import { RequestError, adminToken, createHeaders, isLocked, read, revision } from './calls.ts'
import { prepare, routes } from './client.ts'
import { session } from './place.ts'

export const MAX_REQUESTS = 1_000

/** The interval at which new requests are shown. Units: milliseconds. */
const PUBLISH_MS = 100

const RETRY_MS = 500

/** The interval at which warnings are read, which the stream of requests does not have. */
const REVIEW_MS = 500

/** The requests of the session. Order: by id ascending. */
export const requests = signal<readonly RequestSummary[]>([])

/**
 * The connection to the journal: `lost` if the sandbox does not respond, `gone` if it does not have the page's session.
 */
export type Connection = 'connecting' | 'live' | 'lost' | 'gone'
export const connection = signal<Connection>('connecting')

export function followJournal(): void {
  effect(() => {
    const controller = new AbortController()
    void follow(session.value, adminToken.value, controller.signal)
    return () => controller.abort()
  })
}

async function follow(id: string | undefined, token: string, until: AbortSignal): Promise<void> {
  requests.value = []
  connection.value = 'connecting'
  if (isLocked.peek()) return
  for (let isFirst = true; !until.aborted; isFirst = false) {
    let isDown = false
    try {
      const status = await followOnce(createHeaders(id, token), until, isFirst)
      if (until.aborted) return
      if (status === 404) {
        connection.value = 'gone'
        return
      }
    } catch (error) {
      if (until.aborted) return
      if (!(error instanceof TypeError || error instanceof RequestError)) throw error
      isDown = error instanceof TypeError || error.status === 0
    }
    // A connection that has just ended may only have been interrupted.
    connection.value = isDown && connection.peek() !== 'live' ? 'lost' : 'connecting'
    if (isLocked.peek()) return
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** Follows the journal until the connection ends or events were missed. Returns the status of the response. */
async function followOnce(
  headers: Record<string, string>,
  until: AbortSignal,
  isFirst: boolean,
): Promise<number> {
  const response = await fetch(routes.requests.stream.$url(), { headers, signal: until })
  const { status, body } = response
  if (status === 401) isLocked.value = true
  if (!response.ok || !body) return status
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  try {
    const buffer = createBuffer(until)
    const page = await read(prepare('get', routes.requests, { query: { bodies: 'false' } }), until)
    buffer.put(...page.items)
    buffer.publish()
    if (!isFirst) revision.value += 1
    connection.value = 'live'
    for (;;) {
      const { done, value } = await events.read()
      // Reads everything again after missed events.
      if (done || value.event === 'gap') return status
      if (value.event === 'clear') buffer.clear()
      if (value.event === 'request') buffer.receive(JSON.parse(value.data))
    }
  } finally {
    // An unread connection would stay open, and browsers allow only six.
    await events.cancel().catch(() => undefined)
  }
}

function createBuffer(until: AbortSignal) {
  // Requests arrive by id ascending, and keep their places when they change.
  const byId = new Map<number, RequestSummary>()
  let isScheduled = false
  let isReviewing = false
  const publish = (): void => {
    isScheduled = false
    if (until.aborted) return
    for (const id of byId.keys()) {
      if (byId.size <= MAX_REQUESTS) break
      byId.delete(id)
    }
    requests.value = [...byId.values()]
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    // Not in a frame, which would have to be laid out and painted in the same task.
    setTimeout(publish, PUBLISH_MS)
  }
  const put = (...entries: readonly RequestSummary[]): void => {
    for (const entry of entries) byId.set(entry.id, entry)
    schedule()
  }
  const review = async (): Promise<void> => {
    isReviewing = false
    if (until.aborted) return
    const { items } = await read(prepare('get', routes.requests.warnings), until)
    for (const [id, entry] of byId) {
      byId.set(id, { ...entry, warnings: items.filter(({ requestIds }) => requestIds.includes(id)) })
    }
    schedule()
  }
  /** Puts a request of the stream, and reads the warnings that follow from it and others a little later. */
  const receive = (entry: RequestSummary): void => {
    put(entry)
    if (isReviewing) return
    isReviewing = true
    // They are read again with the next request.
    setTimeout(() => void review().catch(() => undefined), REVIEW_MS)
  }
  /** Clears the requests after the journal was cleared, or the session or dataset reset. */
  const clear = (): void => {
    byId.clear()
    revision.value += 1
    schedule()
  }
  return { put, receive, clear, publish }
}

/** The interval at which changes by others are noticed. Units: milliseconds. */
const POLL_MS = 2_000

/** The shortest delay after a request, which may have used up a fault. Units: milliseconds. */
const SETTLE_MS = 300

/** The differences of the page's session from the start; undefined until it is loaded. */
export const overview = signal<Overview | undefined>()

/** Increases soon after requests arrived or finished, for what depends on them. */
export const journalRevision = signal(0)

/** Whether the views are being reloaded because of a new overview. */
let isNew = false

export function watchOverview(): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    void [revision.value]
    if (overview.peek()?.session !== (session.value ?? 'default')) overview.value = undefined
    // A change may lead to another session, so this waits until that is done.
    if (connection.value === 'live' && !isNew) setTimeout(() => void look())
  })
  effect(() => {
    void [requests.value]
    timer ??= setTimeout(() => {
      timer = undefined
      journalRevision.value += 1
      void notice()
    }, SETTLE_MS)
  })
  setInterval(() => void notice(), POLL_MS)
}

async function look(): Promise<Overview | undefined> {
  const id = session.peek()
  try {
    const found = await read(prepare('get', routes.overview))
    if (session.peek() !== id) return undefined
    overview.value = found
    return found
  } catch (error) {
    if (error instanceof RequestError) return undefined
    throw error
  }
}

async function notice(): Promise<void> {
  if (connection.peek() !== 'live' || document.hidden) return
  const before = overview.peek()
  const after = await look()
  if (!before || !after || identify(before) === identify(after)) return
  // The views read after this overview, so a later one would hide what they have missed.
  isNew = true
  revision.value += 1
  isNew = false
}

/** Identifies a state of a session, in which requests may have used up faults. */
const identify = ({ revision: number, faults, session: id, seed, size, fixture }: Overview): string =>
  JSON.stringify([number, faults, id, seed, size, fixture])
