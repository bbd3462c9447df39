// Builds what is missing or older than its sources: the parts that are named, or everything. What is named after
// --behind is built in the background, with the lowest priority.
// Examples: node .ci/build-if-stale.mjs cli console --behind docs
//           node .ci/build-if-stale.mjs --git-dependency   (only if npm is packing a Git dependency)
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { argv, env, exit, platform } from 'node:process'

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
  console: { script: 'build:console', outputs: ['dist/console/index.html'] },
  // Written last.
  docs: { script: 'build:docs', sources: ['docs'], outputs: ['dist/docs/llms.txt'] },
}
const everything = {
  script: 'build',
  outputs: [
    ...parts.library.outputs,
    ...parts.cli.outputs,
    ...parts.console.outputs,
    ...parts.docs.outputs,
    'dist/types/src/index.d.ts',
  ],
}

/** Finds the time of the latest change at or under a path; 0 if nothing is there. */
function findLatestChange(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => findLatestChange(join(path, name))))
}

/** Checks whether a part is missing or older than its sources. */
function isStale({ sources: own = [], outputs }) {
  const changed = Math.max(...[...sources, ...own].map(findLatestChange))
  return changed >= Math.min(...outputs.map(findLatestChange))
}

// npm sets this variable while it installs the tools of a Git dependency, before it packs the folder. In a clone it is
// unset, and `npm ci` builds nothing. `prepare` would do as well, but npm warns about it in every project that installs
// a packed file.
if (argv[2] === '--git-dependency' && env['_PACOTE_NO_PREPARE_'] === undefined) exit()

if (!existsSync('node_modules/vite')) {
  console.error('The packages of this repository are not installed. Run npm ci first.')
  exit(1)
}

const options = { env: { ...env, NODE_ENV: 'production' }, shell: platform === 'win32' }
const isPart = (name) => name in parts
const behind = argv.indexOf('--behind') === -1 ? [] : argv.slice(argv.indexOf('--behind')).filter(isPart)
const names = argv.slice(2).filter((name) => isPart(name) && !behind.includes(name))
for (const part of names.length === 0 ? [everything, parts.docs] : names.map((name) => parts[name])) {
  if (!isStale(part)) continue
  const { status } = spawnSync('npm', ['run', '--silent', part.script], { ...options, stdio: 'inherit' })
  // The script has said what is wrong.
  if (status !== 0) exit(status ?? 1)
}
for (const { script } of behind.map((name) => parts[name]).filter(isStale)) {
  const child = spawn('npm', ['run', '--silent', script], { ...options, stdio: 'ignore' })
  setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.unref()
}
