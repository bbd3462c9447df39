import { once } from 'node:events'
import { connect } from 'node:net'

import { onTestFinished } from 'vitest'

/** A connection to a server that can send anything. */
export async function connected(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString()))
  socket.on('error', () => undefined)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')

  /** Waits until the server has sent a text. */
  const received = async (part: string) => {
    while (!text.includes(part)) await Promise.race([once(socket, 'data'), failing(ended, part)])
  }
  /** Waits for the whole last response, which has a content length. */
  const answer = async () => {
    await received('\r\n\r\n')
    const [head = ''] = text.split('\r\n\r\n').slice(-2)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
    while (bodyOf(text).length < length) await once(socket, 'data')
    return { head, body: bodyOf(text) }
  }
  /** Everything that the server has sent. */
  const all = () => text
  /** Stops reading. */
  const pause = () => socket.pause()
  const resume = () => socket.resume()
  /** Sends a text, and waits until all of it is on its way. */
  const flush = (part: string) => new Promise((resolve) => socket.write(part, resolve))
  return {
    send: (part: string) => socket.write(part),
    flush,
    received,
    answer,
    ended,
    pause,
    resume,
    text: all,
  }
}

const bodyOf = (text: string): string => text.slice(text.lastIndexOf('\r\n\r\n') + 4)

async function failing(ended: Promise<unknown>, part: string): Promise<never> {
  await ended
  throw new Error(`the server hung up before it sent ${part}`)
}
