import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'

import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { SandboxError } from '../contract/errors.ts'
import { type Connection, endsConnection } from '../control/faults/connection.ts'
import type { App } from '../http/app.ts'
import type { Soon } from '../http/flow.ts'
import { headOf } from '../http/head.ts'
import { problemResponse } from '../http/problem.ts'
import { type Answer, answerOf, whole } from '../http/respond.ts'
import { writeAnswer } from './write-answer.ts'

/** What a Node server calls with each request. */
export type RequestListener = (
  incoming: IncomingMessage | Http2ServerRequest,
  outgoing: ServerResponse | Http2ServerResponse,
) => Promise<void>

/** What answers a server's requests. */
export interface Answering extends Pick<App, 'fetch'>, Partial<Pick<App, 'answerPlain'>> {}

/**
 * Answers a server's requests; faults break their connections, and no error leaves as plain text.
 * @param app looked up at each request, so that it may be replaced
 */
export function requestListener(app: () => Answering, write = writeAnswer): RequestListener {
  const answer = getRequestListener(
    (request, { incoming, outgoing }) => {
      // HTTP/2 names the host in the address only.
      if (incoming.httpVersionMajor === 2) request.headers.set('host', new URL(request.url).host)
      return Promise.resolve(app().fetch(request, { connection: connectionOf(outgoing) })).then(
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
    const plain = 'stream' in outgoing ? undefined : plainAnswer(app(), incoming)
    if (!plain || 'stream' in outgoing) await answer(incoming, outgoing)
    else write(outgoing, plain instanceof Promise ? await plain : plain)
  }
}

/** The answer to a request that came in plain HTTP/1 and wants no care; undefined for every other one. */
function plainAnswer(
  app: Answering,
  incoming: IncomingMessage | Http2ServerRequest,
): Soon<Answer> | undefined {
  if ('stream' in incoming || 'encrypted' in incoming.socket) return undefined
  const head = headOf(incoming)
  return head && app.answerPlain?.(head, () => bytesOf(incoming))
}

/** A body of bounded size. Errors: of the connection that breaks off. */
function bytesOf(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.once('end', () => resolve(chunks[0] && chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    incoming.once('error', reject)
    incoming.once('close', () => {
      if (!incoming.readableEnded) reject(new Error('The body broke off.'))
    })
  })
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
