import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'

import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { type FieldError, invalidField, SandboxError } from '../../core/errors.ts'
import type { Bindings, RequestHandler } from '../../http/env.ts'
import { problemResponse } from '../../http/problem.ts'
import { errorCode } from '../../store/disk/storage-errors.ts'
import { type Connection, endsConnection } from '../../testing/faults/connection.ts'
import { isLoopback, listen } from './listen.ts'
import { hangUp, readRest } from './unread-body.ts'

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

type Incoming = IncomingMessage | Http2ServerRequest
type Outgoing = ServerResponse | Http2ServerResponse

export type RequestListener = (incoming: Incoming, outgoing: Outgoing) => Promise<void>

export interface ListenerOptions {
  /** Lets @hono/node-server replace the global `Request` and `Response`, which a library must not do to its host. */
  readonly ownsProcess: boolean
}

export function createListener(handler: RequestHandler, { ownsProcess }: ListenerOptions): RequestListener {
  const listener = getRequestListener(
    (request, { incoming, outgoing }) => {
      // HTTP/2 has the host in its URL only.
      if (incoming.httpVersionMajor !== 2 && countHosts(incoming) !== 1) {
        return createMalformedResponse('header', 'Host', 'must be given once')
      }
      const response = handler(request, new NodeBindings(incoming, outgoing))
      const { headers } = incoming
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
      // HTTP/2 closes the stream of a body that nobody reads.
      if ('stream' in incoming || 'stream' in outgoing || !hasBody) return response
      return Promise.resolve(response).then((answer) => {
        const isRead = incoming.complete && incoming.readableLength === 0
        return isRead ? answer : readRest(request, incoming, outgoing).then(() => answer)
      })
    },
    { overrideGlobalObjects: ownsProcess, errorHandler: toResponse },
  )
  return (incoming, outgoing) => {
    if (incoming.httpVersion === '1.0') addHost(incoming)
    return listener(incoming, outgoing)
  }
}

/** Adds the `Host` that a request of HTTP/1.0 may leave out. */
function addHost({ headers, rawHeaders, socket }: Incoming): void {
  if (headers.host !== undefined) return
  headers.host = `localhost:${socket.localPort}`
  rawHeaders.push('Host', headers.host)
}

/** Counts the `Host` headers, of which Node keeps the first alone. */
function countHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

class NodeBindings implements Bindings {
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingMessage['headers']
  readonly #incoming: Incoming
  readonly #outgoing: Outgoing

  constructor(incoming: Incoming, outgoing: Outgoing) {
    this.rawHeaders = incoming.rawHeaders
    this.headers = incoming.headers
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  get connection(): Connection {
    const outgoing = this.#outgoing
    if ('stream' in outgoing) {
      const cancel = (): void => outgoing.stream.close(constants.NGHTTP2_CANCEL)
      return { reset: cancel, close: cancel }
    }
    return { reset: () => outgoing.socket?.resetAndDestroy(), close: () => outgoing.socket?.destroySoon() }
  }

  get isLocal(): boolean {
    return isLoopback(this.#incoming.socket.remoteAddress)
  }
}

/** Converts an error to a response; a fault that has broken the connection sends none. */
function toResponse(error: unknown): Response {
  if (endsConnection(error)) return RESPONSE_ALREADY_SENT
  if (!(error instanceof RequestError)) return problemResponse(error)
  return error.message.includes(' host ')
    ? createMalformedResponse('header', 'Host', 'must be a name or address, with or without a port')
    : createMalformedResponse('path', '', 'must be a path or an absolute http URL')
}

function createMalformedResponse(place: FieldError['in'], name: string, message: string): Response {
  return problemResponse(invalidField(name, message, place))
}
