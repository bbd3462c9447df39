import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'

import type { Soon } from '../http/flow.ts'
import { headOf } from '../http/head.ts'
import type { Answer } from '../http/respond.ts'
import { importInTurn } from '../import-in-turn.ts'
import type { Answering, RequestListener } from './answering.ts'
import { writeAnswer } from './write-answer.ts'

/**
 * Answers a server's requests; faults break their connections, and no error leaves as plain text.
 * @param app looked up at each request, so that it may be replaced
 */
export function requestListener(app: () => Answering, write = writeAnswer): RequestListener {
  let web: Promise<RequestListener> | undefined
  const answer: RequestListener = async (incoming, outgoing) => {
    web ??= importInTurn(() => import('./web-listener.ts')).then(({ webListener }) => webListener(app, write))
    return (await web)(incoming, outgoing)
  }
  return async (incoming, outgoing) => {
    nameHost(incoming)
    const plain = 'stream' in outgoing ? undefined : plainAnswer(app(), incoming)
    if (!plain || 'stream' in outgoing) await answer(incoming, outgoing)
    else write(outgoing, plain instanceof Promise ? await plain : plain)
  }
}

/** Adds the Host to a request of HTTP/1.0 that has none, as HTTP/1.0 allows. */
function nameHost({ httpVersion, headers, rawHeaders, socket }: IncomingMessage | Http2ServerRequest): void {
  if (httpVersion !== '1.0' || headers.host !== undefined) return
  headers.host = `localhost:${socket.localPort}`
  rawHeaders.push('Host', headers.host)
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
