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

import { SandboxError } from '../contract/errors.ts'
import { writingFact } from './disk.ts'
import {
  createLock,
  type Found,
  type Holder,
  LOCK_FILE,
  look,
  ownHolder,
  removeIfPossible,
  shortHash,
  writeLock,
} from './lock-file.ts'
import { isRunning, pidSpace } from './running.ts'

/** Files that contenders may leave behind: guards, each named after the lock that it guards, and temporary files. */
const LEFT = /^lock\.json\.(?:tmp|knock|[0-9a-f]{16}(?:\.new|\.knock)?)$/

/** How often a holder looks for a knock. */
const LISTEN_MS = 500
/** How long a contender waits for an answer: several times as long as a holder takes. */
const PATIENCE_MS = 2_000
const KNOCK_MS = 100

/** The right to write in a folder. */
export interface Lock {
  /** Whether it was taken from a process that did not answer, and may yet wake up and write. */
  readonly isContested: boolean
  /** Tells others the address that the holder listens on. */
  announce(url: string): void
  /** Says whether the lock is still ours: it may have been deleted, or replaced by another process. */
  isHeld(): boolean
  release(): void
}

/**
 * What a contender finds: the holder is alive, or dead, or it cannot be looked up and does not answer, or the lock has
 * changed meanwhile.
 */
type State = 'alive' | 'dead' | 'silent' | 'changed'

/**
 * Takes a folder for this process. Of several that try at once exactly one succeeds. A lock left by a dead process does
 * not block, nor does a file that is no lock at all.
 * Errors: conflict with pid and address of the holder; storage_unavailable where the folder cannot be written.
 */
export async function takeLock(folder: string, place: string): Promise<Lock> {
  const path = join(folder, LOCK_FILE)
  try {
    const own = ownHolder(folder)
    let outcome: State = 'dead'
    while (!createLock(path, own)) {
      // oxlint-disable-next-line no-await-in-loop -- until it is clear whose it is
      const found = await settledLock(path)
      if (!found) continue
      // oxlint-disable-next-line no-await-in-loop -- as above
      outcome = await replaceUnlessAlive(path, found, own, () => {
        writeLock(`${path}.tmp`, own)
        renameSync(`${path}.tmp`, path)
      })
      if (outcome === 'alive' && found.holder) throw inUse(found.holder, place)
      if (outcome !== 'changed') break
    }
    removeLeftFiles(folder, own)
    return heldLock(path, own, outcome === 'silent')
  } catch (error) {
    throw unusable(error, place)
  }
}

/** The live process that has a folder; undefined if none has. Errors: storage_unavailable. */
export async function holderOf(folder: string, place: string): Promise<Holder | undefined> {
  const path = join(folder, LOCK_FILE)
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until it is clear whose it is
      const found = await settledLock(path)
      if (!found) return undefined
      // oxlint-disable-next-line no-await-in-loop -- as above
      const state = await stateOf(path, found, ownHolder(folder))
      if (state !== 'changed') return state === 'alive' ? found.holder : undefined
    }
  } catch (error) {
    throw unusable(error, place)
  }
}

/**
 * Replaces a lock, unless its holder is alive. Only the process that creates the guard of a lock may replace that lock,
 * so nobody replaces the lock of a process that was faster.
 */
async function replaceUnlessAlive(
  path: string,
  found: Found,
  own: Holder,
  replace: () => void,
): Promise<State> {
  const state = await stateOf(path, found, own)
  if (state === 'alive' || state === 'changed') return state
  const guard = `${path}.${shortHash(found.identity)}`
  if (!createLock(guard, own)) {
    // Another process is replacing it, or was when it ended.
    const other = await settledLock(guard)
    const isBusy =
      other && (await replaceUnlessAlive(guard, other, own, () => rmSync(guard, { force: true }))) === 'alive'
    if (isBusy) await delay(10)
    return 'changed'
  }
  try {
    if (look(path)?.identity !== found.identity) return 'changed'
    replace()
    return state
  } finally {
    rmSync(guard, { force: true })
  }
}

async function stateOf(path: string, found: Found, own: Holder): Promise<State> {
  const { holder } = found
  if (!holder) return 'dead'
  const isRunningHere = here(holder, own)
  if (isRunningHere !== undefined) return isRunningHere ? 'alive' : 'dead'
  return knock(path, found)
}

/** Says whether a holder is running and has this folder; undefined if that cannot be seen from here. */
function here(holder: Holder, own: Holder): boolean | undefined {
  if (holder.space !== own.space) return undefined
  return holder.folder === own.folder && isRunning(holder)
}

/** Asks the holder of a lock to touch it, which it does while it is alive. */
async function knock(path: string, { identity, content }: Found): Promise<State> {
  const file = knockOf(path)
  try {
    for (let waited = 0; waited < PATIENCE_MS; waited += KNOCK_MS) {
      // Each time, because another contender removes it when it has its answer.
      writeFileSync(file, '')
      // oxlint-disable-next-line no-await-in-loop -- until it answers
      await delay(KNOCK_MS)
      const now = look(path)
      if (now?.content !== content) return 'changed'
      if (now.identity !== identity) return 'alive'
    }
    return 'silent'
  } finally {
    removeIfPossible(file)
  }
}

/** Reads a lock that is no longer being written: one without a holder is looked at again a moment later. */
async function settledLock(path: string): Promise<Found | undefined> {
  const found = look(path)
  if (!found || found.holder) return found
  await delay(50)
  return look(path)
}

function heldLock(path: string, own: Holder, isContested: boolean): Lock {
  let held = openLock(path)
  const isHeld = () => isSameFile(path, held)
  const listening = setInterval(() => {
    if (existsSync(knockOf(path))) touch(held)
  }, LISTEN_MS).unref()
  return {
    isContested,
    isHeld,
    announce: (url) => {
      if (isHeld()) held = announced(path, { ...own, url }, held)
    },
    release: () => {
      clearInterval(listening)
      const isOurs = isHeld()
      close(held)
      if (isOurs) removeIfPossible(path)
    },
  }
}

/** A lock that is kept open, if the disk lets us: meanwhile no other file is given its number. */
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

/** Replaces our lock by one with an address. Without it, the lock holds, too. */
function announced(path: string, holder: Holder, held: OpenLock): OpenLock {
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
    const found = statSync(path)
    return found.ino === ino && found.dev === dev
  } catch {
    return false
  }
}

/** Changes the time of a lock's last change, by which a contender sees that its holder is alive. */
function touch({ fd }: OpenLock): void {
  if (fd === undefined) return
  try {
    const { atimeMs, mtimeMs } = fstatSync(fd)
    futimesSync(fd, atimeMs / 1_000, mtimeMs / 1_000)
  } catch {
    // A disk that fails now may let us answer the next time.
  }
}

const knockOf = (path: string): string => `${path}.knock`

function removeLeftFiles(folder: string, own: Holder): void {
  for (const name of readdirSync(folder).filter((file) => LEFT.test(file))) {
    const holder = look(join(folder, name))?.holder
    if (!holder || here(holder, own) !== true) rmSync(join(folder, name), { force: true })
  }
}

/** Says whether a holder is in another container or on another machine, as far as its pid tells. */
export function isElsewhere({ space }: Holder): boolean {
  return space !== pidSpace()
}

/** Says in an error message who has a folder. */
export function describeHolder(holder: Holder): string {
  const { pid, host, url } = holder
  const at = url === null ? '' : ` at ${url}`
  if (isElsewhere(holder)) {
    return `a server in another container or on another machine (pid ${pid}, host ${host}) is using it${at}`
  }
  return `${pid === process.pid ? 'this process' : `the server with pid ${pid}`} is using it${at}`
}

function inUse(holder: Holder, place: string): SandboxError {
  const remedy = 'Stop it, or choose another folder with --data.'
  return new SandboxError('conflict', `Cannot use ${place}: ${describeHolder(holder)}. ${remedy}`)
}

function unusable(error: unknown, place: string): unknown {
  if (error instanceof SandboxError) return error
  const fact = `${LOCK_FILE} cannot be written there: ${writingFact(error)}`
  const remedy = "Check the folder's permissions and the disk, or choose another folder with --data."
  return new SandboxError('storage_unavailable', `Cannot use ${place}: ${fact}. ${remedy}`)
}
