import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'

import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { SandboxError } from '../contract/errors.ts'
import { type Connection, endsConnection } from '../control/faults/connection.ts'
import { problemResponse } from '../http/problem.ts'
import type { Sandbox } from '../sandbox.ts'

/** What a Node server calls with each request. */
export type RequestListener = (
  incoming: IncomingMessage | Http2ServerRequest,
  outgoing: ServerResponse | Http2ServerResponse,
) => Promise<void>

/** Answers a server's requests; faults break their connections, and no error leaves as plain text. */
export function requestListener(fetch: Sandbox['fetch']): RequestListener {
  return getRequestListener(
    (request, { incoming, outgoing }) => {
      // HTTP/2 names the host in the address only.
      if (incoming.httpVersionMajor === 2) request.headers.set('host', new URL(request.url).host)
      return fetch(request, connectionOf(outgoing)).catch((error: unknown) => {
        if (endsConnection(error)) return RESPONSE_ALREADY_SENT
        throw error
      })
    },
    { overrideGlobalObjects: false, errorHandler: answerTo },
  )
}

function connectionOf(outgoing: ServerResponse | Http2ServerResponse): Connection {
  if ('stream' in outgoing) {
    const cancel = (): void => outgoing.stream.close(constants.NGHTTP2_CANCEL)
    return { reset: cancel, close: cancel }
  }
  return {
    reset: () => outgoing.socket?.resetAndDestroy(),
    close: () => outgoing.socket?.destroySoon(),
  }
}

/** The answer to a request that never reached the sandbox. */
function answerTo(error: unknown): Response {
  if (!(error instanceof RequestError)) return problemResponse(error)
  return malformed('The request target or the Host header is malformed.')
}

/** The answer to what is no request. */
export function malformed(detail: string): Response {
  return problemResponse(new SandboxError('invalid_request', detail))
}
