import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

import type { Adapter } from 'lowdb'

import { codeOf, readingFact, syncFolder, writeError } from './disk.ts'
import { WrongContent } from './formats.ts'
import { jsonOf, largeJsonOf } from './json-content.ts'
import { isSealed, sealText } from './seal.ts'
import { unreadable } from './unreadable.ts'

/** A file of JSON. */
export interface JsonFileOptions<T> {
  readonly path: string
  /** What messages call the file, and the folder that it lies in. */
  readonly name: string
  readonly place: string
  /** The content, checked, unless it is as it was written. Errors: WrongContent. */
  readonly parse: (value: unknown, isAsWritten: boolean) => T
  /** The text of a JSON object, in pieces, up to the end of its last member. */
  readonly text: (data: T) => Iterable<string>
  /** Seals the text with a checksum that begins with this, so that one that nobody has changed since is known. */
  readonly seal?: string
  /** Refuses a write where the folder is no longer ours. */
  readonly beforeWrite: () => void
}

/** Where a file is written before it takes its place. */
export const temporaryOf = (path: string): string => `${path}.tmp`

/** Units: characters. */
const CHUNK = 1 << 20

/** A file above this size is not read as one text. Units: bytes. */
const LARGE = 1 << 28

/**
 * A lowdb adapter that never leaves half a file: it writes beside, syncs, and renames.
 * Errors: storage_unavailable for a file that is not understood; storage_full and storage_unavailable where it
 * cannot be written, the file then being as it was.
 */
export function jsonFile<T>(options: JsonFileOptions<T>): Adapter<T> {
  const { path, name, place, parse } = options
  return {
    read: async () => {
      try {
        if ((await stat(path)).size > LARGE) return parse(await largeJsonOf(path), false)
        const bytes = await readFile(path)
        return parse(jsonOf(bytes), options.seal !== undefined && isSealed(bytes, options.seal))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        if (error instanceof WrongContent) throw unreadable(name, place, error.message, error.remedy)
        throw unreadable(name, place, readingFact(error))
      }
    },
    write: async (data) => {
      try {
        options.beforeWrite()
        await replaceFile(path, options.text(data), options.seal)
      } catch (error) {
        throw writeError(name, error)
      }
    },
  }
}

async function replaceFile(path: string, text: Iterable<string>, seal: string | undefined): Promise<void> {
  const temporary = temporaryOf(path)
  try {
    const file = await open(temporary, 'w')
    try {
      const sum = await writeAll(file, text, crc32(seal ?? ''))
      await file.writeFile(seal === undefined ? '\n}\n' : sealText(sum))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
}

/** Writes pieces, and gives their checksum, which goes on from another. */
async function writeAll(file: FileHandle, text: Iterable<string>, from: number): Promise<number> {
  let sum = from
  let chunk = ''
  const write = async () => {
    const bytes = Buffer.from(chunk)
    sum = crc32(bytes, sum)
    chunk = ''
    await file.writeFile(bytes)
  }
  for (const piece of text) {
    chunk += piece
    // oxlint-disable-next-line no-await-in-loop -- pieces follow each other
    if (chunk.length >= CHUNK) await write()
  }
  await write()
  return sum
}
