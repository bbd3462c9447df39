import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, inject, it, onTestFinished } from 'vitest'

import { formatJson } from '../../src/core/json-steps.ts'
import { version } from '../../src/core/version.ts'
import { startSandbox } from '../../src/node.ts'
import { tableNames } from '../../src/store/tables.ts'
import { run } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox } from '../support.ts'

// Counts instead of times, since timings depend on the machine.

const sumSizes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + statSync(join('dist', file)).size, 0)

/** The files of every start: the check of Node's version, the command, and shared code. Order: by name. */
const command = ['cli.js', 'cli/main.cjs', 'cli/shared.cjs']

it.each([3, 25, 26])('embeds the default dataset of size %i exactly as generated', async (size) => {
  expect(readdirSync('dist/datasets')).toEqual(['medium-default-dataset.js', 'small-default-dataset.js'])
  const { stdout } = await run(['export', '--memory', '--size', `${size}`])
  const generated = (await openSandbox({ size })).dataset.export()
  // As text, since comparing the values would take longer than generating them.
  expect(JSON.stringify(JSON.parse(stdout)) === JSON.stringify(generated)).toBe(true)
})

it('embeds every row of the default dataset of size 300 as a module, for browsers', async () => {
  const file = pathToFileURL(resolve('dist/datasets/medium-default-dataset.js')).href
  const [, ...lists]: readonly string[] = (await import(/* @vite-ignore */ file)).default
  const { dataset } = await openSandbox({ size: 300 })
  const generated = tableNames.map((name) => [...formatJson(dataset.rows[name], '\n    ')].join(''))
  for (const [index, name] of tableNames.entries())
    expect(lists[index] === generated[index], `rows of ${name}`).toBe(true)
})

it('writes the same bytes into a new folder as if the dataset was generated', async () => {
  const folder = temporaryFolder()
  await run(['reseed', '--size', 'medium', '--data', join(folder, 'ready-made')])
  const sandbox = await startSandbox({ size: 'medium', data: join(folder, 'generated'), port: 0 })
  await sandbox.close()
  const [ours, theirs] = ['ready-made', 'generated'].map((name) =>
    readFileSync(join(folder, name, 'dataset.json')),
  )
  expect(ours?.length).toBeGreaterThan(3_000_000)
  expect(theirs && ours?.equals(theirs)).toBe(true)
})

it.each([0, 200_000])('generates the default dataset while %i bytes of its file are built', async (size) => {
  const copy = join(temporaryFolder(), 'dist')
  // Another process may be writing what V8 has compiled.
  cpSync('dist', copy, { recursive: true, filter: (path) => !/docs|console|types|\.compiled/.test(path) })
  for (const name of readdirSync(join(copy, 'datasets'))) truncateSync(join(copy, 'datasets', name), size)
  const args = ['export', '--memory', '--size', 'small']
  const { stdout } = spawnSync(process.execPath, [join(copy, 'cli.js'), ...args], { encoding: 'utf8' })
  expect(JSON.parse(stdout)).toMatchObject({ madeWith: { size: 25 } })
  expect(stdout).toBe((await run(args)).stdout)
})

/** Copies the command as somebody installs it, and starts servers of the copy. */
function install() {
  const folder = temporaryFolder()
  cpSync('dist', folder, { recursive: true, filter: (path) => !/docs|console|types|\.compiled/.test(path) })
  const start = (...flags: readonly string[]) => {
    const args = [...flags, join(folder, 'cli.js'), 'start', '--memory', '--size', '3', '--port', '0']
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
  }
  return { folder, start, main: join(folder, 'cli/main.cjs'), shared: join(folder, 'cli/shared.cjs') }
}

describe('what V8 has compiled of the command', () => {
  it('is kept for the next start, and compiled anew where it is damaged', async () => {
    const { folder, start, main, shared } = install()
    start()
    await expect.poll(() => existsSync(`${shared}.compiled`)).toBe(true)
    const { ino } = statSync(`${main}.compiled`)
    const { size } = statSync(`${shared}.compiled`)
    truncateSync(`${shared}.compiled`, size / 2)
    start()
    await expect.poll(() => statSync(`${shared}.compiled`).size).toBeGreaterThan(size * 0.9)
    // It would have been written before the other.
    expect(statSync(`${main}.compiled`).ino).toBe(ino)
    const config = join(folder, 'config.mjs')
    writeFileSync(config, 'export default { size: 3 }')
    const args = [join(folder, 'cli.js'), 'export', '--memory', '--config', config]
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject({ madeWith: { size: 3 } })
  })
  it.each(['version', 'arch', 'execPath'])(
    'is not used if Node has another %s, which it may crash',
    async (name) => {
      const { start, main } = install()
      start('--import', `data:text/javascript,Object.defineProperty(process,'${name}',{value:'${main}'})`)
      await expect.poll(() => existsSync(`${main}.compiled`)).toBe(true)
      const { ino } = statSync(`${main}.compiled`)
      start()
      await expect.poll(() => statSync(`${main}.compiled`).ino).not.toBe(ino)
    },
  )
  it('is not used with another build of the same length', async () => {
    const { folder, start, shared } = install()
    start()
    await expect.poll(() => existsSync(`${shared}.compiled`)).toBe(true)
    const built = readFileSync(shared, 'latin1')
    writeFileSync(shared, built.replace(`\`${version}\``, '`9.9.9`'), 'latin1')
    const { stdout } = spawnSync(process.execPath, [join(folder, 'cli.js'), '--version'], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('9.9.9\n')
  })
})

it('builds although a process that could not write its number has left a lock', () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'node_modules', 'vite'), { recursive: true })
  writeFileSync(join(cwd, 'node_modules', '.building'), '')
  const { status } = spawnSync(process.execPath, [resolve('.ci/build-if-stale.mjs')], {
    cwd,
    timeout: 100_000,
  })
  expect(status).toBe(0)
  expect(readdirSync(join(cwd, 'node_modules'))).toEqual(['vite'])
})

it.each(['index', 'client', 'msw', 'worker'])(
  'bundles %s for browsers and workers: no static import reaches a module of Node',
  (name) => {
    const hooks = `
      import { isBuiltin } from 'node:module'
      export async function resolve(specifier, context, next) {
        if (isBuiltin(specifier)) throw new Error(context.parentURL + ' imports ' + specifier)
        return next(specifier, { ...context, conditions: ['worker', 'browser', 'import', 'default'] })
      }`
    const script = `
      import { register } from 'node:module'
      register("data:text/javascript,${encodeURIComponent(hooks)}")
      await import('${pathToFileURL(resolve('dist', `${name}.js`)).href}')`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
  },
)

it('keeps the command small, since V8 parses all of it at the first start', () => {
  expect(sumSizes(command)).toBeLessThan(1_180_000)
})

it('keeps the package small, since every CI job downloads it', () => {
  const folder = join(inject('consumer'), 'node_modules', 'workspace-sandbox')
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.endsWith('.compiled'))
    .map((path) => statSync(join(folder, path)))
  const unpacked = entries.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
  // The documentation takes 1.2 MB of it, 6.4 MB unpacked: pages, the same as scripts, as Markdown, pictures, and the search.
  // The lists of names take 0.15 MB unpacked, in the library and in the command; the texts of
  // records as much again. The ready-made datasets take 0.45 MB, 3.6 MB unpacked; verdicts, sweeps and calibration 0.25 MB,
  // 1.2 MB unpacked; the parts of zod and Hono in use 0.3 MB unpacked.
  expect(statSync(inject('tarball')).size).toBeLessThan(3_550_000)
  expect(unpacked).toBeLessThan(17_400_000)
})
