import { effect, signal } from '@preact/signals'

import type { Overview } from '../../control/routes/overview.ts'
import { RequestError, read, revision } from '../calls.ts'
import { prepare, routes } from '../client.ts'
import { connection, requests } from '../live.ts'
import { session } from '../place.ts'

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

/** Reloads the views if someone else has changed the session. */
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
