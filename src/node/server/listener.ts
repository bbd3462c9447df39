import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'

import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { type FieldError, invalidField } from '../../core/errors.ts'
import type { Bindings, RequestHandler } from '../../http/env.ts'
import { problemResponse } from '../../http/problem.ts'
import { type Connection, endsConnection } from '../../testing/faults/connection.ts'
import { isLoopback } from './listen.ts'
import { readRest } from './unread-body.ts'

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
      return Promise.resolve(response).then(async (answer) => {
        if (!incoming.complete || incoming.readableLength > 0) await readRest(request, incoming, outgoing)
        return answer
      })
    },
    { overrideGlobalObjects: ownsProcess, errorHandler: toResponse },
  )
  return (incoming, outgoing) => {
    addHost(incoming)
    return listener(incoming, outgoing)
  }
}

function addHost({ httpVersion, headers, rawHeaders, socket }: Incoming): void {
  if (httpVersion !== '1.0' || headers.host !== undefined) return
  headers.host = `localhost:${socket.localPort}`
  rawHeaders.push('Host', headers.host)
}

/** Counts the `Host` headers, of which Node keeps the first alone. */
function countHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1
  return count
}

class NodeBindings implements Bindings {
  readonly rawHeaders: readonly string[]
  readonly #incoming: Incoming
  readonly #outgoing: Outgoing

  constructor(incoming: Incoming, outgoing: Outgoing) {
    this.rawHeaders = incoming.rawHeaders
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

export function createMalformedResponse(place: FieldError['in'], name: string, message: string): Response {
  return problemResponse(invalidField(name, message, place))
}
