import type * as promises from 'node:fs/promises'
import { join } from 'node:path'

// The real functions, since those of the tests are replaced.
const fs = process.getBuiltinModule('node:fs')

/** Orders for a disk. Operations are counted from 1. */
export interface Orders {
  /** The operation in which the process ends, halfway through a write. */
  readonly stopAt?: number
  /** The operation that fails. */
  readonly failAt?: number
  /** The code of the error, as in `EIO`. */
  readonly code?: string
  /** Whether all that follow fail, too. */
  readonly lasts?: boolean
  /** Whether reads may fail, too. */
  readonly failsReads?: boolean
  /** Whether a rename is done although it is reported as failed. */
  readonly isDone?: boolean
}

/** A file under any name, with the content that a power loss leaves. */
interface File {
  durable: Buffer
}

/** Simulates the disk below a folder of real files: fails, stops and loses power in the middle of an operation. */
class Disk {
  readonly folder: string
  /** The number of operations since the latest orders. */
  count = 0
  /** The names of files that were renamed before they were durable. */
  readonly unsynced: string[] = []
  #orders: Orders = {}
  readonly #names = new Map<string, File>()
  #durableNames: ReadonlyMap<string, File>
  readonly #open = new Map<number, File | undefined>()

  /** Existing files are durable. */
  constructor(folder: string) {
    this.folder = folder
    for (const name of fs.readdirSync(folder)) this.#names.set(name, { durable: this.#read(name) })
    this.#durableNames = new Map(this.#names)
  }

  order(orders: Orders): void {
    this.#orders = orders
    this.count = 0
  }

  /** Writes what a power loss leaves; `isKept` chooses what has reached the disk although nothing has flushed it. */
  leave(folder: string, isKept: () => boolean): void {
    const names = isKept() ? this.#names : this.#durableNames
    for (const [name, file] of names) {
      const now = isKept() ? this.#findName(file) : undefined
      fs.writeFileSync(join(folder, name), now === undefined ? file.durable : this.#read(now))
    }
  }

  /** Runs an operation on a path or an open file, unless the orders forbid it. */
  run<R>(name: string, target: unknown, args: readonly unknown[], work: () => R): R {
    const label = typeof target === 'string' ? this.#label(target) : undefined
    const isOpen = typeof target === 'number' && this.#open.has(target)
    if (label === undefined && !isOpen) return work()
    this.count += 1
    const { stopAt = Infinity, failAt = Infinity, code = '', lasts, isDone, failsReads } = this.#orders
    if (this.count === stopAt && name === 'writeSync') writeHalf(args)
    if (this.count >= stopAt) throw new Error('The process has ended.')
    // A full disk can still be read, and files be cut off and removed.
    const isFolder = label === '' || (isOpen && this.#open.get(target) === undefined)
    const frees = code === 'ENOSPC' && (isFolder || /^(?:rm|ftruncate)/.test(name))
    const isSpared = frees || (!failsReads && name.startsWith('read'))
    const fails = !isSpared && (lasts ? this.count >= failAt : this.count === failAt)
    if (fails && !(isDone && name === 'renameSync')) throw createError(name, code)
    const result = work()
    if (label !== undefined) this.#note(name, label, args)
    if (fails) throw createError(name, code)
    return result
  }

  opened(fd: number, path: string): void {
    this.#open.delete(fd)
    const label = this.#label(path)
    if (label === undefined) return
    if (label !== '' && !this.#names.has(label)) this.#names.set(label, { durable: Buffer.alloc(0) })
    this.#open.set(fd, this.#names.get(label))
  }

  /** Notes what a sync has made durable: the content of a file, or the names in the folder. */
  synced(fd: number): void {
    if (!this.#open.has(fd)) return
    const file = this.#open.get(fd)
    const name = file && this.#findName(file)
    if (!file) this.#durableNames = new Map(this.#names)
    else if (name !== undefined) file.durable = this.#read(name)
  }

  #note(name: string, label: string, [, to]: readonly unknown[]): void {
    const file = this.#names.get(label)
    if (/^(?:rm|rename)/.test(name)) this.#names.delete(label)
    if (name === 'writeFileSync') this.#names.set(label, { durable: Buffer.alloc(0) })
    const next = name === 'renameSync' ? this.#label(String(to)) : undefined
    if (!file || next === undefined) return
    this.#names.set(next, file)
    if (!file.durable.equals(this.#read(next))) this.unsynced.push(next)
  }

  #label(path: string): string | undefined {
    if (path === this.folder) return ''
    return path.startsWith(`${this.folder}/`) ? path.slice(this.folder.length + 1) : undefined
  }

  #findName = (file: File): string | undefined => Array.from(this.#names).find(([, one]) => one === file)?.[0]

  #read = (name: string): Buffer => fs.readFileSync(join(this.folder, name))
}

let disk: Disk | undefined

/** Simulates the disk of a folder from now on. */
export function simulateDisk(folder: string): Disk {
  disk = new Disk(folder)
  return disk
}

const createError = (name: string, code: string): Error =>
  Object.assign(new Error(`${code}: simulated in ${name}`), { code })

/** Does half of a write at a position. */
function writeHalf([fd, bytes, offset, length, position]: readonly unknown[]): void {
  if (typeof fd !== 'number' || !Buffer.isBuffer(bytes) || typeof position !== 'number') return
  fs.writeSync(fd, bytes, Number(offset), Math.floor(Number(length) / 2), position)
}

const run = <R>(name: string, target: unknown, args: readonly unknown[], work: () => R): R =>
  disk ? disk.run(name, target, args, work) : work()

type Call = (...args: readonly unknown[]) => unknown

const wrap =
  (name: string, work: Call): Call =>
  (...args) => {
    const result = run(name, args[0], args, () => work(...args))
    if (name === 'openSync') disk?.opened(Number(result), String(args[0]))
    return result
  }

const names = ['mkdirSync', 'openSync', 'readFileSync', 'writeFileSync', 'renameSync', 'rmSync'] as const

/** Creates a module node:fs whose functions the disk sees. */
export function createFs() {
  const sync = [...names, 'writeSync', 'ftruncateSync'] as const
  const wrapped = Object.fromEntries(sync.map((name) => [name, wrap(name, fs[name] as Call)]))
  const fdatasync = (fd: number, done: (error: unknown) => void): void => {
    try {
      run('fdatasync', fd, [fd], () => undefined)
    } catch (error) {
      process.nextTick(done, error)
      return
    }
    fs.fdatasync(fd, (error) => {
      disk?.synced(fd)
      done(error)
    })
  }
  const all = { ...fs, ...wrapped, fdatasync }
  return { ...all, default: all }
}

/** Creates a module node:fs/promises whose functions the disk sees. */
export function createFsPromises() {
  const open = async (path: string, flags: string): Promise<promises.FileHandle> => {
    const handle = await run('open', path, [path], () => fs.promises.open(path, flags))
    disk?.opened(handle.fd, path)
    const [write, sync] = [handle.writeFile.bind(handle), handle.sync.bind(handle)]
    handle.writeFile = async (data) => run('writeFile', handle.fd, [], () => write(data))
    handle.sync = async () => {
      await run('sync', handle.fd, [], sync)
      disk?.synced(handle.fd)
    }
    return handle
  }
  const rm = async (path: string, options: object) => run('rm', path, [], () => fs.promises.rm(path, options))
  const all = { ...fs.promises, open, rm }
  return { ...all, default: all }
}
