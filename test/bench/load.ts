import { connect, type Socket } from 'node:net'

import type { Server } from './servers.ts'

/** A request as bytes, and the length that its response body must have. */
export interface PreparedRequest {
  readonly path: string
  /** The whole request in latin1. */
  readonly bytes: string
  /** Units: bytes. */
  readonly length: number
}

/** How long to send requests, or how many: the load ends with whichever comes first. */
export interface Amount {
  readonly seconds: number
  readonly requests?: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const OK = 'HTTP/1.1 200 '
const CHUNK_BYTES = 262_144

/**
 * Sends requests over open connections, one at a time on each, reads every response, and returns their number.
 * Errors: the first response that is not a 200 of the right length.
 */
export async function load(
  port: number,
  next: () => PreparedRequest,
  connections: number,
  { seconds, requests = Infinity }: Amount,
): Promise<number> {
  let sent = 0
  const opened = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const start = performance.now()
  const queue = (): PreparedRequest | undefined => {
    if (sent >= requests || performance.now() - start >= seconds * 1000) return undefined
    sent += 1
    return next()
  }
  try {
    await Promise.all(opened.map((connection) => exchange(connection, queue)))
  } finally {
    for (const { socket } of opened) socket.destroy()
  }
  return sent
}

interface Connection {
  readonly socket: Socket
  /** Receives the incoming bytes, in a buffer that is reused. */
  listener: (bytes: Buffer) => void
}

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    const callback = (count: number): boolean => {
      connection.listener(buffer.subarray(0, count))
      return true
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
    const connection: Connection = { socket, listener: () => undefined }
    socket.once('error', reject)
    socket.once('connect', () => resolve(connection))
  })
}

function exchange(connection: Connection, queue: () => PreparedRequest | undefined): Promise<void> {
  const { socket } = connection
  return new Promise((resolve, reject) => {
    let current: PreparedRequest | undefined
    let head: Buffer | undefined
    let missing = 0
    const send = (): void => {
      current = queue()
      if (current) socket.write(current.bytes, 'latin1')
      else resolve()
    }
    connection.listener = (bytes) => {
      if (!current) return reject(new Error('the server sent more than one response'))
      if (missing > 0) {
        missing -= bytes.length
      } else {
        const received = head ? Buffer.concat([head, bytes]) : bytes
        const end = received.indexOf(END_OF_HEAD)
        head = end === -1 ? Buffer.from(received) : undefined
        if (end === -1) return
        if (readLength(received.toString('latin1', 0, end)) !== current.length)
          return reject(unexpectedResponse(current, received))
        missing = current.length - (received.length - end - END_OF_HEAD.length)
      }
      if (missing === 0) send()
      else if (missing < 0) reject(unexpectedResponse(current, bytes))
    }
    const onClose = (cause?: unknown): void => reject(new Error(`no response to ${current?.path}`, { cause }))
    socket.once('close', onClose)
    socket.once('error', onClose)
    send()
  })
}

/** Reads the Content-Length of a 200; -1 for any other response. */
function readLength(head: string): number {
  if (!head.startsWith(OK)) return -1
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  return length === undefined ? -1 : Number(length)
}

function unexpectedResponse({ path, length }: PreparedRequest, received: Buffer): Error {
  return new Error(
    `${path} should return ${length} bytes, but returned: ${received.toString('latin1', 0, 800)}`,
  )
}

/** A server at work. */
export interface Subject {
  readonly server: Server
  readonly next: () => PreparedRequest
  readonly connections: number
  /** Runs before each round. */
  readonly prepare?: () => Promise<unknown>
}

const ROUNDS = 5
const SECONDS = 0.6

/** Before the first round, so that functions are compiled. */
const WARM_UP: Amount = { seconds: 1.5, requests: 5_000 }

/**
 * Measures several servers in turn, round by round. A round begins with a quarter of its load, which does not count.
 * Units: microseconds of CPU time for each request. Shape: for each server, the cost in each round.
 */
export async function measureCosts(subjects: readonly Subject[]): Promise<number[][]> {
  for (const subject of subjects) {
    await subject.prepare?.()
    await measureCost(subject, WARM_UP)
  }
  const costs = subjects.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      await subject.prepare?.()
      await measureCost(subject, { seconds: SECONDS / 4 })
      costs[index]?.push(await measureCost(subject, { seconds: SECONDS }))
    }
  }
  return costs
}

/** Measures the CPU time of the server's process for each request. Units: microseconds. */
export async function measureCost({ server, next, connections }: Subject, amount: Amount): Promise<number> {
  const before = await server.usage()
  const requests = await load(server.port, next, connections, amount)
  return ((await server.usage()).cpuUs - before.cpuUs) / requests
}
