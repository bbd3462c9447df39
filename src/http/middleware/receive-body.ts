import type { Context, MiddlewareHandler, Next } from 'hono'

import { letOthersRun, startTimer } from '../../core/system-clock.ts'
import { MAX_RECORDED } from '../../testing/journal/view.ts'
import type { Env } from '../env.ts'
import { MAX_UNREAD, readAnnouncedLength, readStart, receive, serviceBody } from '../read-json.ts'

/** The time that a refusal waits for a body. Units: milliseconds. */
const WAIT_MS = 100

/**
 * Receives the body before anything may refuse the request, so that the journal has it whoever answers. The validator waits
 * for one that is slow, and asks for one that the client announces with `Expect`.
 */
export const receiveBody: MiddlewareHandler<Env> = (c, next) => {
  const { method } = c.req
  const isReceived = method !== 'GET' && method !== 'HEAD' && c.req.header('expect') === undefined
  return isReceived ? receiveInTime(c, next) : next()
}

async function receiveInTime(c: Context<Env>, next: Next): Promise<void> {
  const timer = startTimer(WAIT_MS)
  // A busy process may see the timer before what it has received already.
  const late = timer.over.then(() => letOthersRun())
  await Promise.race([receiveRecorded(c).catch(() => undefined), late])
  timer.stop()
  return next()
}

/** Receives as much as the journal may show. */
async function receiveRecorded(c: Context<Env>): Promise<void> {
  const announced = readAnnouncedLength(c.req.raw.headers) ?? 0
  if (announced <= serviceBody.maxBytes) await receive(c, serviceBody.maxBytes)
  else if (announced <= MAX_UNREAD) c.set('requestBody', await readStart(c.req.raw, MAX_RECORDED))
}
