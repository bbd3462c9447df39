import { readFileSync, renameSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Adapter } from 'lowdb'

import { errorCode } from './storage-errors.ts'

export interface JsonFileOptions<T> {
  /** Parses and checks the content. Default: `JSON.parse`. */
  readonly parse?: (bytes: Uint8Array) => T
  /** Formats the content in pieces. Default: `JSON.stringify`. */
  readonly format?: (data: T) => Iterable<string>
  /** Called in one step with the rename; an error rejects the write. */
  readonly check?: (() => void) | undefined
}

/**
 * A lowdb adapter that writes a file as a whole: after a crash or a power failure, it has the old content or the new one.
 * @example const db = new Low(new JsonFile<Settings>('settings.json'), { theme: 'light' })
 */
export class JsonFile<T> implements Adapter<T> {
  readonly #path: string
  readonly #options: JsonFileOptions<T>
  #latest: Promise<void> = Promise.resolve()

  constructor(path: string, options: JsonFileOptions<T> = {}) {
    this.#path = path
    this.#options = options
  }

  async read(): Promise<T | null> {
    const { parse = (content: Uint8Array): T => JSON.parse(new TextDecoder().decode(content)) } =
      this.#options
    const bytes = readIfThere(this.#path)
    return bytes ? parse(bytes) : null
  }

  write(data: T): Promise<void> {
    const { format = (content: T) => [JSON.stringify(content, null, 2)], check } = this.#options
    const written = this.#latest.then(() =>
      replaceFile(this.#path, format(data), (rename) => {
        check?.()
        rename()
      }),
    )
    this.#latest = written.catch(() => undefined)
    return written
  }
}

export function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Units: characters. */
const CHUNK = 1 << 20

/** Writes a temporary file, flushes it, and renames it. @param swap renames, in one step with what belongs to it */
export async function replaceFile(
  path: string,
  pieces: Iterable<string>,
  swap: (rename: () => void) => void,
): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    const file = await open(temporary, 'w')
    try {
      let chunk = ''
      for (const piece of pieces) {
        chunk += piece
        if (chunk.length < CHUNK) continue
        // oxlint-disable-next-line no-await-in-loop -- one chunk after the other
        await file.writeFile(chunk)
        chunk = ''
      }
      await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    swap(() => renameSync(temporary, path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  // Makes the rename durable. Windows has no equivalent.
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
