import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncate,
  openSync,
  readFileSync,
  writeSync,
  writevSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'

import { SandboxError } from '../contract/errors.ts'
import { writeError } from './disk.ts'
import { parsedEntry, readError, refuseOtherFormat, WrongContent } from './formats.ts'
import { FORMAT, type Journal, type JournalEntry } from './storage.ts'

const syncData = promisify(fdatasync)
const truncate = promisify(ftruncate)

const NEWLINE = 0x0a
const NUL = 0

/** The file grows by this much at once: to flush what lies within its length costs half as much. Units: bytes. */
const GROWTH = 65_536
const padding = Buffer.alloc(GROWTH, NUL)

/** What stands before the entry in a line; the sum is the CRC-32 of the entry's bytes. */
const HEAD = /^\{"format":(\d+),"sum":"([0-9a-f]{8})","entry":/

/** A journal on disk, open until it is closed. */
export interface JournalFile extends Journal {
  close(): Promise<void>
}

/** A journal's file. */
interface JournalOptions {
  readonly path: string
  /** What messages call the file, and the folder that it is in. */
  readonly name: string
  readonly place: string
  /** Throws if another process now has the folder. */
  readonly refuseLost: () => void
}

/**
 * Opens a journal in a file: one line for each entry, with a checksum by which a torn line is told apart.
 * Errors: storage_unavailable where the file cannot be opened.
 */
export function openJournal(options: JournalOptions): JournalFile {
  try {
    return new LineFile(openSync(options.path, constants.O_RDWR | constants.O_CREAT), options)
  } catch (error) {
    throw readError(options.name, options.place, error)
  }
}

class LineFile implements JournalFile {
  readonly #fd: number
  readonly #options: JournalOptions
  /** Up to where the file holds whole entries. Units: bytes. */
  #size = 0
  /** Up to where it holds these and NUL bytes. Units: bytes. */
  #length = 0
  /** Whether something else may stand there. */
  #isTorn = false
  /** Whether what stands there is of this process; what was found is left as it is, until something is written. */
  #isOurs = false

  constructor(fd: number, options: JournalOptions) {
    this.#fd = fd
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  async read(): Promise<readonly JournalEntry[]> {
    const { path, name, place } = this.#options
    try {
      const bytes = readFileSync(path)
      const { entries, size } = wholeEntries(bytes)
      this.#size = size
      this.#length = bytes.length
      this.#isTorn = size < bytes.length
      return entries
    } catch (error) {
      throw readError(name, place, error)
    }
  }

  async append(entry: JournalEntry): Promise<void> {
    const line = Buffer.from(lineOf(entry))
    try {
      if (this.#isTorn) await this.#cutBack()
      // In one step with the write, so that no other process gets the folder in between.
      this.#refuseLost()
      this.#isTorn = true
      this.#isOurs = true
      this.#put(line)
      await syncData(this.#fd)
      // A process that got it during the flush may have read the file before.
      this.#refuseLost()
    } catch (error) {
      // Where even this fails, the next append tries again before it writes.
      await this.#cutBack().catch(() => undefined)
      throw writeError(this.#options.name, error)
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
      throw writeError(this.#options.name, error)
    }
  }

  async close(): Promise<void> {
    if (this.#isOurs) await this.#cutBack().catch(() => undefined)
    closeSync(this.#fd)
  }

  /**
   * Hands a line to the system, and NUL bytes behind it where the file has to grow. It waits for that, because the
   * system only takes note of it: to hand it to another thread, and to be told, takes longer.
   */
  #put(line: Buffer): void {
    const end = this.#size + line.length
    let done =
      end > this.#length ? writevSync(this.#fd, [line, padding.subarray(end % GROWTH)], this.#size) : 0
    // A disk may take less than it was given.
    while (done < line.length) done += writeSync(this.#fd, line, done, line.length - done, this.#size + done)
    this.#length = Math.max(this.#length, this.#size + done)
  }

  async #cutBack(): Promise<void> {
    this.#refuseLost()
    await truncate(this.#fd, this.#size)
    this.#length = this.#size
    this.#isTorn = false
  }

  /** Throws if the file is no longer the one that counts: a deleted file takes everything, and keeps nothing. */
  #refuseLost(): void {
    this.#options.refuseLost()
    if (fstatSync(this.#fd).nlink > 0) return
    const fact = 'it was deleted while in use. Start the sandbox again.'
    throw new SandboxError('storage_unavailable', `Cannot write ${this.#options.name}: ${fact}`)
  }
}

function lineOf(entry: JournalEntry): string {
  const text = JSON.stringify(entry)
  const sum = crc32(text).toString(16).padStart(8, '0')
  return `{"format":${FORMAT},"sum":"${sum}","entry":${text}}\n`
}

/**
 * The entries of a journal up to a torn last line, which was never acknowledged.
 * Errors: WrongContent for a damaged line: one that is complete, but does not match its checksum.
 */
function wholeEntries(file: Buffer): { readonly entries: readonly JournalEntry[]; readonly size: number } {
  const entries: JournalEntry[] = []
  const bytes = file.subarray(0, file.findLastIndex((byte) => byte !== NUL) + 1)
  let start = 0
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start)
    // The write of the line was interrupted.
    if (end === -1) break
    const line = bytes.subarray(start, end)
    const entry = entryOf(line)
    // So was this one, by a power loss that came before the page with its beginning was written, but not its end.
    if (!entry && end === bytes.length - 1 && line.includes(NUL)) break
    if (!entry) throw new WrongContent(`line ${entries.length + 1} is damaged`)
    entries.push(entry)
    start = end + 1
  }
  return { entries, size: start }
}

/** The entry of a line; undefined if it does not match its checksum. */
function entryOf(line: Buffer): JournalEntry | undefined {
  const head = HEAD.exec(line.toString('latin1', 0, 80))
  if (!head) return undefined
  refuseOtherFormat({ format: Number(head[1]) })
  const text = line.subarray(head[0].length, -1)
  if (crc32(text) !== Number.parseInt(head[2] ?? '', 16)) return undefined
  return parsedEntry(JSON.parse(text.toString()))
}
