import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import { syncFolder } from '../disk/json-file.ts'
import { describeWriteError } from '../disk/storage-errors.ts'
import { CommandError } from './failure.ts'

/** Writes a file as a whole or not at all: to a temporary file beside it, which replaces it. @throws CommandError */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeSynced(await open(temporary, 'w'), text)
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new CommandError(`Cannot write ${path}: ${describeWriteError(error)}. Check the path.`)
  }
}

async function writeSynced(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
