import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

import type { Adapter } from 'lowdb'

import { encodeInSteps, formatJson, type Piece } from '../../core/json-steps.ts'
import { decodeUtf8 } from '../../core/json-text.ts'
import { hasMoreValues } from '../../core/json.ts'
import { runInSlices } from '../../core/slices.ts'
import { readIfThere, replaceFile, syncFolder } from './json-file.ts'

export interface JsonLinesOptions<T> {
  /** Parses and checks a line. */
  readonly parse: (text: string, line: number) => T
  /** Called in one step with each write, and once it is durable; an error rejects the write. */
  readonly check?: (() => void) | undefined
}

/** A file with the number of its elements, the last of them, and the length of its complete lines in bytes. */
interface OpenFile<T> {
  readonly fd: number
  readonly size: number
  readonly count: number
  readonly last: T | undefined
}

const flush = promisify(fdatasync)

/**
 * A lowdb adapter for an array with one element a line. The first write replaces the file, and so does an array that does
 * not continue it. What was pushed since is appended and flushed, so that a write costs the same however much is stored.
 * After a crash or a power failure, the file ends before or after an element: a last line without its end is dropped.
 * Only one call may run at a time.
 */
export class JsonLines<T> implements Adapter<T[]> {
  readonly #path: string
  readonly #options: JsonLinesOptions<T>
  #file: OpenFile<T> | undefined
  /** Whether bytes follow the complete lines: the latest read has dropped them, or a failed write has left them behind. */
  isTorn = false

  constructor(path: string, options: JsonLinesOptions<T>) {
    this.#path = path
    this.#options = options
  }

  async read(): Promise<T[] | null> {
    const bytes = readIfThere(this.#path)
    if (!bytes) return null
    const data: T[] = []
    let start = 0
    for (let line = 1; start < bytes.length && !isTorn(bytes, start); line += 1) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline === -1 ? bytes.length : newline
      const text = decodeUtf8(bytes.subarray(start, end), line)
      if (text.trim() !== '') data.push(this.#options.parse(text, line))
      start = end + 1
    }
    this.isTorn = start < bytes.length
    return data
  }

  /** Reports whether all that this process has written is the beginning of an array, so that a write appends the rest. */
  has(data: readonly T[]): boolean {
    const file = this.#file
    return file !== undefined && data.length >= file.count && data[file.count - 1] === file.last
  }

  async write(data: readonly T[]): Promise<void> {
    const file = this.#file
    if (file && this.has(data) && fstatSync(file.fd).nlink > 0)
      return this.#append(file, data.slice(file.count))
    await replaceFile(this.#path, formatLines(data), () => {
      this.#options.check?.()
      // Windows does not replace an open file.
      this.close()
    })
    this.isTorn = false
    // Not before the rename is durable: what is appended to a file that a power failure may take away would be lost.
    const fd = openSync(this.#path, 'r+')
    this.#file = { fd, size: fstatSync(fd).size, count: data.length, last: data.at(-1) }
  }

  /** Removes the file, which a full disk has room for. */
  async remove(): Promise<void> {
    this.#options.check?.()
    this.close()
    rmSync(this.#path, { force: true })
    this.isTorn = false
    await syncFolder(this.#path)
  }

  /** Closes the file; a later write replaces it. */
  close(): void {
    if (this.#file) closeSync(this.#file.fd)
    this.#file = undefined
  }

  async #append(file: OpenFile<T>, added: readonly T[]): Promise<void> {
    if (added.length === 0) return
    const { fd, size } = file
    const { check } = this.#options
    const bytes = Buffer.concat(await runInSlices(encodeInSteps(formatLines(added))))
    try {
      check?.()
      if (this.isTorn) ftruncateSync(fd, size)
      this.isTorn = true
      // Synchronous, because the system only buffers the bytes: a thread switch takes longer. It may write fewer of them.
      for (let done = 0; done < bytes.length;)
        done += writeSync(fd, bytes, done, bytes.length - done, size + done)
      await flush(fd)
      check?.()
    } catch (error) {
      try {
        check?.()
        ftruncateSync(fd, size)
        this.isTorn = false
      } catch {
        // The next write does it.
      }
      throw error
    }
    this.isTorn = false
    this.#file = { fd, size: size + bytes.length, count: file.count + added.length, last: added.at(-1) }
  }
}

/** The most values of an element that is formatted at once, as a commit of one row is: a note then costs 3 µs less. */
const FEW_VALUES = 25

function* formatLines(data: readonly unknown[]): Generator<Piece> {
  for (const element of data) {
    if (hasMoreValues(element, FEW_VALUES)) yield* formatJson(element)
    else yield JSON.stringify(element)
    yield '\n'
  }
}

const NEWLINE = 0x0a

/** The part of a file that a disk writes at once. Units: bytes. */
const SECTOR = 512

/**
 * Reports whether the rest of a file is the beginning of a line, or a line of which a power failure has left sectors
 * unwritten: then NUL bytes begin with the line, or with a sector.
 */
function isTorn(bytes: Buffer, start: number): boolean {
  const newline = bytes.indexOf(NEWLINE, start)
  if (newline !== -1 && newline < bytes.length - 1) return false
  const nul = bytes.indexOf(0, start)
  return nul === -1 ? newline === -1 : nul === start || nul % SECTOR === 0
}
