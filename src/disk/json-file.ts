import { readFileSync, renameSync, statSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

import type { Adapter } from 'lowdb'

import { parseJson, readRecordLines } from './parse-json.ts'
import { errorCode, InvalidContent, toReadError, toWriteError } from './storage-errors.ts'

export interface JsonFileOptions<T> {
  readonly path: string
  readonly name: string
  readonly place: string
  /** Validates the content, unless the file is sealed, so not edited. Errors: InvalidContent. */
  readonly parse: (value: unknown, isSealed: boolean) => T
  readonly format: (data: T) => Iterable<string>
  readonly seal: string
  readonly checkLock: () => void
}

export const toTemporaryPath = (path: string): string => `${path}.tmp`

const CHUNK_CHARACTERS = 1 << 20

/** Files above this size are read record by record, because their text would stay in memory. Units: bytes. */
const LONG = 1 << 20

/** Files above this size do not fit into one string. Units: bytes. */
const TOO_LONG = 1 << 28

/**
 * A lowdb adapter that writes atomically: to a temporary file, which is synced and renamed. The last member of the file
 * is a checksum, the seal, which shows whether the file was edited.
 * Errors: storage_unavailable for invalid content; storage_full and storage_unavailable for a failed write, which
 * leaves the file as it was.
 */
export class JsonFile<T> implements Adapter<T> {
  readonly #options: JsonFileOptions<T>

  constructor(options: JsonFileOptions<T>) {
    this.#options = options
  }

  async read(): Promise<T | null> {
    const { path, name, place, parse, seal } = this.#options
    try {
      const { size } = statSync(path)
      const sealed = size > LONG ? readSealed(path, size, seal) : undefined
      if (sealed !== undefined) return parse(sealed, true)
      if (size > TOO_LONG) return parse(readRecordLines(path), false)
      const bytes = readFileSync(path)
      return parse(parseJson(bytes), isSealed(bytes, seal))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw toReadError(name, place, error)
    }
  }

  async write(data: T): Promise<void> {
    const { name, checkLock } = this.#options
    try {
      checkLock()
      await this.#replace(data)
    } catch (error) {
      throw toWriteError(name, error)
    }
  }

  async #replace(data: T): Promise<void> {
    const { path, checkLock, format, seal } = this.#options
    const temporary = toTemporaryPath(path)
    try {
      await writeSynced(temporary, async (file) => {
        const checksum = await writePieces(file, format(data), crc32(seal))
        await file.writeFile(formatSeal(checksum))
      })
      // In one step with the rename, because the lock may have been lost during the write.
      checkLock()
      renameSync(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined)
      throw error
    }
    await syncFolder(dirname(path))
  }
}

export async function writeSynced(
  path: string,
  write: (file: FileHandle) => Promise<void> | void,
  flags: 'w' | 'r+' | 'r' = 'w',
): Promise<void> {
  const file = await open(path, flags)
  try {
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writePieces(file: FileHandle, pieces: Iterable<string>, start: number): Promise<number> {
  let checksum = start
  let chunk = ''
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(chunk)
    checksum = crc32(bytes, checksum)
    chunk = ''
    await file.writeFile(bytes)
  }
  for (const piece of pieces) {
    chunk += piece
    // oxlint-disable-next-line no-await-in-loop -- pieces are written in order
    if (chunk.length >= CHUNK_CHARACTERS) await flush()
  }
  await flush()
  return checksum
}

/** Makes a created or renamed file durable. Windows has no equivalent. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await writeSynced(path, () => undefined, 'r')
}

const formatSeal = (checksum: number): string =>
  `,\n  "checksum": "${checksum.toString(16).padStart(8, '0')}"\n}\n`

const SEAL_BYTES = formatSeal(0).length

function isSealed(bytes: Buffer, seal: string): boolean {
  const content = bytes.subarray(0, -SEAL_BYTES)
  return bytes.toString('latin1', content.length) === formatSeal(crc32(content, crc32(seal)))
}

/** Reads a long file record by record, so that its text is not kept; undefined if it is not sealed. */
function readSealed(path: string, size: number, seal: string): unknown {
  let checksum = crc32(seal)
  let left = size - SEAL_BYTES
  let end = ''
  try {
    const value = readRecordLines(path, (piece) => {
      const content = piece.subarray(0, left)
      checksum = crc32(content, checksum)
      left -= content.length
      end += piece.toString('latin1', content.length)
    })
    return end === formatSeal(checksum) ? value : undefined
  } catch (error) {
    if (error instanceof InvalidContent) return undefined
    throw error
  }
}
