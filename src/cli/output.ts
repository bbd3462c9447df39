import { once } from 'node:events'

/** Units: characters. */
const CHUNK = 1 << 16

let isClosed = false

export function ignoreClosedOutput(): void {
  process.stdout.on('error', () => {
    isClosed = true
  })
  process.stderr.on('error', () => {})
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u

/** Prints a line on standard error, without line breaks and control characters. */
export function warn(text: string): void {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, (gap) => (CONTROL.test(gap) ? ' ' : gap))
  process.stderr.write(`${line}\n`)
}

/** Prints a long text on standard output as fast as it is read, until the reader closes it. */
export async function printPieces(pieces: Iterable<string>): Promise<void> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK) continue
    // oxlint-disable-next-line no-await-in-loop -- in order
    await write(chunk)
    if (isClosed) return
    chunk = ''
  }
  await write(chunk)
}

async function write(text: string): Promise<void> {
  if (process.stdout.write(text) || isClosed) return
  await once(process.stdout, 'drain').catch(() => undefined)
}
