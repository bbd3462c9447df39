import * as fs from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import * as z from 'zod'

import { SandboxError } from '../../core/errors.ts'
import { InvalidContent } from '../../core/json-text.ts'
import { parseJson } from '../../core/json.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { requireFile } from './json-file.ts'
import { describeWriteError, errorCode } from './storage-errors.ts'

const BEAT_MS = 400

/** How long a process that cannot look the holder up waits for a beat before it takes the lock. */
const SILENCE_MS = 4_000

/** The same for a lock that cannot be read: only an edit, or the end of its process while it wrote, makes one. */
const UNREADABLE_SILENCE_MS = 1_200

const POLL_MS = 100

const Holder = lazyObject(() => ({
  pid: z.int().positive(),
  /** Tells the process from a later one with its pid; null if the system does not say when it began. */
  started: z.string().nullable(),
  /** The boot and the PID namespace: in another one, the same pid is another process. */
  space: z.string(),
  host: z.string(),
  /** Identifies the folder, so that a copy of a locked folder is not locked. */
  folder: z.string(),
  url: z.string().nullable(),
}))
export type Holder = Readonly<z.output<typeof Holder>>

/** A server uses the folder. */
export class FolderInUse extends SandboxError {
  /** Names the server and its address, without the folder. */
  readonly fact: string

  constructor(place: string, holder: Holder | undefined) {
    const fact = holder ? describeHolder(holder) : 'a server whose lock.json there cannot be read is using it'
    super('conflict', `Cannot use ${place}: ${fact}. Stop it, or choose another folder with the option data.`)
    this.fact = fact
  }
}

/**
 * Takes the lock of a folder. Of several processes that try at once, exactly one succeeds. A holder on this machine is
 * looked up by its pid and start; any other one has to touch the lock several times a second.
 * Errors: FolderInUse with pid and address of the holder; storage_unavailable if the folder cannot be written.
 */
export async function takeLock(place: string): Promise<Lock> {
  const path = resolve(place, 'lock.json')
  try {
    const self = describeSelf(place)
    for (;;) {
      const fd = create(path, self)
      if (fd !== undefined) return hold(path, fd, self)
      // Again if another process was faster.
      const found = await inspect(path, self)
      if (found?.isHeld) throw new FolderInUse(place, found.holder)
      if (found) remove(path, found.text)
    }
  } catch (error) {
    if (error instanceof SandboxError) throw error
    const { message, remedy } =
      error instanceof InvalidContent
        ? error
        : {
            message: describeWriteError(error),
            remedy:
              "Check the folder's permissions and the disk, or choose another folder with the option data.",
          }
    const fact = `lock.json cannot be written there: ${message}`
    throw new SandboxError('storage_unavailable', `Cannot use ${place}: ${fact}. ${remedy}`)
  }
}

/** Finds who holds the lock of a folder; undefined also if the lock cannot be read. */
export async function findHolder(place: string): Promise<Holder | undefined> {
  const path = resolve(place, 'lock.json')
  const found = fs.existsSync(path) ? await inspect(path, describeSelf(place)) : undefined
  return found?.isHeld ? found.holder : undefined
}

export const isElsewhere = ({ space }: Holder): boolean => space !== readSpace()

export function describeHolder(holder: Holder): string {
  const { pid, host, url } = holder
  const at = url === null ? '' : ` at ${url}`
  if (isElsewhere(holder))
    return `a server in another container or on another machine (pid ${pid}, host ${host}) is using it${at}`
  return `${pid === process.pid ? 'this process' : `the server with pid ${pid}`} is using it${at}`
}

export type Lock = ReturnType<typeof hold>

/** Creates a lock unless there is one. Returns its file descriptor. */
function create(path: string, holder: Holder): number | undefined {
  let fd: number | undefined
  try {
    fd = fs.openSync(path, 'wx+')
    fs.writeSync(fd, `${JSON.stringify(holder)}\n`)
    return fd
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined
    if (fd === undefined) throw error
    fs.closeSync(fd)
    fs.rmSync(path, { force: true })
    throw error
  }
}

/** Removes the lock of a process that is gone. The lock that a faster process has created meanwhile is put back. */
function remove(path: string, text: string): void {
  const aside = `${path}.${process.pid}`
  try {
    fs.renameSync(path, aside)
    if (read(aside)?.text === text) fs.rmSync(aside)
    else fs.renameSync(aside, path)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

function hold(path: string, fd: number, self: Holder) {
  const { dev, ino, atime, mtime } = fs.fstatSync(fd)
  /** Errors: storage_unavailable if the lock is lost. */
  const check = (): void => {
    const stats = fs.statSync(path, { throwIfNoEntry: false })
    if (stats?.ino === ino && stats.dev === dev) return
    const fact = 'another process has taken over the folder, or it was deleted'
    throw new SandboxError('storage_unavailable', `Cannot write: ${fact}. Start the sandbox again.`)
  }
  // Sets the times to what they are, which changes the time of the last change.
  const beating = setInterval(() => fs.futimes(fd, atime, mtime, () => undefined), BEAT_MS).unref()
  return {
    check,
    announce: (url: string): void => {
      // NOTE: a Buffer, because Deno appends a string whatever its position; with its length, which Bun requires.
      const bytes = Buffer.from(`${JSON.stringify({ ...self, url })}\n`)
      attempt(() => fs.writeSync(fd, bytes, 0, bytes.length, 0))
    },
    release: (): void => {
      clearInterval(beating)
      attempt(() => {
        check()
        fs.rmSync(path)
      })
      fs.closeSync(fd)
    },
  }
}

/** Does what may fail: a lock holds without its address, and one that is left behind does not block. */
function attempt<R>(work: () => R): R | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

interface Inspected {
  readonly text: string
  readonly isHeld: boolean
  /** Undefined if the lock cannot be read. */
  readonly holder: Holder | undefined
}

/** Reads the lock of a folder, which is complete after a moment, and finds out whether its holder is alive; undefined if there is none. */
async function inspect(path: string, self: Holder): Promise<Inspected | undefined> {
  const found = read(path)
  if (!found) return undefined
  const { text, changed } = found
  const holder = Holder.safeParse(parseJson(text)).data
  if (holder && holder.space === self.space) {
    const start = holder.folder === self.folder ? findStart(holder.pid) : undefined
    if (start === undefined) return { text, isHeld: false, holder }
    // Otherwise the pid may belong to another process by now.
    if (start !== null && holder.started !== null) return { text, isHeld: start === holder.started, holder }
  }
  const silenceMs = holder ? SILENCE_MS : UNREADABLE_SILENCE_MS
  let isHeld = false
  for (let waitedMs = 0; isHeld || waitedMs < silenceMs; waitedMs += POLL_MS) {
    await delay(POLL_MS)
    const now = read(path)
    if (now?.text !== text) return inspect(path, self)
    // Once more, because it also changes when another process takes it over, whose text is there a moment later.
    if (isHeld) break
    isHeld = now.changed !== changed
  }
  return { text, isHeld, holder }
}

function read(path: string) {
  try {
    requireFile(path)
    // Opened, because a network disk then looks up what has changed.
    const fd = fs.openSync(path, 'r')
    try {
      return { text: fs.readFileSync(fd, 'utf8'), changed: fs.fstatSync(fd, { bigint: true }).ctimeNs }
    } finally {
      fs.closeSync(fd)
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return undefined
  }
}

function describeSelf(place: string): Holder {
  const { dev, ino } = fs.statSync(place, { bigint: true })
  const { pid } = process
  const started = findStart(pid) ?? null
  return { pid, started, space: readSpace(), host: hostname(), folder: `${dev}/${ino}`, url: null }
}

/** Source: pid_namespaces(7). */
function readSpace(): string {
  const boot = attempt(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
  const namespace = attempt(() => fs.readlinkSync('/proc/self/ns/pid'))
  return boot && namespace ? `${boot}/${namespace}` : hostname()
}

/** Finds when a process began: null if the system does not tell, undefined if it has ended. Source: proc(5), `/proc/pid/stat`. */
function findStart(pid: number): string | null | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return undefined
  }
  const stat = attempt(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return null
  // The name, field 2, may contain anything; the last parenthesis ends it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie has ended, but its parent has not read its exit status.
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}
