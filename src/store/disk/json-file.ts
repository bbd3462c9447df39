import { readFileSync, renameSync, statSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'

import { joinPieces, type Piece } from '../../core/json-steps.ts'
import { InvalidContent } from '../../core/json-text.ts'
import { errorCode, toWriteError } from './storage-errors.ts'

export function readIfThere(path: string): Buffer<ArrayBuffer> | undefined {
  try {
    requireFile(path)
    return readFileSync(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Rejects what is not a file: reading a pipe may never end. Errors: InvalidContent; ENOENT if there is nothing. */
export function requireFile(path: string): void {
  const stats = statSync(path)
  if (stats.isFile()) return
  const kind = stats.isDirectory()
    ? 'folder'
    : stats.isFIFO()
      ? 'pipe'
      : stats.isSocket()
        ? 'socket'
        : 'device'
  throw new InvalidContent(`it is a ${kind}`, 'Remove it, or start on another folder with the option data.')
}

/**
 * Writes a temporary file, flushes it, and renames it: after a crash or a power failure, the file has the old content or
 * the new one. @param prepare is called in one step with the rename; an error rejects the write
 * Errors: storage_full, storage_unavailable; those of `prepare`
 */
export async function replaceFile(
  path: string,
  pieces: Iterable<Piece>,
  prepare?: () => void,
): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    await withFile(temporary, 'w', async (file) => {
      for (const chunk of joinPieces(pieces)) await file.writeFile(chunk)
      await file.sync()
    })
    prepare?.()
    renameSync(temporary, path)
    await syncFolder(path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw toWriteError(basename(path), error)
  }
}

/** Makes the rename or the removal of a file durable. Windows has no equivalent. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await withFile(dirname(path), 'r', (folder) => folder.sync())
}

async function withFile(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
