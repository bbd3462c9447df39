import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { type Adapter, Memory } from 'lowdb'

import { SandboxError } from '../contract/errors.ts'
import { importInTurn } from '../import-in-turn.ts'
import { codeOf, syncFolder, writingFact } from './disk.ts'
import { parsedChanges, parsedSeeded, rowFields } from './formats.ts'
import { openJournal } from './journal.ts'
import { jsonFile, temporaryOf } from './json-file.ts'
import { changesText, seededText } from './layout.ts'
import type { Holder } from './lock-file.ts'
import { holderOf, takeLock } from './lock.ts'
import {
  type ChangesFile,
  createStorage,
  type SeededFile,
  type Storage,
  type StorageParts,
} from './storage.ts'
import { DamagedFile, LostFolder } from './unreadable.ts'

const SEEDED = 'seeded.json'
const CHANGES = 'changes.json'
const JOURNAL = 'changes.log'
const FILES = [SEEDED, CHANGES, JOURNAL]

/** A folder that this process has for itself. */
export interface Folder {
  readonly storage: Storage
  /** Tells others who want the folder where this process listens. */
  announce(url: string): void
}

/** How a folder is opened. */
type FolderOptions = Pick<StorageParts, 'onDamage'>

/**
 * Takes a folder, made where it is not there, and keeps a sandbox in it, until the storage is closed.
 * `directory` is also what messages call it.
 * Errors: conflict where another process has it; storage_unavailable where it cannot be used.
 */
export async function openFolder(directory: string, options: FolderOptions = {}): Promise<Folder> {
  const folder = resolve(directory)
  makeFolder(folder, directory)
  const lock = await takeLock(folder, directory)
  try {
    const refuseLost = () => {
      if (!lock.isHeld()) throw new LostFolder()
    }
    const { seeded, changes } = adapters(folder, directory, refuseLost)
    for (const name of FILES) rmSync(temporaryOf(join(folder, name)), { force: true })
    const path = join(folder, JOURNAL)
    const isNew = !existsSync(path)
    if (lock.isContested && !isNew) await fence(path)
    const journal = openJournal({ path, name: JOURNAL, place: directory, refuseLost })
    if (isNew) await syncFolder(folder)
    const close = () => journal.close().finally(() => lock.release())
    const checkEdited: StorageParts['checkEdited'] = async (...edited) => {
      // Few starts need it.
      const { danglingChange } = await importInTurn(() => import('./edited-changes.ts'))
      const fact = danglingChange(...edited)
      if (fact !== undefined) throw new DamagedFile(CHANGES, directory, fact)
    }
    const parts = { place: directory, seeded, changes, journal, checkEdited, close }
    const storage = createStorage({ ...parts, ...options })
    return { storage, announce: (url) => lock.announce(url) }
  } catch (error) {
    lock.release()
    throw error instanceof SandboxError ? error : unusable(directory, writingFact(error))
  }
}

/** What a folder holds, to be read only: nothing is taken, nothing written. Errors: storage_unavailable. */
export async function readFolder(directory: string): Promise<Storage> {
  const { seeded } = adapters(resolve(directory), directory, () => undefined)
  const copy = new Memory<SeededFile>()
  const kept = await seeded.read()
  if (kept) await copy.write(kept)
  return createStorage({ place: directory, seeded: copy, changes: new Memory() })
}

/** Says whether a folder holds anything of a sandbox. */
export function holdsData(directory: string): boolean {
  return FILES.some((name) => existsSync(join(directory, name)))
}

/** The running process that has a folder; undefined where none has. */
export function folderHolder(directory: string): Promise<Holder | undefined> {
  return holderOf(resolve(directory), directory)
}

interface Adapters {
  readonly seeded: Adapter<SeededFile>
  readonly changes: Adapter<ChangesFile>
}

function adapters(folder: string, place: string, refuseLost: () => void): Adapters {
  const common = { place, refuseLost, seal: rowFields }
  return {
    seeded: jsonFile({
      ...common,
      name: SEEDED,
      path: join(folder, SEEDED),
      parse: parsedSeeded,
      text: seededText,
    }),
    changes: jsonFile({
      ...common,
      name: CHANGES,
      path: join(folder, CHANGES),
      parse: parsedChanges,
      text: changesText,
    }),
  }
}

/** Puts a copy in place of a file, so that a process that still has it open writes into what nobody reads. */
async function fence(path: string): Promise<void> {
  const temporary = temporaryOf(path)
  copyFileSync(path, temporary)
  const file = await open(temporary, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  renameSync(temporary, path)
  await syncFolder(dirname(path))
}

function makeFolder(folder: string, place: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    const isFile = ['EEXIST', 'ENOTDIR'].includes(codeOf(error))
    const fact = codeOf(error) === 'ENOENT' ? 'it cannot be made there' : writingFact(error)
    throw unusable(place, isFile ? 'it is not a folder' : fact)
  }
  if (!statSync(folder).isDirectory()) throw unusable(place, 'it is not a folder')
}

function unusable(place: string, fact: string): SandboxError {
  return new SandboxError(
    'storage_unavailable',
    `Cannot use ${place}: ${fact}. Choose another folder with --data.`,
  )
}
