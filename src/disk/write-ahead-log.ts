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

import { SandboxError } from '../core/errors.ts'
import { FORMAT, type LogEntry, type WriteAheadLog } from './documents.ts'
import { checkFormat, parseEntry } from './formats.ts'
import type { JsonFileOptions } from './json-file.ts'
import { InvalidContent, toReadError, toWriteError } from './storage-errors.ts'

const syncData = promisify(fdatasync)
const truncate = promisify(ftruncate)

const NEWLINE = 0x0a
const NUL = 0

/** The file grows in steps of this size: a flush that does not change its length costs half as much. Units: bytes. */
const GROWTH = 65_536
const padding = Buffer.alloc(GROWTH, NUL)

/** The beginning of a line; the sum is the CRC-32 of the entry's bytes. */
const HEAD = /^\{"format":(\d+),"sum":"([0-9a-f]{8})","entry":/

type LogOptions = Pick<JsonFileOptions<unknown>, 'path' | 'name' | 'place' | 'checkLock'>

/** Opens a log of one line for each entry, with a checksum that reveals a torn line. Errors: storage_unavailable. */
export function openLog(options: LogOptions): LineFile {
  try {
    return new LineFile(openSync(options.path, constants.O_RDWR | constants.O_CREAT), options)
  } catch (error) {
    throw toReadError(options.name, options.place, error)
  }
}

class LineFile implements WriteAheadLog {
  readonly #fd: number
  readonly #options: LogOptions
  /** The length of all complete entries. Units: bytes. */
  #size = 0
  /** The length including the NUL bytes behind them. Units: bytes. */
  #length = 0
  /** Whether anything other than NUL bytes may follow the entries. */
  #isTorn = false
  #hasWritten = false

  constructor(fd: number, options: LogOptions) {
    this.#fd = fd
    this.#options = options
  }

  get size(): number {
    return this.#size
  }

  async read(): Promise<readonly LogEntry[]> {
    const { path, name, place } = this.#options
    try {
      const bytes = readFileSync(path)
      const { entries, size } = parseEntries(bytes)
      this.#size = size
      this.#length = bytes.length
      this.#isTorn = size < bytes.length
      return entries
    } catch (error) {
      throw toReadError(name, place, error)
    }
  }

  async append(entry: LogEntry): Promise<void> {
    const line = Buffer.from(formatLine(entry))
    try {
      if (this.#isTorn) await this.#truncate()
      // In one step with the write, so that no other process takes the lock in between.
      this.#checkFile()
      this.#isTorn = true
      this.#hasWritten = true
      this.#writeLine(line)
      await syncData(this.#fd)
      // Checked again: a process that took the lock during the flush may have read the file before the write.
      this.#checkFile()
    } catch (error) {
      // If this fails, the next append retries.
      await this.#truncate().catch(() => undefined)
      throw toWriteError(this.#options.name, error)
    }
    this.#size += line.length
    this.#isTorn = false
  }

  async empty(): Promise<void> {
    const before = this.#size
    this.#size = 0
    try {
      await this.#truncate()
    } catch (error) {
      this.#size = before
      throw toWriteError(this.#options.name, error)
    }
  }

  async close(): Promise<void> {
    if (this.#hasWritten) await this.#truncate().catch(() => undefined)
    closeSync(this.#fd)
  }

  /**
   * Writes a line, followed by NUL bytes if the file has to grow. It is synchronous, because the system only buffers
   * the bytes: a thread switch takes longer.
   */
  #writeLine(line: Buffer): void {
    const end = this.#size + line.length
    let done =
      end > this.#length ? writevSync(this.#fd, [line, padding.subarray(end % GROWTH)], this.#size) : 0
    // The system may write fewer bytes than requested.
    while (done < line.length) done += writeSync(this.#fd, line, done, line.length - done, this.#size + done)
    this.#length = Math.max(this.#length, this.#size + done)
  }

  async #truncate(): Promise<void> {
    this.#checkFile()
    await truncate(this.#fd, this.#size)
    this.#length = this.#size
    this.#isTorn = false
  }

  /** Throws if the lock is lost or the file was deleted: writes to a deleted file succeed, but are lost. */
  #checkFile(): void {
    this.#options.checkLock()
    if (fstatSync(this.#fd).nlink > 0) return
    const fact = 'it was deleted while in use. Start the sandbox again.'
    throw new SandboxError('storage_unavailable', `Cannot write ${this.#options.name}: ${fact}`)
  }
}

function formatLine(entry: LogEntry): string {
  const text = JSON.stringify(entry)
  const sum = crc32(text).toString(16).padStart(8, '0')
  return `{"format":${FORMAT},"sum":"${sum}","entry":${text}}\n`
}

/**
 * Parses the entries up to a torn last line, which was never acknowledged.
 * Errors: InvalidContent for a damaged line: one that is complete, but does not match its checksum.
 */
function parseEntries(file: Buffer): { readonly entries: readonly LogEntry[]; readonly size: number } {
  const entries: LogEntry[] = []
  const bytes = file.subarray(0, file.findLastIndex((byte) => byte !== NUL) + 1)
  let start = 0
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start)
    // The write was interrupted.
    if (end === -1) break
    const line = bytes.subarray(start, end)
    const entry = parseLine(line)
    // After a power failure, the page with the line's end may be on disk, but not the page with its start.
    if (!entry && end === bytes.length - 1 && line.includes(NUL)) break
    if (!entry) throw new InvalidContent(`line ${entries.length + 1} is damaged`)
    entries.push(entry)
    start = end + 1
  }
  return { entries, size: start }
}

function parseLine(line: Buffer): LogEntry | undefined {
  const head = HEAD.exec(line.toString('latin1', 0, 80))
  if (!head) return undefined
  checkFormat({ format: Number(head[1]) })
  const text = line.subarray(head[0].length, -1)
  if (crc32(text) !== Number.parseInt(head[2] ?? '', 16)) return undefined
  return parseEntry(JSON.parse(text.toString()))
}
