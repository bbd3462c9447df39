/**
 * Stands between a server and its disk: counts what is done in a folder, fails or kills at a given operation, and keeps
 * a copy of what a power loss would leave.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'

// As they are before they are watched.
const { appendFileSync, copyFileSync, existsSync, fstatSync, readFileSync, readdirSync } = fs
const { renameSync, statSync, writeFileSync, writeSync } = fs

/** The `folder` that is watched, the one that gets what is `durable` of it, and the orders. */
let plan = {}
let count = 0
/** The paths of open files, by their descriptors. */
const paths = new Map()

/** How many operations there were since the last orders. */
export const operations = () => count

/**
 * Takes orders, which replace the ones before: to end as by `kill -9` in operation `killAt`, half of a write being
 * done; to fail operation `failAt`, and where it `lasts` all that follow, with `code`.
 */
export function arm({ killAt, failAt, code, lasts }) {
  plan = { ...plan, killAt, failAt, code, lasts }
  count = 0
}

const wholeFiles = ['readFile', 'writeFile', 'appendFile']

/** Begins to watch. */
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

/** The prototype of promised file handles is to be had from one of them only. */
let areHandlesWrapped = false
function wrapHandles(handle) {
  if (areHandlesWrapped) return
  areHandlesWrapped = true
  const prototype = Object.getPrototypeOf(handle)
  for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate']) {
    wrap(prototype, name, 'promise', (_, { fd }) => paths.get(fd))
  }
}

function wrap(owner, name, style, pathOf) {
  const original = owner[name]
  const wrappers = {
    sync(...args) {
      const path = before(name, pathOf(args, this), args)
      return after(name, path, args, original.apply(this, args), this)
    },
    async promise(...args) {
      const path = before(name, pathOf(args, this), args)
      return after(name, path, args, await original.apply(this, args), this)
    },
    callback(...args) {
      const callback = args.pop()
      let path
      try {
        path = before(name, pathOf(args, this), args)
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
  // What util.promisify() knows of a function stands in its properties.
  owner[name] = Object.defineProperties(wrappers[style], Object.getOwnPropertyDescriptors(original))
}

/** Counts an operation, and obeys the orders. Gives its path; undefined for one elsewhere. */
function before(name, path, args) {
  if (typeof path !== 'string' || (path !== plan.folder && dirname(path) !== plan.folder)) return undefined
  count += 1
  if (count === plan.killAt) {
    writeHalf(name, args)
    process.kill(process.pid, 'SIGKILL')
  }
  // What is full can be read.
  const isSpared = plan.code === 'ENOSPC' && name.startsWith('read')
  if (!isSpared && (count === plan.failAt || (plan.lasts && count > plan.failAt))) {
    throw Object.assign(new Error(`${plan.code}: by order, ${name}`), { code: plan.code })
  }
  if (name.startsWith('rename') && plan.durable !== undefined) noteUnsynced(path)
  return path
}

/** Does half of a write of bytes at a place. */
function writeHalf(name, [fd, bytes, ...rest]) {
  const first = Array.isArray(bytes) ? bytes[0] : bytes
  const position = name.startsWith('writev') ? rest[0] : rest[2]
  if (!/^writev?(?:Sync)?$/.test(name) || typeof position !== 'number') return
  writeSync(fd, first, 0, Math.floor(first.length / 2), position)
}

/** Remembers what was opened, and what has become durable. */
function after(name, path, args, result, handle) {
  if (name.startsWith('open')) opened(typeof result === 'number' ? result : result.fd, path, result)
  else if (path !== undefined && plan.durable !== undefined && /^f?(?:data)?sync/.test(name)) {
    keepDurable(path, typeof args[0] === 'number' ? args[0] : handle.fd)
  }
  return result
}

function opened(fd, path, handle) {
  // It may have been the descriptor of another file.
  paths.delete(fd)
  if (path === undefined) return
  paths.set(fd, path)
  if (typeof handle === 'object') wrapHandles(handle)
}

/**
 * Copies what a sync has made durable: the bytes of a file under its identity, or the names of a folder with theirs.
 * Nothing else is written meanwhile, as the server writes one thing at a time.
 */
function keepDurable(path, fd) {
  const stat = fstatSync(fd)
  const name = stat.isDirectory() ? 'names.json' : identityOf(stat)
  const temporary = join(plan.durable, 'temporary')
  if (stat.isDirectory()) writeFileSync(temporary, JSON.stringify(namesOf(path)))
  else copyFileSync(path, temporary)
  // Whole or not at all, as this process may be killed meanwhile.
  renameSync(temporary, join(plan.durable, name))
}

/** What is there at the beginning is durable. */
function keepAll() {
  for (const name of readdirSync(plan.folder)) {
    const path = join(plan.folder, name)
    copyFileSync(path, join(plan.durable, identityOf(statSync(path))))
  }
  writeFileSync(join(plan.durable, 'names.json'), JSON.stringify(namesOf(plan.folder)))
}

function noteUnsynced(path) {
  const kept = join(plan.durable, identityOf(statSync(path)))
  if (existsSync(kept) && readFileSync(kept).equals(readFileSync(path))) return
  appendFileSync(join(plan.durable, 'unsynced'), `${basename(path)}\n`)
}

const namesOf = (folder) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, identityOf(statSync(join(folder, name)))]))

/** The number of a file, which another may be given once it is gone, and when it was made. */
const identityOf = ({ ino, birthtimeMs }) => `${ino}-${birthtimeMs}`
