import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { SandboxError } from '../../core/errors.ts'
import { CHANGES, DATASET, Documents, openDataset } from './documents.ts'
import { takeLock } from './lock.ts'
import { describeWriteError, errorCode } from './storage-errors.ts'
import { Storage } from './storage.ts'

/** The files that a killed process may leave. */
const TEMPORARY = /^(?:dataset\.json|changes\.jsonl|lock\.json)\.(?:tmp|\d+)$/

/**
 * Locks a data folder, which is created if it does not exist, until its documents are closed.
 * Errors: conflict if another process holds the lock; storage_unavailable if the folder cannot be used.
 */
export async function openFolder(place: string): Promise<Documents> {
  createFolder(place)
  rejectOldFormat(place)
  const lock = await takeLock(place)
  try {
    for (const entry of readdirSync(place, { withFileTypes: true }))
      if (TEMPORARY.test(entry.name) && !entry.isDirectory()) rmSync(join(place, entry.name))
  } catch (error) {
    lock.release()
    throw createFolderError(place, describeWriteError(error))
  }
  return new Documents(place, lock)
}

/** Reads the dataset of a folder that another process may be using. Errors: storage_unavailable. */
export async function readFolder(place: string): Promise<Storage> {
  rejectOldFormat(place)
  const dataset = await openDataset(place).read()
  return new Storage(dataset ? { load: async () => ({ dataset, commits: [], warnings: [] }) } : undefined)
}

const OLD_DATASET = 'seeded.json'

export const hasData = (place: string): boolean =>
  [DATASET, CHANGES, OLD_DATASET].some((name) => existsSync(join(place, name)))

function rejectOldFormat(place: string): void {
  if (!existsSync(join(place, OLD_DATASET))) return
  const fact = `an earlier version has written ${OLD_DATASET} there, which this one does not read`
  const keep = 'start that version on it, save GET /_sandbox/state to a file, and start this one'
  const message = `Cannot use ${place}: ${fact}. To keep its changes, ${keep} on another folder with --state FILE.`
  throw new SandboxError('storage_unavailable', message)
}

function createFolder(place: string): void {
  const isNew = !existsSync(place)
  try {
    createFolders(resolve(place))
    if (isNew) writeFileSync(join(place, '.gitignore'), '*\n')
    if (statSync(place).isDirectory()) return
  } catch (error) {
    const code = errorCode(error)
    const fact = code === 'ENOENT' ? 'it cannot be created there' : describeWriteError(error)
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw createFolderError(place, fact)
  }
  throw createFolderError(place, 'it is not a folder')
}

/** Creates a folder and its missing parents. NOTE: a recursive `mkdirSync` never returns below `/proc`. */
function createFolders(folder: string): void {
  if (existsSync(folder)) return
  createFolders(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function createFolderError(place: string, fact: string): SandboxError {
  const message = `Cannot use ${place}: ${fact}. Choose another folder with the option data.`
  return new SandboxError('storage_unavailable', message)
}
