// Builds the named parts that are missing or older than their sources: first the library, whose build empties dist, then the
// others at the same time. Waits for another process that builds here, which may have built the same. What is named after
// --behind is built in the background, with the lowest priority.
// Examples: node .ci/build-if-stale.mjs cli console --behind datasets docs
//           node .ci/build-if-stale.mjs --git-dependency   (only if npm is packing a Git dependency)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { argv, env, exit, kill, pid, platform } from 'node:process'
import { setTimeout } from 'node:timers/promises'

const sources = [
  'src',
  'seed',
  'fixtures',
  'package.json',
  'vite.config.ts',
  'tsconfig.json',
  'tsconfig.build.json',
]

/** The outputs of each npm script; a script writes more than these. */
const parts = {
  library: { script: 'build:library', outputs: ['dist/index.js', 'dist/fixture.schema.json'] },
  cli: { script: 'build:cli', outputs: ['dist/cli.js'] },
  datasets: {
    script: 'build:datasets',
    outputs: ['dist/datasets/small-default-dataset.js', 'dist/datasets/medium-default-dataset.js'],
  },
  console: { script: 'build:console', outputs: ['dist/console/index.html'] },
  // Written last.
  docs: { script: 'build:docs', sources: ['docs'], outputs: ['dist/docs/llms.txt'] },
  types: { script: 'build:types', outputs: ['dist/types/src/index.d.ts'] },
}

/** Names what users of the package need. They read the documentation in the repository. */
const packed = ['library', 'datasets', 'cli', 'console', 'types']

/** Finds the time of the latest change at or under a path; 0 if nothing is there. */
function findLatestChange(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  const names = readdirSync(path).filter((name) => name !== 'node_modules')
  return Math.max(stat.mtimeMs, ...names.map((name) => findLatestChange(join(path, name))))
}

/** Checks whether a part is missing or older than its sources. */
function isStale({ sources: own = [], outputs }) {
  const changed = Math.max(...[...sources, ...own].map(findLatestChange))
  return changed >= Math.min(...outputs.map(findLatestChange))
}

// npm sets this variable while it installs the tools of a Git dependency, before it packs the folder. In a clone it is
// unset, and `npm ci` builds nothing. `prepare` would do as well, but npm warns about it in every project that installs
// a packed file.
const isDependency = argv[2] === '--git-dependency'
if (isDependency && env['_PACOTE_NO_PREPARE_'] === undefined) exit()

if (!existsSync('node_modules/vite')) {
  console.error('The packages of this repository are not installed. Run npm ci first.')
  exit(1)
}
const notice = 'Building workspace-sandbox, which takes about half a minute.'
if (isDependency) tellTerminal(notice)

const isPart = (name) => name in parts
const separator = argv.includes('--behind') ? argv.indexOf('--behind') : argv.length
const named = isDependency ? packed : argv.slice(2, separator).filter(isPart)
if ([...named, 'datasets'].some((name) => isStale(parts[name]))) await takeLock()
if (!isDependency && named.some((name) => isStale(parts[name]))) console.error(notice)

// The command generates datasets that are missing, and would read outdated ones.
if (isStale(parts.datasets)) rmSync('dist/datasets', { recursive: true, force: true })

await build(named.filter((name) => name === 'library'))
await build(named.filter((name) => name !== 'library'))
for (const name of argv.slice(separator).filter((one) => isPart(one) && isStale(parts[one]))) {
  const child = run(name, 'ignore')
  setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
}

/** Takes the lock of this folder until the process ends, as soon as no other one that runs has it. */
async function takeLock() {
  const lock = 'node_modules/.building'
  try {
    writeFileSync(lock, String(pid), { flag: 'wx' })
    process.on('exit', () => rmSync(lock, { force: true }))
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned(lock)) rmSync(lock, { force: true })
    await setTimeout(200)
    await takeLock()
  }
}

/** Checks whether the process of a lock is gone, or has not written its number. No build takes ten minutes. */
function isAbandoned(lock) {
  try {
    const holder = Number(readFileSync(lock, 'utf8'))
    if (holder > 0) kill(holder, 0)
    return Date.now() - statSync(lock).mtimeMs > (holder > 0 ? 600_000 : 1_000)
  } catch ({ code }) {
    return code === 'ESRCH'
  }
}

/** Runs the scripts of the parts that are stale, and exits if one fails. The script has said what is wrong. */
async function build(names) {
  const builds = names
    .filter((name) => isStale(parts[name]))
    .map((name) => once(run(name, 'inherit'), 'exit'))
  if ((await Promise.all(builds)).some(([status]) => status !== 0)) exit(1)
}

/** Starts the script of a part. */
function run(name, stdio) {
  const options = { env: { ...env, NODE_ENV: 'production' }, shell: platform === 'win32', stdio }
  return spawn('npm', ['run', '--silent', parts[name].script], options)
}

/** Prints a line on the terminal, since npm hides what the scripts of a dependency print. */
function tellTerminal(line) {
  try {
    writeFileSync('/dev/tty', `\r${line}\n`)
  } catch {
    // There is no terminal.
  }
}
