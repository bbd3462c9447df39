import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'

import * as z from 'zod'

import { codeOf } from './disk.ts'
import { pidSpace, startOf } from './running.ts'

/** The name of a folder's lock. */
export const LOCK_FILE = 'lock.json'

const Holder = z.object({
  pid: z.int().positive(),
  started: z.string().nullable(),
  space: z.string().default(''),
  host: z.string().default(''),
  folder: z.string(),
  url: z.string().nullable(),
})

/** The process that has a folder. */
export interface Holder {
  readonly pid: number
  /** When the process began, in the words of its system; null if unknown. */
  readonly started: string | null
  /** The processes that the pid is one of, see `pidSpace`. */
  readonly space: string
  /** The name of its machine or container, for people. */
  readonly host: string
  /** Identifies the folder, so that a copy of a folder in use is not in use. */
  readonly folder: string
  /** The address that it listens on; null before it does. */
  readonly url: string | null
}

/** A lock as it was found. */
export interface Found {
  /** Changes when the lock is replaced, and when its holder touches it. */
  readonly identity: string
  readonly content: string
  /** Undefined if the file is no lock at all. */
  readonly holder: Holder | undefined
}

/** This process as the holder of a folder. */
export function ownHolder(folder: string): Holder {
  const { dev, ino } = statSync(folder, { bigint: true })
  return {
    pid: process.pid,
    started: startOf(process.pid) ?? null,
    space: pidSpace(),
    host: hostname(),
    folder: `${dev}/${ino}`,
    url: null,
  }
}

/** Reads a lock; undefined if there is none. */
export function look(path: string): Found | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const { ino, ctimeNs } = fstatSync(fd, { bigint: true })
    const content = readFileSync(fd, 'utf8')
    return { identity: `${ino}/${ctimeNs}/${content}`, content, holder: holderIn(content) }
  } finally {
    closeSync(fd)
  }
}

function holderIn(content: string): Holder | undefined {
  try {
    return Holder.safeParse(JSON.parse(content)).data
  } catch {
    return undefined
  }
}

/**
 * Creates a lock; false if there is one. It appears as a whole: others would take an empty one, which its maker has
 * not come to write yet, for what a power loss has left.
 */
export function createLock(path: string, holder: Holder): boolean {
  const text = textOf(holder)
  const whole = join(dirname(path), `${LOCK_FILE}.${shortHash(path + text)}.new`)
  writeFileSync(whole, text)
  try {
    linkSync(whole, path)
    return true
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : createInPlace(path, text)
  } finally {
    removeIfPossible(whole)
  }
}

/** Creates a lock on a disk that has no links. */
function createInPlace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Writes a lock to a path that no other process reads. */
export function writeLock(path: string, holder: Holder): void {
  writeFileSync(path, textOf(holder))
}

/** Removes a file if the disk lets us: a lock left by a dead process does not block. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // See above.
  }
}

/** The first 16 digits of a hash. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)

const textOf = (holder: Holder): string => `${JSON.stringify({ format: 1, ...holder })}\n`
