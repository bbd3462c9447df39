import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'

import * as z from 'zod'

import { parseJson } from '../core/json.ts'
import { lazyObject } from '../core/lazy-schema.ts'
import { errorCode } from './storage-errors.ts'

export const LOCK_FILE = 'lock.json'

const Holder = lazyObject(() => ({
  pid: z.int().positive(),
  started: z.string().nullable(),
  space: z.string().default(''),
  host: z.string().default(''),
  /** Identifies the folder, so that a copy of a locked folder is not locked. */
  folder: z.string(),
  url: z.string().nullable(),
}))
export type Holder = Readonly<z.output<typeof Holder>>

export interface FoundLock {
  /** Changes when the lock is replaced, and when its holder touches it. */
  readonly identity: string
  readonly content: string
  readonly holder: Holder | undefined
}

export function describeSelf(folder: string): Holder {
  const { dev, ino } = statSync(folder, { bigint: true })
  return {
    pid: process.pid,
    started: readProcessStatus(process.pid)?.started ?? null,
    space: readPidSpace(),
    host: hostname(),
    folder: `${dev}/${ino}`,
    url: null,
  }
}

export function readLock(path: string): FoundLock | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const { ino, ctimeNs } = fstatSync(fd, { bigint: true })
    const content = readFileSync(fd, 'utf8')
    return {
      identity: `${ino}/${ctimeNs}/${content}`,
      content,
      holder: Holder.safeParse(parseJson(content)).data,
    }
  } finally {
    closeSync(fd)
  }
}

/** The lock appears with its content: other processes would take an empty file for the result of a power failure. */
export function createLock(path: string, holder: Holder): boolean {
  const text = formatHolder(holder)
  const complete = join(dirname(path), `${LOCK_FILE}.${shortHash(path + text)}.new`)
  writeFileSync(complete, text)
  try {
    linkSync(complete, path)
    return true
  } catch (error) {
    return errorCode(error) === 'EEXIST' ? false : createInPlace(path, text)
  } finally {
    removeIfPossible(complete)
  }
}

function createInPlace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

export function writeLock(path: string, holder: Holder): void {
  writeFileSync(path, formatHolder(holder))
}

export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // A file that cannot be removed does no harm.
  }
}

export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)

const formatHolder = (holder: Holder): string => `${JSON.stringify({ format: 1, ...holder })}\n`

const BOOT = '/proc/sys/kernel/random/boot_id'

/** Returns undefined if the pid is in use, but possibly by another process, because the start time is unknown. */
export function isRunning({ pid, started }: Pick<Holder, 'pid' | 'started'>): boolean | undefined {
  if (!exists(pid)) return false
  const status = readProcessStatus(pid)
  if (!status) return undefined
  if (!status.isAlive) return false
  return started === null ? undefined : started === status.started
}

/** Names our PID namespace: in another one, the same pid is another process. Source: pid_namespaces(7). */
export function readPidSpace(): string {
  try {
    return `${readFileSync(BOOT, 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

/** Reads the status of a process on Linux; undefined elsewhere. Source: proc(5), `/proc/pid/stat`, fields 3 and 22. */
function readProcessStatus(pid: number): { readonly isAlive: boolean; readonly started: string } | undefined {
  try {
    const boot = readFileSync(BOOT, 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, field 2, may contain anything; the last parenthesis ends it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    // A zombie has ended, but its parent has not read its exit status.
    const isAlive = state !== 'Z' && state !== 'X'
    return { isAlive, started: `${boot}/${fields[19]}` }
  } catch {
    return undefined
  }
}
