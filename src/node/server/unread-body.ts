import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { startTimer } from '../../core/system-clock.ts'
import { MAX_UNREAD, readAnnouncedLength } from '../../http/read-body.ts'

/** The time that a response waits for the rest of the request. Units: milliseconds. */
const WAIT_MS = 200

/** How much of a body of unknown length, which may be endless, is read in vain. Units: bytes. */
const MAX_CHUNKED = 1_048_576

/** The time that a client has to read the last response before its connection is closed. */
const LINGER_MS = 500

/**
 * Reads what nobody has read of a body before the response is sent, so that the connection can be kept. The response closes
 * the connection if the body is too long or too slow.
 */
export async function readRest(
  request: Request,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const timer = startTimer(WAIT_MS)
  const reading = readUpTo(chooseLimit(request, incoming), request, incoming).catch(() => false)
  const isRead = await Promise.race([reading, timer.over])
  timer.stop()
  if (isRead === true) return
  outgoing.setHeader('connection', 'close')
  const { socket } = incoming
  // To destroy it while the client is still sending would discard the response.
  socket.destroySoon = () => {
    socket.end()
    void reading.then(() => hangUp(socket))
  }
}

function chooseLimit({ headers }: Request, incoming: IncomingMessage): number {
  // To read is to ask for it with `100 Continue`.
  if (headers.has('expect') && !incoming.readableDidRead) return 0
  const announced = readAnnouncedLength(headers)
  return announced === undefined ? MAX_CHUNKED : announced > MAX_UNREAD ? 0 : MAX_UNREAD
}

async function readUpTo(limit: number, request: Request, incoming: IncomingMessage): Promise<boolean> {
  // Asking for the stream begins to read it.
  const body = limit === 0 ? null : request.body
  if (body?.locked) {
    // Somebody is reading it.
    await once(incoming, 'end')
    return true
  }
  const parts = body?.values({ preventCancel: true }) ?? incoming.iterator({ destroyOnReturn: false })
  for (let left = limit; left > 0;) {
    const { done, value } = await parts.next()
    if (done) return true
    left -= value.length
  }
  // Node and @hono/node-server would go on to read.
  incoming.on('resume', () => incoming.pause())
  return false
}

/** Closes a connection after its last bytes, which the client has a moment to read. */
export function hangUp(socket: Duplex, bytes?: string): void {
  socket.end(bytes)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
