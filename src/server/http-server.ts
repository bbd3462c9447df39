import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

import { codeOf } from '../store/disk.ts'
import type { Answering } from './answering.ts'
import { malformed, timedOut } from './malformed.ts'
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
  const sockets = new Set<Duplex & { readonly bytesRead: number }>()
  /** The latest request of each connection, and its response. */
  const latest = new WeakMap<Duplex, Latest>()
  let isClosing = false
  const server = createServer(
    { ...timeouts, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, requireHostHeader: false },
    (request, response) => {
      latest.set(request.socket, { request, response })
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
  server.on('checkContinue', (request, response) => {
    continueOnceRead(request, response, () => isClosing)
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => void refuse(socket))
  server.on('clientError', (error, socket) => {
    const hasSentNothing = 'bytesRead' in socket && socket.bytesRead === 0
    if (hasSentNothing) socket.destroy()
    else refuseInTurn(error, socket, latest.get(socket))
  })
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

/**
 * Tells a client that waits for `100 Continue` to send its body when that is read. A response that comes before ends
 * the connection, because the client may or may not send the body after it.
 */
function continueOnceRead(
  request: IncomingMessage,
  response: ServerResponse,
  isClosing: () => boolean,
): void {
  response.setHeader('connection', 'close')
  const onListener = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return
    request.off('newListener', onListener)
    if (response.headersSent) return
    if (!isClosing()) response.removeHeader('connection')
    response.writeContinue()
  }
  request.on('newListener', onListener)
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

interface Latest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Refuses what a client sends after the responses that it still waits for, so that it takes none for another. */
function refuseInTurn(error: Error, socket: Duplex, latest: Latest | undefined): void {
  if (latest?.request.complete && !latest.response.writableFinished) {
    const { response } = latest
    if (!waiting.has(response)) response.once('finish', () => refuseInTurn(error, socket, latest))
    waiting.add(response)
  } else if (latest && !latest.request.complete && latest.response.headersSent) {
    hangUp(socket)
  } else {
    void refuse(socket, codeOf(error) === 'ERR_HTTP_REQUEST_TIMEOUT')
  }
}

/** Responses that a refusal follows. */
const waiting = new WeakSet<ServerResponse>()

/** Tells a client in HTTP that it does not speak it, or too slowly, and hangs up. */
async function refuse(socket: Duplex, isLate = false): Promise<void> {
  if (!socket.writable || socket.writableEnded) return
  const response = isLate ? timedOut() : malformed('The request is not HTTP/1.1, or its head is too large.')
  const { status } = response
  const body = await response.text()
  const headers = Array.from(response.headers, ([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}connection: close\r\n\r\n`
  hangUp(socket, head + body)
}

/** Closes a connection after some last words, which the client has a moment to read. */
function hangUp(socket: Duplex, words = ''): void {
  socket.end(words)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
