import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import * as z from 'zod'

import { SandboxError } from '../contract/errors.ts'
import { codeOf, writingFact } from './disk.ts'
import { isRunning, startOf } from './running.ts'

const FILE = 'lock.json'
/** A guard is named after the lock that it lets its maker remove; what ends with `new` was to become one of both. */
const LEFT = /^lock\.json\.[0-9a-f]{16}(?:\.new)?$/

const Holder = z.object({
  pid: z.int().positive(),
  started: z.string().nullable(),
  folder: z.string(),
  url: z.string().nullable(),
})

/** The process that has a folder. */
export interface Holder {
  readonly pid: number
  /** When the process began, in the words of its system; null where that is not to be known. */
  readonly started: string | null
  /** Which folder it has; a copy of a folder in use is not in use. */
  readonly folder: string
  /** Where it listens; null before it does. */
  readonly url: string | null
}

/** The right to write in a folder. */
export interface Lock {
  /** Tells others where the holder listens. */
  announce(url: string): void
  /** Says whether the folder is still ours; it may have been deleted, and taken by another. */
  isHeld(): boolean
  release(): void
}

/** A lock as it was found: the same identity, the same lock. */
interface Found {
  readonly identity: string
  readonly holder: Holder | undefined
}

/**
 * Takes a folder for this process. Of several that try at once exactly one succeeds; what a process left that
 * is gone, or that is no lock at all, does not count.
 * Errors: conflict with pid and address of the holder; storage_unavailable where the folder cannot be written.
 */
export async function takeLock(folder: string, place: string): Promise<Lock> {
  const path = join(folder, FILE)
  const started = startOf(process.pid) ?? null
  const own: Holder = { pid: process.pid, started, folder: identityOf(folder), url: null }
  try {
    while (!created(path, own)) {
      // oxlint-disable-next-line no-await-in-loop -- until it is clear whose it is
      const holder = await removeUnlessHeld(path, own)
      if (holder) throw inUse(holder, place)
    }
    removeLeftGuards(folder, own.folder)
  } catch (error) {
    if (error instanceof SandboxError) throw error
    const fact = `${FILE} cannot be written there: ${writingFact(error)}`
    throw new SandboxError(
      'storage_unavailable',
      `Cannot use ${place}: ${fact}. See to it, or choose another folder with --data.`,
    )
  }
  return heldLock(path, own)
}

/** The running process that has a folder; undefined where none has. */
export async function holderOf(folder: string): Promise<Holder | undefined> {
  const found = await settled(join(folder, FILE))
  return found && inForce(found.holder, identityOf(folder))
}

function heldLock(path: string, own: Holder): Lock {
  let content = textOf(own)
  const isHeld = () => contentOf(path) === content
  return {
    isHeld,
    announce: (url) => {
      if (!isHeld()) return
      const announced = textOf({ ...own, url })
      const temporary = `${path}.tmp`
      try {
        writeFileSync(temporary, announced)
        renameSync(temporary, path)
        content = announced
      } catch {
        // The lock holds without the address, too.
        removeIfPossible(temporary)
      }
    },
    release: () => {
      if (isHeld()) removeIfPossible(path)
    },
  }
}

/** Removes a file, where the disk lets us: what a process leaves that is gone is in nobody's way. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // See above.
  }
}

/**
 * Removes a lock whose holder is gone, else answers its holder. Whoever makes the guard of a lock may remove that
 * lock, and nobody else; so nobody removes the lock of one who was faster.
 */
async function removeUnlessHeld(path: string, own: Holder): Promise<Holder | undefined> {
  const found = await settled(path)
  if (!found) return undefined
  const holder = inForce(found.holder, own.folder)
  if (holder) return holder
  const guard = `${path}.${hashOf(found.identity)}`
  if (!created(guard, own)) {
    // Another is at it, or was when it ended.
    if (await removeUnlessHeld(guard, own)) await delay(10)
    return undefined
  }
  try {
    if (look(path)?.identity === found.identity) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
  return undefined
}

/** The holder of a lock, where it is still running and the lock was made for this folder. */
function inForce(holder: Holder | undefined, folder: string): Holder | undefined {
  return holder?.folder === folder && isRunning(holder) ? holder : undefined
}

function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  return `${dev}/${ino}`
}

/**
 * Makes a lock, or says that there is one. It is there as a whole at once: one that others find empty, because its
 * maker has not come to write it yet, they would take for what a power loss has left.
 */
function created(path: string, holder: Holder): boolean {
  const text = textOf(holder)
  const whole = join(dirname(path), `${FILE}.${hashOf(path + text)}.new`)
  writeFileSync(whole, text)
  try {
    linkSync(whole, path)
    return true
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : createdInPlace(path, text)
  } finally {
    removeIfPossible(whole)
  }
}

/** Makes a lock on a disk that knows no links. */
function createdInPlace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** A lock that is no longer being written: one that tells no holder is looked at again a moment later. */
async function settled(path: string): Promise<Found | undefined> {
  const found = look(path)
  if (!found || found.holder) return found
  await delay(50)
  return look(path)
}

function look(path: string): Found | undefined {
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
    return { identity: `${ino}/${ctimeNs}/${content}`, holder: holderIn(content) }
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

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function removeLeftGuards(folder: string, identity: string): void {
  for (const name of readdirSync(folder).filter((file) => LEFT.test(file))) {
    if (!inForce(look(join(folder, name))?.holder, identity)) rmSync(join(folder, name), { force: true })
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const textOf = (holder: Holder): string => `${JSON.stringify({ format: 1, ...holder })}\n`

function inUse({ pid, url }: Holder, place: string): SandboxError {
  const by = pid === process.pid ? 'this process' : `the server with pid ${pid}`
  const at = url === null ? '' : ` at ${url}`
  const what = 'Stop it, or choose another folder with --data.'
  return new SandboxError('conflict', `Cannot use ${place}: ${by} is using it${at}. ${what}`)
}
