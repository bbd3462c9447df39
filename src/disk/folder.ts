import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { Memory } from 'lowdb'

import { SandboxError } from '../core/errors.ts'
import type { DatabaseParts } from './database.ts'
import type { ChangesFile, SeededFile } from './documents.ts'
import { findDanglingChange, parseChanges, parseSeeded, formatRowFields } from './formats.ts'
import { JsonFile, type JsonFileOptions, syncFolder, toTemporaryPath, writeSynced } from './json-file.ts'
import { formatChanges, formatSeeded } from './json-layout.ts'
import type { Holder } from './lock-file.ts'
import { findHolder, takeLock } from './lock.ts'
import { DamagedFile, describeWriteError, errorCode, LostFolder } from './storage-errors.ts'
import { createStorage, createMemoryStorage, type Storage } from './storage.ts'
import { openLog } from './write-ahead-log.ts'

const SEEDED = 'seeded.json'
const CHANGES = 'changes.json'
const LOG = 'changes.log'
const FILES = [SEEDED, CHANGES, LOG]

/**
 * Locks a data folder, which is created if it does not exist, until its storage is closed.
 * Errors: conflict if another process holds the lock; storage_unavailable if the folder cannot be used.
 */
export async function openFolder(
  directory: string,
  options: Pick<DatabaseParts, 'onDamage'> = {},
): Promise<{ readonly storage: Storage; announce(url: string): void }> {
  const folder = resolve(directory)
  createFolder(folder, directory)
  const lock = await takeLock(folder, directory)
  try {
    const checkLock = (): void => {
      if (!lock.isHeld()) throw new LostFolder()
    }
    for (const name of FILES) rmSync(toTemporaryPath(join(folder, name)), { force: true })
    const path = join(folder, LOG)
    const isNew = !existsSync(path)
    if (lock.isContested && !isNew) await replaceByCopy(path)
    const log = openLog({ path, name: LOG, place: directory, checkLock })
    if (isNew) await syncFolder(folder)
    const storage = createStorage({
      place: directory,
      ...openDocuments(folder, directory, checkLock),
      log,
      checkEdited: (seeded, changes) => {
        const fact = findDanglingChange(seeded, changes)
        if (fact !== undefined) throw new DamagedFile(CHANGES, directory, fact)
      },
      close: () => log.close().finally(() => lock.release()),
      ...options,
    })
    return { storage, announce: (url) => lock.announce(url) }
  } catch (error) {
    lock.release()
    throw error instanceof SandboxError ? error : createFolderError(directory, describeWriteError(error))
  }
}

export async function readFolder(directory: string): Promise<Storage> {
  const stored = await openDocuments(resolve(directory), directory, () => undefined).seeded.read()
  const seeded = new Memory<SeededFile>()
  if (stored) await seeded.write(stored)
  return createMemoryStorage(directory, seeded)
}

export function hasData(directory: string): boolean {
  return FILES.some((name) => existsSync(join(directory, name)))
}

export function findFolderHolder(directory: string): Promise<Holder | undefined> {
  return findHolder(resolve(directory), directory)
}

function openDocuments(folder: string, place: string, checkLock: () => void) {
  const common = { place, checkLock, seal: formatRowFields() }
  const openFile = <T>(name: string, codec: Pick<JsonFileOptions<T>, 'parse' | 'format'>): JsonFile<T> =>
    new JsonFile({ ...common, name, path: join(folder, name), ...codec })
  return {
    seeded: openFile<SeededFile>(SEEDED, { parse: parseSeeded, format: formatSeeded }),
    changes: openFile<ChangesFile>(CHANGES, { parse: parseChanges, format: formatChanges }),
  }
}

/** Replaces a file by a copy, so that a process that still has it open no longer writes to the current file. */
async function replaceByCopy(path: string): Promise<void> {
  const temporary = toTemporaryPath(path)
  copyFileSync(path, temporary)
  await writeSynced(temporary, () => undefined, 'r+')
  renameSync(temporary, path)
  await syncFolder(dirname(path))
}

function createFolder(folder: string, place: string): void {
  try {
    if (createFolders(folder)) ignoreInGit(folder)
    if (statSync(folder).isDirectory()) return
  } catch (error) {
    const code = errorCode(error)
    const fact = code === 'ENOENT' ? 'it cannot be created there' : describeWriteError(error)
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw createFolderError(place, fact)
  }
  throw createFolderError(place, 'it is not a folder')
}

/**
 * Creates a folder and its missing parents, and reports whether the folder is new.
 * NOTE: a recursive `mkdirSync` never returns below `/proc`.
 */
function createFolders(folder: string): boolean {
  const parent = dirname(folder)
  if (existsSync(folder) || parent === folder) return false
  createFolders(parent)
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    // Another process has created it meanwhile.
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** Makes Git ignore a new folder, as far as the disk allows; a folder that existed belongs to its user. */
function ignoreInGit(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // The data itself is more important: a full disk fails on it with a message.
  }
}

function createFolderError(place: string, fact: string): SandboxError {
  const message = `Cannot use ${place}: ${fact}. Choose another folder with the option data.`
  return new SandboxError('storage_unavailable', message)
}
