import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

import { SandboxError } from '../../core/errors.ts'
import type { RequestHandler } from '../../http/env.ts'
import { problemResponse } from '../../http/problem.ts'
import { errorCode } from '../../store/disk/storage-errors.ts'
import { listen } from './listen.ts'
import { createListener, createMalformedResponse, type ListenerOptions } from './listener.ts'
import { hangUp } from './unread-body.ts'

const timeouts = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000 }

const KEEP_ALIVE_MS = 30_000

const TIMEOUT_DETAIL =
  'The request did not arrive in time. Send its head within 10 seconds, and all of it within 60.'

/** The time for requests in flight when the server closes. */
const GRACE_MS = 3_000

const CLOSE_IDLE_MS = 20

interface HttpServer {
  readonly url: string
  /** Finishes the requests in flight, and cuts them off after the grace period. */
  readonly close: () => Promise<void>
}

/** Serves requests on every address of a host. Errors: those of `listen`. */
export async function serve(
  handler: RequestHandler,
  options: ListenerOptions,
  host: string | undefined,
  port: number | undefined,
): Promise<HttpServer> {
  const listener = createListener(handler, options)
  /** The response to the latest request of each connection. */
  const latest = new Map<Duplex, ServerResponse | undefined>()
  let isClosing = false
  const server = createServer(
    { ...timeouts, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, requireHostHeader: false },
    (request, response) => {
      latest.set(request.socket, response)
      if (isClosing) response.setHeader('connection', 'close')
      void listener(request, response)
    },
  )
  server.on('connection', (socket) => {
    latest.set(socket, undefined)
    socket.once('close', () => latest.delete(socket))
  })
  server.on('checkContinue', (request, response) => {
    continueOnceRead(request, response)
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => void reject(socket))
  server.on('clientError', (error, socket) => {
    if (hasReadNothing(socket)) socket.destroy()
    else rejectInTurn(error, socket, latest.get(socket))
  })
  const { url, stop } = await listen(server, host, port)
  return {
    url,
    close: () => {
      stop()
      isClosing = true
      for (const socket of latest.keys()) if (hasReadNothing(socket)) socket.destroy()
      return closeGracefully(server)
    },
  }
}

function closeGracefully(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closingIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS)
    const cuttingOff = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearInterval(closingIdle)
      clearTimeout(cuttingOff)
      resolve()
    })
  })
}

/** Sends `100 Continue` once the body is read; an earlier response closes the connection. */
function continueOnceRead(request: IncomingMessage, response: ServerResponse): void {
  const onListener = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return
    request.off('newListener', onListener)
    if (!response.headersSent) response.writeContinue()
  }
  request.on('newListener', onListener)
}

const hasReadNothing = (socket: Duplex): boolean => 'bytesRead' in socket && socket.bytesRead === 0

/** Rejects malformed bytes after the responses that the client still waits for. @param response that of the latest request */
function rejectInTurn(error: Error, socket: Duplex, response: ServerResponse | undefined): void {
  if (response?.req.complete && !response.writableFinished) {
    if (!waiting.has(response)) response.once('finish', () => rejectInTurn(error, socket, response))
    waiting.add(response)
  } else if (response && !response.req.complete && response.headersSent) {
    hangUp(socket)
  } else {
    void reject(socket, errorCode(error))
  }
}

const waiting = new WeakSet<ServerResponse>()

/** Responds to bytes that are not HTTP, or to a request that is too slow, and closes the connection. */
async function reject(socket: Duplex, code = ''): Promise<void> {
  if (!socket.writable || socket.writableEnded) return
  const response = createRejection(code)
  const { status } = response
  const body = await response.text()
  const headers = Array.from(response.headers, ([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}connection: close\r\n\r\n`
  hangUp(socket, head + body)
}

function createRejection(code: string): Response {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problemResponse(new SandboxError('request_timeout', TIMEOUT_DETAIL))
  }
  if (code.includes('CHUNK')) {
    const message = 'must be in chunks, each after its size in hexadecimal, as RFC 9112 says'
    return createMalformedResponse('body', '', message)
  }
  return code === 'HPE_INVALID_URL'
    ? createMalformedResponse('path', '', 'must begin with a slash and be percent-encoded, as in /caf%C3%A9')
    : createMalformedResponse('header', '', 'must be HTTP/1.1, and at most 16 KB long')
}
