/**
 * Intercepts the disk operations of a server: counts those in a folder, fails or kills the process at a given one, and
 * keeps a copy of what a power loss would leave.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'

// The original functions, before they are wrapped.
const { appendFileSync, copyFileSync, existsSync, fstatSync, readFileSync, readdirSync } = fs
const { renameSync, statSync, writeFileSync, writeSync } = fs

/** The watched `folder`, the folder for a copy of its `durable` content, and the orders. */
let plan = {}
let count = 0
/** The paths of open files, by their descriptors. */
const paths = new Map()

/** Returns the number of operations since the last orders. */
export const operations = () => count

/**
 * Replaces the orders: kill the process in operation `killAt`, halfway through a write; fail operation `failAt` with
 * `code`, and all that follow if it `lasts`.
 */
export function arm({ killAt, failAt, code, lasts }) {
  plan = { ...plan, killAt, failAt, code, lasts }
  count = 0
}

const wholeFiles = ['readFile', 'writeFile', 'appendFile']

/** Starts to intercept operations. */
export function watchDisk(given) {
  plan = given
  if (plan.durable !== undefined && existsSync(plan.folder)) keepAll()
  for (const name of ['mkdir', 'open', 'rename', 'link', 'rm', 'unlink', 'truncate', ...wholeFiles]) {
    wrap(fs, name, 'callback', ([path]) => path)
    wrap(fs, `${name}Sync`, 'sync', ([path]) => path)
    wrap(fs.promises, name, 'promise', ([path]) => path)
  }
  for (const name of ['write', 'writev', 'fsync', 'fdatasync', 'ftruncate']) {
    wrap(fs, name, 'callback', ([fd]) => paths.get(fd))
    wrap(fs, `${name}Sync`, 'sync', ([fd]) => paths.get(fd))
  }
  syncBuiltinESMExports()
}

/** The prototype of file handles in node:fs/promises is available only from a handle. */
let areHandlesWrapped = false
function wrapHandles(handle) {
  if (areHandlesWrapped) return
  areHandlesWrapped = true
  const prototype = Object.getPrototypeOf(handle)
  for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate']) {
    wrap(prototype, name, 'promise', (_, { fd }) => paths.get(fd))
  }
}

function wrap(owner, name, style, getPath) {
  const original = owner[name]
  const wrappers = {
    sync(...args) {
      const path = before(name, getPath(args, this), args)
      return after(name, path, args, original.apply(this, args), this)
    },
    async promise(...args) {
      const path = before(name, getPath(args, this), args)
      return after(name, path, args, await original.apply(this, args), this)
    },
    callback(...args) {
      const callback = args.pop()
      let path
      try {
        path = before(name, getPath(args, this), args)
      } catch (error) {
        process.nextTick(callback, error)
        return
      }
      original.call(this, ...args, (error, ...results) => {
        if (!error) after(name, path, args, results[0], this)
        callback(error, ...results)
      })
    },
  }
  // util.promisify() reads the properties of a function.
  owner[name] = Object.defineProperties(wrappers[style], Object.getOwnPropertyDescriptors(original))
}

/** Counts an operation and follows the orders. Returns its path; undefined if it is not in the folder. */
function before(name, path, args) {
  if (typeof path !== 'string' || (path !== plan.folder && dirname(path) !== plan.folder)) return undefined
  count += 1
  if (count === plan.killAt) {
    writeHalf(name, args)
    process.kill(process.pid, 'SIGKILL')
  }
  // A full disk can still be read.
  const isSpared = plan.code === 'ENOSPC' && name.startsWith('read')
  if (!isSpared && (count === plan.failAt || (plan.lasts && count > plan.failAt))) {
    throw Object.assign(new Error(`${plan.code}: simulated in ${name}`), { code: plan.code })
  }
  if (name.startsWith('rename') && plan.durable !== undefined) noteUnsynced(path)
  return path
}

/** Does half of a write at a position. */
function writeHalf(name, [fd, bytes, ...rest]) {
  const first = Array.isArray(bytes) ? bytes[0] : bytes
  const position = name.startsWith('writev') ? rest[0] : rest[2]
  if (!/^writev?(?:Sync)?$/.test(name) || typeof position !== 'number') return
  writeSync(fd, first, 0, Math.floor(first.length / 2), position)
}

/** Records the opened files, and copies what has become durable. */
function after(name, path, args, result, handle) {
  if (name.startsWith('open')) opened(typeof result === 'number' ? result : result.fd, path, result)
  else if (path !== undefined && plan.durable !== undefined && /^f?(?:data)?sync/.test(name)) {
    keepDurable(path, typeof args[0] === 'number' ? args[0] : handle.fd)
  }
  return result
}

function opened(fd, path, handle) {
  // The descriptor may have belonged to another file.
  paths.delete(fd)
  if (path === undefined) return
  paths.set(fd, path)
  if (typeof handle === 'object') wrapHandles(handle)
}

/**
 * Copies what a sync has made durable: the bytes of a file, named by its identity, or the names in a folder with their
 * identities. Nothing else is written meanwhile, as the server writes one thing at a time.
 */
function keepDurable(path, fd) {
  const stat = fstatSync(fd)
  const name = stat.isDirectory() ? 'names.json' : getIdentity(stat)
  const temporary = join(plan.durable, 'temporary')
  if (stat.isDirectory()) writeFileSync(temporary, JSON.stringify(readNames(path)))
  else copyFileSync(path, temporary)
  // Atomically, as this process may be killed meanwhile.
  renameSync(temporary, join(plan.durable, name))
}

/** Copies everything, since existing files are durable. */
function keepAll() {
  for (const name of readdirSync(plan.folder)) {
    const path = join(plan.folder, name)
    copyFileSync(path, join(plan.durable, getIdentity(statSync(path))))
  }
  writeFileSync(join(plan.durable, 'names.json'), JSON.stringify(readNames(plan.folder)))
}

function noteUnsynced(path) {
  const kept = join(plan.durable, getIdentity(statSync(path)))
  if (existsSync(kept) && readFileSync(kept).equals(readFileSync(path))) return
  appendFileSync(join(plan.durable, 'unsynced'), `${basename(path)}\n`)
}

const readNames = (folder) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, getIdentity(statSync(join(folder, name)))]))

/** Identifies a file by its inode and its creation time, as inodes are reused. */
const getIdentity = ({ ino, birthtimeMs }) => `${ino}-${birthtimeMs}`
