import { effect, signal } from '@preact/signals'
import { EventSourceParserStream } from 'eventsource-parser/stream'

import type { Overview } from '../control/routes/dataset.ts'
import type { RequestSummary } from '../testing/journal/view.ts'
import { RequestError, adminToken, isLocked, read, revision, send } from './calls.ts'
import { prepare, routes } from './client.ts'
import { session } from './place.ts'

export const MAX_REQUESTS = 1_000

/** The interval at which new requests are shown. Units: milliseconds. */
const PUBLISH_MS = 100

const RETRY_MS = 500

/** The interval at which warnings are read. */
const REVIEW_MS = 500

/** The requests of the session. Order: by id ascending. */
export const requests = signal<readonly RequestSummary[]>([])

/**
 * The connection to the journal: `lost` if the sandbox does not respond, `gone` if it does not have the page's session.
 */
export const connection = signal<'connecting' | 'live' | 'lost' | 'gone'>('connecting')

export function followJournal(): void {
  effect(() => {
    void [session.value, adminToken.value]
    const controller = new AbortController()
    void follow(controller.signal)
    return () => controller.abort()
  })
}

async function follow(until: AbortSignal): Promise<void> {
  show([])
  connection.value = 'connecting'
  if (isLocked.peek()) return
  for (let isFirst = true; !until.aborted; isFirst = false) {
    let isDown = false
    try {
      await followOnce(until, isFirst)
    } catch (error) {
      if (until.aborted) return
      if (!(error instanceof TypeError || error instanceof RequestError)) throw error
      const status = error instanceof RequestError ? error.status : 0
      isDown = status === 0
      if (status === 404) {
        connection.value = 'gone'
        return
      }
    }
    if (until.aborted) return
    // A connection that has just ended may only have been interrupted.
    connection.value = isDown && connection.peek() !== 'live' ? 'lost' : 'connecting'
    if (isLocked.peek()) return
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** Follows the journal until the connection ends or events were missed. */
async function followOnce(until: AbortSignal, isFirst: boolean): Promise<void> {
  const { body } = await send(prepare('get', routes.requests.stream, { header: {} }), until)
  if (!body) return
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  // A review that fails is made again with the next request.
  const reviewSoon = createTimer(() => void review(until).catch(() => undefined), REVIEW_MS)
  try {
    show((await read(prepare('get', routes.requests, { query: { bodies: 'false' } }), until)).items)
    if (!isFirst) revision.value += 1
    connection.value = 'live'
    for (;;) {
      const { done, value } = await events.read()
      // Reads everything again after missed events.
      if (done || until.aborted || value.event === 'gap') return
      // The journal was cleared, or the session or dataset reset.
      if (value.event === 'clear') {
        show([])
        revision.value += 1
      }
      if (value.event === 'request') {
        arrived.push(JSON.parse(value.data))
        showSoon()
        reviewSoon()
      }
    }
  } finally {
    // An unread connection would stay open, and browsers allow only six.
    await events.cancel().catch(() => undefined)
  }
}

/** The requests that have arrived, or have changed, since others were last shown. */
const arrived: RequestSummary[] = []

function show(all: readonly RequestSummary[]): void {
  arrived.length = 0
  requests.value = all
}

function showArrived(): void {
  // Requests arrive by id ascending, and keep their places when they change.
  const byId = new Map([...requests.peek(), ...arrived].map((one) => [one.id, one]))
  show([...byId.values()].slice(-MAX_REQUESTS))
}

// Not in a frame, which would have to be laid out and painted in the same task.
const showSoon = createTimer(showArrived, PUBLISH_MS)

/** Reads the warnings that follow from several requests, which their stream does not have. */
async function review(until: AbortSignal): Promise<void> {
  const { items } = await read(prepare('get', routes.requests.warnings), until)
  showArrived()
  const find = (id: number) => items.filter(({ requestIds }) => requestIds.includes(id))
  requests.value = requests.peek().map((one) => ({ ...one, warnings: find(one.id) }))
}

/** Creates a function that runs another one a little later, once for all calls until then. Units: milliseconds. */
function createTimer(run: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      run()
    }, ms)
  }
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
  const noticeSoon = createTimer(() => {
    journalRevision.value += 1
    void notice()
  }, SETTLE_MS)
  effect(() => {
    void [revision.value]
    if (overview.peek()?.session !== (session.value ?? 'default')) overview.value = undefined
    // A change may lead to another session, so this waits until that is done.
    if (connection.value === 'live' && !isNew) setTimeout(() => void look())
  })
  effect(() => {
    void [requests.value]
    noticeSoon()
  })
  setInterval(() => void notice(), POLL_MS)
}

async function look(): Promise<void> {
  const id = session.peek()
  try {
    const found = await read(prepare('get', routes.overview))
    if (session.peek() === id) overview.value = found
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
  }
}

async function notice(): Promise<void> {
  if (connection.peek() !== 'live' || document.hidden) return
  const before = overview.peek()
  await look()
  const after = overview.peek()
  if (!before || !after || identify(before) === identify(after)) return
  // The views read after this overview, so a later one would hide what they have missed.
  isNew = true
  revision.value += 1
  isNew = false
}

/** Identifies a state of a session, in which requests may have used up faults. */
const identify = ({ revision: number, faults, session: id, seed, size, fixture }: Overview): string =>
  JSON.stringify([number, faults, id, seed, size, fixture])
