import { connect, type Socket } from 'node:net'

/** A request that is ready to be sent, and the length that the body of its answer must have. */
export interface Asked {
  readonly path: string
  /** The whole request in latin1. */
  readonly bytes: string
  /** Units: bytes. */
  readonly length: number
}

/** How long requests are sent, or how many: what comes first ends the load. */
export interface Amount {
  readonly seconds: number
  readonly requests?: number
}

/** What was sent, all of it answered. */
export interface Loaded {
  readonly requests: number
  readonly seconds: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const OK = 'HTTP/1.1 200 '
const CHUNK_BYTES = 262_144

/**
 * Sends requests over connections that stay open, each with one request at a time, and reads every answer.
 * Errors: the first answer that is not a 200 of the right length.
 */
export async function load(
  port: number,
  next: () => Asked,
  connections: number,
  { seconds, requests = Infinity }: Amount,
): Promise<Loaded> {
  let sent = 0
  const opened = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const start = performance.now()
  const queue = (): Asked | undefined => {
    if (sent >= requests || performance.now() - start >= seconds * 1000) return undefined
    sent += 1
    return next()
  }
  try {
    await Promise.all(opened.map((connection) => exchange(connection, queue)))
  } finally {
    for (const { socket } of opened) socket.destroy()
  }
  return { requests: sent, seconds: (performance.now() - start) / 1000 }
}

interface Connection {
  readonly socket: Socket
  /** Gets what arrives, in a buffer that is used again. */
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

function exchange(connection: Connection, queue: () => Asked | undefined): Promise<void> {
  const { socket } = connection
  return new Promise((resolve, reject) => {
    let current: Asked | undefined
    let head: Buffer | undefined
    let missing = 0
    const send = (): void => {
      current = queue()
      if (current) socket.write(current.bytes, 'latin1')
      else resolve()
    }
    connection.listener = (bytes) => {
      if (!current) return reject(new Error('the server sent more than it was asked for'))
      if (missing > 0) {
        missing -= bytes.length
      } else {
        const received = head ? Buffer.concat([head, bytes]) : bytes
        const end = received.indexOf(END_OF_HEAD)
        head = end === -1 ? Buffer.from(received) : undefined
        if (end === -1) return
        if (lengthIn(received.toString('latin1', 0, end)) !== current.length)
          return reject(unexpected(current, received))
        missing = current.length - (received.length - end - END_OF_HEAD.length)
      }
      if (missing === 0) send()
      else if (missing < 0) reject(unexpected(current, bytes))
    }
    const hungUp = (cause?: unknown): void => reject(new Error(`no answer to ${current?.path}`, { cause }))
    socket.once('close', hungUp)
    socket.once('error', hungUp)
    send()
  })
}

/** The length of a 200's body as its head says; -1 for any other answer. */
function lengthIn(head: string): number {
  if (!head.startsWith(OK)) return -1
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  return length === undefined ? -1 : Number(length)
}

function unexpected({ path, length }: Asked, received: Buffer): Error {
  return new Error(
    `${path} was to be answered by ${length} bytes, not by: ${received.toString('latin1', 0, 800)}`,
  )
}
