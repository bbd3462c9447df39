import {
  closeSync,
  existsSync,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { SandboxError } from '../core/errors.ts'
import {
  createLock,
  describeSelf,
  type FoundLock,
  type Holder,
  isRunning,
  LOCK_FILE,
  readPidSpace,
  readLock,
  removeIfPossible,
  shortHash,
  writeLock,
} from './lock-file.ts'
import { describeWriteError } from './storage-errors.ts'

/** Files that other processes may leave behind: temporary files, and guards named after the lock that they guard. */
const LEFTOVER = /^lock\.json\.(?:tmp|ping|[0-9a-f]{16}(?:\.new|\.ping)?)$/

const LISTEN_MS = 500
/** The time that another process waits for the holder to respond, several times as long as necessary. */
const RESPONSE_TIMEOUT_MS = 2_000
const KNOCK_MS = 100

export interface Lock {
  /** Whether the lock was taken from a process that did not respond, but may resume and write. */
  readonly isContested: boolean
  announce(url: string): void
  isHeld(): boolean
  release(): void
}

/** The holder of a lock is alive or dead, or does not respond and cannot be looked up; or the lock has changed meanwhile. */
type State = 'alive' | 'dead' | 'unresponsive' | 'changed'

/**
 * Takes the lock of a folder. If several processes try at once, exactly one succeeds. A lock left by a dead process does
 * not block, and neither does a file that is not a lock.
 * Errors: conflict with pid and address of the holder; storage_unavailable if the folder cannot be written.
 */
export async function takeLock(folder: string, place: string): Promise<Lock> {
  const path = join(folder, LOCK_FILE)
  try {
    const self = describeSelf(folder)
    let outcome: State = 'dead'
    while (!createLock(path, self)) {
      // oxlint-disable-next-line no-await-in-loop -- until its state is known
      const current = await readCompleteLock(path)
      if (!current) continue
      // oxlint-disable-next-line no-await-in-loop -- until its state is known
      outcome = await replaceUnlessAlive(path, current, self, () => {
        writeLock(`${path}.tmp`, self)
        renameSync(`${path}.tmp`, path)
      })
      if (outcome === 'alive' && current.holder) throw createInUseError(current.holder, place)
      if (outcome !== 'changed') break
    }
    removeLeftovers(folder, self)
    return holdLock(path, self, outcome === 'unresponsive')
  } catch (error) {
    throw toLockError(error, place)
  }
}

export async function findHolder(folder: string, place: string): Promise<Holder | undefined> {
  const path = join(folder, LOCK_FILE)
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until its state is known
      const current = await readCompleteLock(path)
      if (!current) return undefined
      // oxlint-disable-next-line no-await-in-loop -- until its state is known
      const state = await checkHolder(path, current, describeSelf(folder))
      if (state !== 'changed') return state === 'alive' ? current.holder : undefined
    }
  } catch (error) {
    throw toLockError(error, place)
  }
}

/**
 * Replaces a lock unless its holder is alive. Only the process that creates the guard of a lock may replace it, so that
 * no process replaces the lock of a faster one.
 */
async function replaceUnlessAlive(
  path: string,
  found: FoundLock,
  own: Holder,
  replace: () => void,
): Promise<State> {
  const state = await checkHolder(path, found, own)
  if (state === 'alive' || state === 'changed') return state
  const guard = `${path}.${shortHash(found.identity)}`
  if (!createLock(guard, own)) {
    // Another process is replacing it, or died while doing so.
    const other = await readCompleteLock(guard)
    const isBusy =
      other && (await replaceUnlessAlive(guard, other, own, () => rmSync(guard, { force: true }))) === 'alive'
    if (isBusy) await delay(10)
    return 'changed'
  }
  try {
    if (readLock(path)?.identity !== found.identity) return 'changed'
    replace()
    return state
  } finally {
    rmSync(guard, { force: true })
  }
}

async function checkHolder(path: string, current: FoundLock, self: Holder): Promise<State> {
  const isHeld = current.holder ? isHolding(current.holder, self) : false
  if (isHeld === undefined) return ping(path, current)
  return isHeld ? 'alive' : 'dead'
}

function isHolding(holder: Holder, self: Holder): boolean | undefined {
  if (holder.space !== self.space) return undefined
  return holder.folder === self.folder && isRunning(holder)
}

async function ping(path: string, { identity, content }: FoundLock): Promise<State> {
  const file = toPingPath(path)
  try {
    for (let waited = 0; waited < RESPONSE_TIMEOUT_MS; waited += KNOCK_MS) {
      // Written each time, because another process removes it once it has a response.
      writeFileSync(file, '')
      // oxlint-disable-next-line no-await-in-loop -- until it responds
      await delay(KNOCK_MS)
      const now = readLock(path)
      if (now?.content !== content) return 'changed'
      if (now.identity !== identity) return 'alive'
    }
    return 'unresponsive'
  } finally {
    removeIfPossible(file)
  }
}

async function readCompleteLock(path: string): Promise<FoundLock | undefined> {
  const current = readLock(path)
  if (!current || current.holder) return current
  await delay(50)
  return readLock(path)
}

function holdLock(path: string, self: Holder, isContested: boolean): Lock {
  let held = openLock(path)
  const isHeld = () => isSameFile(path, held)
  const listening = setInterval(() => {
    if (existsSync(toPingPath(path))) touch(held)
  }, LISTEN_MS).unref()
  return {
    isContested,
    isHeld,
    announce: (url) => {
      if (isHeld()) held = replaceLock(path, { ...self, url }, held)
    },
    release: () => {
      clearInterval(listening)
      const isOurs = isHeld()
      close(held)
      if (isOurs) removeIfPossible(path)
    },
  }
}

/** A lock that is kept open, if possible, so that no other file gets its inode number. */
interface OpenLock {
  readonly fd: number | undefined
  readonly dev: number
  readonly ino: number
}

function openLock(path: string): OpenLock {
  const fd = openSync(path, 'r+')
  const { dev, ino } = fstatSync(fd)
  return { fd, dev, ino }
}

/** Replaces our lock by one with an address. We hold the lock even if that fails. */
function replaceLock(path: string, holder: Holder, held: OpenLock): OpenLock {
  const temporary = `${path}.tmp`
  let next: OpenLock | undefined
  try {
    writeLock(temporary, holder)
    next = openLock(temporary)
    // Windows does not replace an open file.
    close(held)
    renameSync(temporary, path)
    return next
  } catch {
    if (next) close(next)
    removeIfPossible(temporary)
    return next ? { ...held, fd: undefined } : held
  }
}

function close({ fd }: OpenLock): void {
  if (fd !== undefined) closeSync(fd)
}

function isSameFile(path: string, { dev, ino }: OpenLock): boolean {
  try {
    const stats = statSync(path)
    return stats.ino === ino && stats.dev === dev
  } catch {
    return false
  }
}

function touch({ fd }: OpenLock): void {
  if (fd === undefined) return
  try {
    const { atimeMs, mtimeMs } = fstatSync(fd)
    futimesSync(fd, atimeMs / 1_000, mtimeMs / 1_000)
  } catch {
    // The next ping retries.
  }
}

const toPingPath = (path: string): string => `${path}.ping`

function removeLeftovers(folder: string, self: Holder): void {
  for (const name of readdirSync(folder).filter((file) => LEFTOVER.test(file))) {
    const holder = readLock(join(folder, name))?.holder
    if (!holder || isHolding(holder, self) !== true) rmSync(join(folder, name), { force: true })
  }
}

export function isElsewhere({ space }: Holder): boolean {
  return space !== readPidSpace()
}

export function describeHolder(holder: Holder): string {
  const { pid, host, url } = holder
  const at = url === null ? '' : ` at ${url}`
  if (isElsewhere(holder)) {
    return `a server in another container or on another machine (pid ${pid}, host ${host}) is using it${at}`
  }
  return `${pid === process.pid ? 'this process' : `the server with pid ${pid}`} is using it${at}`
}

function createInUseError(holder: Holder, place: string): SandboxError {
  const remedy = 'Stop it, or choose another folder with the option data.'
  return new SandboxError('conflict', `Cannot use ${place}: ${describeHolder(holder)}. ${remedy}`)
}

function toLockError(error: unknown, place: string): unknown {
  if (error instanceof SandboxError) return error
  const fact = `${LOCK_FILE} cannot be written there: ${describeWriteError(error)}`
  const remedy = "Check the folder's permissions and the disk, or choose another folder with the option data."
  return new SandboxError('storage_unavailable', `Cannot use ${place}: ${fact}. ${remedy}`)
}
