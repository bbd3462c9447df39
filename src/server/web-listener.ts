import type { ServerResponse } from 'node:http'
import { constants, type Http2ServerResponse } from 'node:http2'

import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { invalidRequest, type SandboxError } from '../contract/errors.ts'
import { type Connection, endsConnection } from '../control/faults/connection.ts'
import { problemAnswer, problemResponse } from '../http/problem.ts'
import { answerOf, whole } from '../http/respond.ts'
import { isLoopback } from './addresses.ts'
import type { Answering, RequestListener } from './answering.ts'
import { malformed } from './malformed.ts'
import type { AnswerWriter } from './write-answer.ts'

/** Answers requests by way of web requests. */
export function webListener(app: () => Answering, write: AnswerWriter): RequestListener {
  const respond = getRequestListener(
    (request, { incoming, outgoing }) => {
      // HTTP/2 names the host in the address only.
      if (incoming.httpVersionMajor === 2) request.headers.set('host', new URL(request.url).host)
      const origin = {
        connection: connectionOf(outgoing),
        isLocal: isLoopback(incoming.socket.remoteAddress),
      }
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
    const error = 'stream' in outgoing ? undefined : hostError(incoming)
    if (!error || 'stream' in outgoing) await respond(incoming, outgoing)
    else write(outgoing, problemAnswer(error))
  }
}

/** The error for a request in HTTP/1 that names no host, or more than one. */
function hostError({ rawHeaders }: Parameters<RequestListener>[0]): SandboxError | undefined {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  if (count === 1) return undefined
  return invalidRequest([{ in: 'header', name: 'Host', message: 'must be given once' }])
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
