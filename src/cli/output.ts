import { once } from 'node:events'

/** Units: characters. */
const CHUNK = 1 << 16

/** Whether nobody reads what is printed any more. */
let isClosed = false

/** Lets the command go on where nobody reads what it prints. */
export function outliveReaders(): void {
  process.stdout.on('error', () => {
    isClosed = true
  })
  process.stderr.on('error', () => {})
}

/** Prints a line on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** What would break a line into several, or steer a terminal. */
const BREAK = /[\p{Cc}\u2028\u2029]/u

/** Prints a line on standard error; what would break it into several is taken out. */
export function warn(text: string): void {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, (gap) => (BREAK.test(gap) ? ' ' : gap))
  process.stderr.write(`${line}\n`)
}

/** Prints a long text on standard output, as fast as it is read, and until nobody reads it. */
export async function printPieces(pieces: Iterable<string>): Promise<void> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK) continue
    // oxlint-disable-next-line no-await-in-loop -- pieces follow each other
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
