import type { Context } from 'hono'

import { letOthersRun, startTimer } from '../core/system-clock.ts'
import { MAX_RECORDED } from '../testing/journal/view.ts'
import type { Env } from './env.ts'
import { MAX_UNREAD, readAnnouncedLength, readStart, receive, serviceBody } from './read-json.ts'

/** The time that a refusal waits for a body. Units: milliseconds. */
const WAIT_MS = 100

/**
 * Receives as much of a body as the journal shows, if nobody has read it. Not if it is slow, or the client waits to be asked
 * for it. Returns no promise if there is nothing to wait for.
 */
export function receiveUnread(c: Context<Env>): Promise<void> | undefined {
  const { method } = c.req
  if (method === 'GET' || method === 'HEAD' || c.get('requestBody')) return undefined
  return c.req.header('expect') === undefined ? receiveInTime(c) : undefined
}

async function receiveInTime(c: Context<Env>): Promise<void> {
  const timer = startTimer(WAIT_MS)
  // A busy process may see the timer before what it has received already.
  const late = timer.over.then(() => letOthersRun())
  await Promise.race([receiveRecorded(c).catch(() => undefined), late])
  timer.stop()
}

async function receiveRecorded(c: Context<Env>): Promise<void> {
  const announced = readAnnouncedLength(c.req.raw.headers) ?? 0
  if (announced <= serviceBody.maxBytes) await receive(c, serviceBody.maxBytes)
  else if (announced <= MAX_UNREAD) c.set('requestBody', await readStart(c.req.raw, MAX_RECORDED))
}
