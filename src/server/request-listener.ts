import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'

import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { SandboxError } from '../contract/errors.ts'
import { type Connection, endsConnection } from '../control/faults/connection.ts'
import type { App } from '../http/app.ts'
import { type Head, headOf } from '../http/head.ts'
import { problemResponse } from '../http/problem.ts'
import { answerOf, whole } from '../http/respond.ts'
import { writeAnswer } from './write-answer.ts'

/** What a Node server calls with each request. */
export type RequestListener = (
  incoming: IncomingMessage | Http2ServerRequest,
  outgoing: ServerResponse | Http2ServerResponse,
) => Promise<void>

/** What answers a server's requests. */
export interface Answering extends Pick<App, 'fetch'>, Partial<Pick<App, 'recall'>> {}

/**
 * Answers a server's requests; faults break their connections, and no error leaves as plain text.
 * @param app looked up at each request, so that it may be replaced
 */
export function requestListener(app: () => Answering, write = writeAnswer): RequestListener {
  const answer = getRequestListener(
    (request, { incoming, outgoing }) => {
      // HTTP/2 names the host in the address only.
      if (incoming.httpVersionMajor === 2) request.headers.set('host', new URL(request.url).host)
      const origin = { connection: connectionOf(outgoing), head: plainHead(incoming) }
      return Promise.resolve(app().fetch(request, origin)).then(
        (response) => {
          const known = answerOf(response)
          if (!known || 'stream' in outgoing) return whole(response)
          write(outgoing, known)
          return RESPONSE_ALREADY_SENT
        },
        (error: unknown) => {
          if (endsConnection(error)) return RESPONSE_ALREADY_SENT
          throw error
        },
      )
    },
    { overrideGlobalObjects: false, errorHandler: answerTo },
  )
  return async (incoming, outgoing) => {
    const head = plainHead(incoming)
    const known = head && app().recall?.(head)
    if (!known || 'stream' in outgoing) await answer(incoming, outgoing)
    else write(outgoing, known)
  }
}

/** The head of a request that came in plain HTTP/1. */
function plainHead(incoming: IncomingMessage | Http2ServerRequest): Head | undefined {
  const isPlain = incoming.httpVersionMajor === 1 && !('encrypted' in incoming.socket)
  return isPlain ? headOf(incoming) : undefined
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
  if (!(error instanceof RequestError)) return whole(problemResponse(error))
  return malformed('The request target or the Host header is malformed.')
}

/** The answer to what is no request. */
export function malformed(detail: string): Response {
  return whole(problemResponse(new SandboxError('invalid_request', detail)))
}
