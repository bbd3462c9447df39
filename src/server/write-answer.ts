import type { ServerResponse } from 'node:http'

import type { AnswerBody } from '../http/answer-body.ts'
import type { Answer } from '../http/respond.ts'

/** Bodies up to this size are joined in memory that is used again. Units: bytes. */
const REUSED = 524_288

/** Writes answers to connections of HTTP/1. */
export type AnswerWriter = (outgoing: ServerResponse, answer: Answer) => void

/** A writer for connections that others may listen in on, or hold back what is written. */
export const writeAnswer: AnswerWriter = (outgoing, answer) => {
  outgoing.writeHead(answer.status, headOf(answer))
  outgoing.end(answer.body.bytes)
}

/**
 * A writer for a server's own connections. It joins a body's parts in the same memory again and again, because new
 * memory for each page would cost more than the page. What the system has not taken at once stays where it is.
 */
export function createAnswerWriter(): AnswerWriter {
  let memory: Buffer | undefined
  return (outgoing, answer) => {
    const { body } = answer
    if (body.parts.length === 1 || body.length > REUSED) return writeAnswer(outgoing, answer)
    memory ??= Buffer.allocUnsafeSlow(REUSED)
    const { socket } = outgoing
    outgoing.writeHead(answer.status, headOf(answer))
    outgoing.end(joined(body, memory))
    if (!socket || socket.writableLength > 0) memory = undefined
  }
}

function joined(body: AnswerBody, memory: Buffer): Buffer {
  body.copyTo(memory)
  return memory.subarray(0, body.length)
}

const headOf = ({ headers, body }: Answer): Record<string, string | number> => ({
  ...headers,
  'content-length': body.length,
})
