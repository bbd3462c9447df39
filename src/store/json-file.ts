import { readFileSync, renameSync, statSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

import type { Adapter } from 'lowdb'

import { codeOf, syncFolder, writeError } from './disk.ts'
import { readError } from './formats.ts'
import { jsonOf } from './json-content.ts'
import { largeJsonOf, sealedJsonOf } from './record-lines.ts'
import { isSealed, sealText } from './seal.ts'

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
  readonly seal: string
  /** Throws if another process now has the folder. */
  readonly refuseLost: () => void
}

/** Where a file is written before it takes its place. */
export const temporaryOf = (path: string): string => `${path}.tmp`

/** Units: characters. */
const CHUNK = 1 << 20

/** A file above this size is read record by record, where that is possible: its text would stay in memory. Units: bytes. */
const LONG = 1 << 20

/** A file above this size cannot be read as one text. Units: bytes. */
const LARGE = 1 << 28

/**
 * A lowdb adapter that never leaves half a file: it writes beside, syncs, and renames.
 * Errors: storage_unavailable for a file that is not understood; storage_full and storage_unavailable where it
 * cannot be written, the file then being as it was.
 */
export function jsonFile<T>(options: JsonFileOptions<T>): Adapter<T> {
  const { name, place } = options
  return {
    read: async () => {
      try {
        return contentOf(options)
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw readError(name, place, error)
      }
    },
    write: async (data) => {
      try {
        options.refuseLost()
        await replaceFile(options, options.text(data))
      } catch (error) {
        throw writeError(name, error)
      }
    },
  }
}

/** The content of a file; it waits for the disk, because nothing else can go on before it is read. */
function contentOf<T>({ path, parse, seal }: JsonFileOptions<T>): T {
  const { size } = statSync(path)
  const sealed = size > LONG ? sealedJsonOf(path, size, seal) : undefined
  if (sealed !== undefined) return parse(sealed, true)
  if (size > LARGE) return parse(largeJsonOf(path), false)
  const bytes = readFileSync(path)
  return parse(jsonOf(bytes), isSealed(bytes, seal))
}

async function replaceFile<T>(
  { path, seal, refuseLost }: JsonFileOptions<T>,
  text: Iterable<string>,
): Promise<void> {
  const temporary = temporaryOf(path)
  try {
    const file = await open(temporary, 'w')
    try {
      const sum = await writeAll(file, text, crc32(seal))
      await file.writeFile(sealText(sum))
      await file.sync()
    } finally {
      await file.close()
    }
    // Both in one step: the folder may have been lost while the file was written.
    refuseLost()
    renameSync(temporary, path)
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
