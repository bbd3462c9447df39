import { close, constants, fdatasync, fstatSync, ftruncate, open, write } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'

import { SandboxError } from '../contract/errors.ts'
import { readingFact, writeError } from './disk.ts'
import { parsedEntry, refuseOtherFormat, WrongContent } from './formats.ts'
import { FORMAT, type Journal, type JournalEntry } from './storage.ts'
import { unreadable } from './unreadable.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const syncData = promisify(fdatasync)
const truncate = promisify(ftruncate)
const writePart = promisify(write)

const NEWLINE = 0x0a

/** What stands before the entry in a line; the sum is the CRC-32 of the entry's bytes. */
const HEAD = /^\{"format":(\d+),"sum":"([0-9a-f]{8})","entry":/

/** A journal on disk, open until it is closed. */
export interface JournalFile extends Journal {
  close(): Promise<void>
}

/**
 * Opens a journal in a file: one line for each entry, with a checksum by which a torn line is told apart.
 * Errors: storage_unavailable where the file cannot be opened.
 */
export async function openJournal(path: string, name: string, place: string): Promise<JournalFile> {
  try {
    return new LineFile(await openFile(path, constants.O_RDWR | constants.O_CREAT), path, name, place)
  } catch (error) {
    throw unreadable(name, place, readingFact(error))
  }
}

class LineFile implements JournalFile {
  readonly #fd: number
  readonly #path: string
  readonly #name: string
  readonly #place: string
  /** Up to where the file holds whole entries. Units: bytes. */
  #size = 0
  /** Whether something else may stand behind them. */
  #isTorn = false

  constructor(fd: number, path: string, name: string, place: string) {
    this.#fd = fd
    this.#path = path
    this.#name = name
    this.#place = place
  }

  get size(): number {
    return this.#size
  }

  async read(): Promise<readonly JournalEntry[]> {
    try {
      const bytes = await readFile(this.#path)
      const { entries, size } = wholeEntries(bytes)
      this.#size = size
      this.#isTorn = size < bytes.length
      return entries
    } catch (error) {
      if (error instanceof WrongContent)
        throw unreadable(this.#name, this.#place, error.message, error.remedy)
      throw unreadable(this.#name, this.#place, readingFact(error))
    }
  }

  async append(entry: JournalEntry): Promise<void> {
    const line = Buffer.from(lineOf(entry))
    try {
      this.#refuseDeleted()
      if (this.#isTorn) await this.#cutBack()
      this.#isTorn = true
      for (let done = 0; done < line.length;) {
        // oxlint-disable-next-line no-await-in-loop -- a disk may take less than it was given
        const part = await writePart(this.#fd, line, done, line.length - done, this.#size + done)
        done += part.bytesWritten
      }
      await syncData(this.#fd)
    } catch (error) {
      // Where even this fails, the next append tries again before it writes.
      await this.#cutBack().catch(() => undefined)
      throw writeError(this.#name, error)
    }
    this.#size += line.length
    this.#isTorn = false
  }

  async empty(): Promise<void> {
    const before = this.#size
    this.#size = 0
    try {
      await this.#cutBack()
    } catch (error) {
      this.#size = before
      throw writeError(this.#name, error)
    }
  }

  async close(): Promise<void> {
    if (this.#isTorn) await this.#cutBack().catch(() => undefined)
    await closeFile(this.#fd)
  }

  async #cutBack(): Promise<void> {
    await truncate(this.#fd, this.#size)
    this.#isTorn = false
  }

  /** A deleted file takes everything, and keeps nothing. */
  #refuseDeleted(): void {
    if (fstatSync(this.#fd).nlink > 0) return
    const fact = 'it was deleted while in use. Start the sandbox again.'
    throw new SandboxError('storage_unavailable', `Cannot write ${this.#name}: ${fact}`)
  }
}

function lineOf(entry: JournalEntry): string {
  const text = JSON.stringify(entry)
  const sum = crc32(text).toString(16).padStart(8, '0')
  return `{"format":${FORMAT},"sum":"${sum}","entry":${text}}\n`
}

/** The entries of a journal up to a torn last line, which was never acknowledged. Errors: WrongContent for damage before it. */
function wholeEntries(bytes: Buffer): { readonly entries: readonly JournalEntry[]; readonly size: number } {
  const entries: JournalEntry[] = []
  let start = 0
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start)
    const entry = end === -1 ? undefined : entryOf(bytes.subarray(start, end))
    if (!entry && (end === -1 || end === bytes.length - 1)) break
    if (!entry) throw new WrongContent(`line ${entries.length + 1} is damaged`)
    entries.push(entry)
    start = end + 1
  }
  return { entries, size: start }
}

/** The entry of a line; undefined where its checksum is not met. */
function entryOf(line: Buffer): JournalEntry | undefined {
  const head = HEAD.exec(line.toString('latin1', 0, 80))
  if (!head) return undefined
  refuseOtherFormat({ format: Number(head[1]) })
  const text = line.subarray(head[0].length, -1)
  if (crc32(text) !== Number.parseInt(head[2] ?? '', 16)) return undefined
  return parsedEntry(JSON.parse(text.toString()))
}
