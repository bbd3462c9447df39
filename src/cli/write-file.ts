import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { syncFolder } from '../disk/json-file.ts'
import { describeWriteError, errorCode } from '../disk/storage-errors.ts'
import { CommandError } from './failure.ts'

/** Writes a new file and its folder; never overwrites an existing file. @throws CommandError */
export async function createFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const exists = errorCode(error) === 'EEXIST'
    const fact = exists ? 'it already exists' : describeWriteError(error)
    const remedy = exists ? 'Change it, or remove it first.' : "Check the folder's permissions and try again."
    throw new CommandError(`Cannot write ${path}: ${fact}. ${remedy}`)
  }
}

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
