import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Answering } from './answering.ts'
import { malformed } from './malformed.ts'
import { requestListener } from './request-listener.ts'
import { createAnswerWriter } from './write-answer.ts'

/** How long a head, and a whole request, may take to arrive. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 }

/** How long an idle connection is kept open for further requests. */
const KEEP_ALIVE_MS = 30_000

/** How long what is in flight has until it is cut off. */
const GRACE_MS = 3_000

/** How often connections are looked at that have become idle since. */
const LOOK_MS = 20

/** How much of a body is still taken once its request is answered, so that the client reads the answer. Units: bytes. */
const MAX_REST = 1_048_576

/** How long a client that is to be hung up on has to read why. */
const LINGER_MS = 500

/** An HTTP server, and how it ends. */
export interface HttpServer {
  readonly server: Server
  /** Answers what is in flight, then ends; what takes longer than 3 seconds is cut off. */
  close(): Promise<void>
}

/** A server in front of what answers requests. Whatever arrives, no error leaves it as plain text. */
export function createHttpServer(app: () => Answering): HttpServer {
  const listener = requestListener(app, createAnswerWriter())
  const sockets = new Set<{ readonly bytesRead: number; destroy(): void }>()
  let isClosing = false
  const server = createServer(
    { ...timeouts, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, requireHostHeader: false },
    (request, response) => {
      if (isClosing) response.setHeader('connection', 'close')
      // Before Node sees to the rest, which it takes without end.
      response.prependOnceListener('finish', () => limitRest(request))
      void listener(request, response)
    },
  )
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => void refuse(socket))
  server.on('clientError', (_error, socket) => void refuse(socket))
  return {
    server,
    close: () => {
      isClosing = true
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      return ended(server)
    },
  }
}

function ended(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => server.closeIdleConnections(), LOOK_MS)
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearInterval(look)
      clearTimeout(cut)
      resolve()
    })
  })
}

/** Cuts a client off that goes on sending a body which nobody reads, once it had time to read the answer. */
function limitRest(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  let left = MAX_REST
  request.on('data', (part: Buffer) => {
    left -= part.length
    if (left >= 0 || request.isPaused()) return
    // To hang up on what is still coming in takes back what was said.
    request.pause()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}

/** Tells a client in HTTP that it does not speak it, or too slowly, and hangs up. */
async function refuse(socket: Duplex): Promise<void> {
  if (!socket.writable || socket.writableEnded) return
  const response = malformed(
    'The request is not HTTP/1.1, its head is too large, or it did not arrive in time.',
  )
  const body = await response.text()
  const headers = Array.from(response.headers, ([name, value]) => `${name}: ${value}\r\n`).join('')
  const length = Buffer.byteLength(body)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\n${headers}content-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
