import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Adapter } from 'lowdb'

import { codeOf, readingFact, syncFolder, writeError } from './disk.ts'
import { WrongContent } from './formats.ts'
import { unreadable } from './unreadable.ts'

/** A file of JSON. */
export interface JsonFileOptions<T> {
  readonly path: string
  /** What messages call the file, and the folder that it lies in. */
  readonly name: string
  readonly place: string
  /** The content, checked. Errors: WrongContent. */
  readonly parse: (value: unknown) => T
  /** The text, in pieces. */
  readonly text: (data: T) => Iterable<string>
  /** Refuses a write where the folder is no longer ours. */
  readonly beforeWrite: () => void
}

/** Where a file is written before it takes its place. */
export const temporaryOf = (path: string): string => `${path}.tmp`

/** Units: characters. */
const CHUNK = 1 << 20

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
        const bytes = await readFile(path)
        return parse(jsonOf(bytes))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        if (error instanceof WrongContent) throw unreadable(name, place, error.message, error.remedy)
        throw unreadable(name, place, readingFact(error))
      }
    },
    write: async (data) => {
      try {
        options.beforeWrite()
        await replaceFile(path, options.text(data))
      } catch (error) {
        throw writeError(name, error)
      }
    },
  }
}

async function replaceFile(path: string, text: Iterable<string>): Promise<void> {
  const temporary = temporaryOf(path)
  try {
    const file = await open(temporary, 'w')
    try {
      await writeAll(file, text)
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

async function writeAll(file: FileHandle, text: Iterable<string>): Promise<void> {
  let chunk = ''
  for (const piece of text) {
    chunk += piece
    if (chunk.length < CHUNK) continue
    // oxlint-disable-next-line no-await-in-loop -- pieces follow each other
    await file.writeFile(chunk)
    chunk = ''
  }
  await file.writeFile(chunk)
}

function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new WrongContent('it is empty')
  if (bytes.includes(0)) throw new WrongContent('it holds NUL bytes, as a power failure leaves them')
  const text = textOf(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongContent(syntaxFact(text, error))
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new WrongContent('it is not UTF-8')
  }
}

function syntaxFact(text: string, error: unknown): string {
  const found = /at position (\d+)/.exec(error instanceof Error ? error.message : '')
  const position = found ? Number(found[1]) : text.length
  if (position >= text.trimEnd().length) return 'it breaks off in the middle'
  const before = text.slice(0, position)
  return `it is not JSON from line ${before.split('\n').length}, column ${position - before.lastIndexOf('\n')} on`
}
