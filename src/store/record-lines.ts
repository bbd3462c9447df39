import { closeSync, openSync, readSync } from 'node:fs'

import { WrongContent } from './formats.ts'
import { SealCheck } from './seal.ts'

/**
 * The value of a file that nobody has changed since it was written with a seal; undefined for any other.
 * It is read record by record: of its text, which is long, nothing is kept.
 */
export function sealedJsonOf(path: string, size: number, seal: string): unknown {
  const check = new SealCheck(seal, size)
  try {
    const value = largeJsonOf(path, (piece) => check.add(piece))
    return check.isMet ? value : undefined
  } catch (error) {
    if (error instanceof WrongContent) return undefined
    throw error
  }
}

/**
 * The value of a file of any length: it is read line by line, each record being one.
 * Errors: WrongContent.
 */
export function largeJsonOf(path: string, look: (piece: Buffer) => void = () => undefined): unknown {
  const records = new RecordLines()
  readLines(path, (line) => records.add(line), look)
  return records.value()
}

/** Units: bytes. */
const CHUNK = 1 << 18
const NEWLINE = 0x0a

/** Hands on each line of a file, without its end, and each piece as it was read. */
function readLines(path: string, take: (line: string) => void, look: (piece: Buffer) => void): void {
  const file = openSync(path, 'r')
  try {
    let buffer = Buffer.allocUnsafe(CHUNK)
    /** How much of a line is there whose end is not. */
    let begun = 0
    for (;;) {
      if (begun === buffer.length) buffer = Buffer.concat([buffer], 2 * begun)
      const bytesRead = readSync(file, buffer, begun, buffer.length - begun, null)
      if (bytesRead === 0) break
      const filled = buffer.subarray(0, begun + bytesRead)
      look(filled.subarray(begun))
      let start = 0
      for (let end = filled.indexOf(NEWLINE, begun); end !== -1; end = filled.indexOf(NEWLINE, start)) {
        take(filled.toString('utf8', start, end))
        start = end + 1
      }
      filled.copyWithin(0, start)
      begun = filled.length - start
    }
    if (begun > 0) take(buffer.toString('utf8', 0, begun))
  } finally {
    closeSync(file)
  }
}

/** A line that opens a list; after it come the list's records, one a line. */
const OPENING = /"(\w+)": \[$/

/** The lines of a file that `layout.ts` has written. */
class RecordLines {
  readonly #lists = new Map<string, unknown[]>()
  #list: unknown[] | undefined
  /** What is around the records. */
  #frame = ''
  #count = 0

  /** Takes the next line. Errors: WrongContent. */
  add(line: string): void {
    this.#count += 1
    const text = line.trim()
    const record = text.endsWith(',') ? text.slice(0, -1) : text
    if (this.#list && record.startsWith('{') && record.endsWith('}')) this.#list.push(this.#parsed(record))
    else this.#addToFrame(text)
  }

  /** What all lines say together. Errors: WrongContent. */
  value(): unknown {
    const { rows, ...rest } = this.#parsedFrame()
    return { ...this.#filled(rest), ...(rows && { rows: this.#filled(rows) }) }
  }

  #addToFrame(text: string): void {
    const name = OPENING.exec(text)?.[1]
    this.#list = name === undefined ? undefined : []
    if (name !== undefined && this.#list) this.#lists.set(name, this.#list)
    this.#frame += text
  }

  #parsed(record: string): unknown {
    try {
      return JSON.parse(record)
    } catch {
      throw new WrongContent(`line ${this.#count} is not JSON`)
    }
  }

  #parsedFrame(): Frame {
    try {
      const frame: unknown = JSON.parse(this.#frame)
      if (isFrame(frame)) return frame
    } catch {
      // It breaks off, or is laid out otherwise.
    }
    throw new WrongContent('it is not JSON of one record a line, as a file of this size has to be')
  }

  /** An object whose lists have their records. */
  #filled(object: object): object {
    return Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, this.#lists.get(name) ?? value]),
    )
  }
}

interface Frame {
  readonly rows?: object
}

function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && (!('rows' in value) || typeof value.rows === 'object')
}
