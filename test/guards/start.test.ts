import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, inject, it } from 'vitest'

import { exitCode, run, serve } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox } from '../support.ts'

// Counts instead of times, since timings depend on the machine.

interface Coverage {
  readonly result: readonly { readonly url: string }[]
}

/** Lists the built files that a server has loaded after its first response. Order: by name. */
async function loaded(...args: readonly string[]): Promise<string[]> {
  const coverage = temporaryFolder()
  const { baseUrl, child } = await serve(args, { env: { NODE_V8_COVERAGE: coverage } })
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  expect((await fetch(`${baseUrl}/members/me`, { headers })).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exitCode(child)).toBe(0)
  const built = pathToFileURL(`${resolve('dist')}/`).href
  const files = readdirSync(coverage).flatMap((name) => {
    const { result }: Coverage = JSON.parse(readFileSync(join(coverage, name), 'utf8'))
    return result.flatMap(({ url }) => (url.startsWith(built) ? [url.slice(built.length)] : []))
  })
  return [...new Set(files)].toSorted()
}

const sumSizes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + statSync(join('dist', file)).size, 0)

/** The files of every start: the check of Node's version, the command, and shared code. Order: by name. */
const command = ['cli.js', 'cli/main.js', 'cli/shared.js']

it('loads three files to start from existing data, because each further one costs as much as 50 KB', async () => {
  const data = temporaryFolder()
  const first = await serve(['--data', data])
  first.child.kill('SIGTERM')
  await exitCode(first.child)
  expect(await loaded('--data', data)).toEqual(command)
})

it('loads no generators for the default dataset up to size medium, because they take longest to load', async () => {
  const files = await loaded('--memory')
  expect(files.filter((file) => !command.includes(file))).toEqual(['datasets/small-default-dataset.js'])
  const others = await loaded('--memory', '--size', '100')
  expect(others.filter((file) => !command.includes(file))).toEqual(['datasets/medium-default-dataset.js'])
})

it.each([3, 5, 25, 26, 110, 300])(
  'embeds the default dataset of size %i exactly as generated',
  async (size) => {
    const { stdout } = await run(['export', '--memory', '--size', `${size}`])
    expect(JSON.parse(stdout)).toEqual((await openSandbox({ size })).dataset.export())
  },
)

it('loads the generators for any other dataset, with only the names that people can have from Faker', async () => {
  const files = await loaded('--memory', '--seed', '7')
  const generators = files.filter((file) => !command.includes(file))
  expect(generators).toContain('cli/seed.js')
  expect(generators.some((file) => /web|record-writer|small/.test(file))).toBe(false)
  // The locales from which the names are chosen have 780 KB.
  expect(sumSizes(generators)).toBeLessThan(460_000)
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

it('makes the fields of a record when its schema is first used, because those of all take a third of the import', () => {
  const script = `
    import * as exported from './dist/index.js'
    const isMade = ({ _zod }) => {
      // The getter of a shape that zod was given as an object has the object.
      const { value, get } = Object.getOwnPropertyDescriptor(_zod.def, 'shape')
      return (value ?? get.raw) !== undefined
    }
    const schemas = Object.entries(exported).filter(([, schema]) => schema._zod?.def.type === 'object')
    console.log(JSON.stringify(schemas.map(([name, schema]) => [name, isMade(schema)])))`
  const made: unknown = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
  )
  expect(made).toContainEqual(['Customer', false])
  expect(made).not.toContainEqual([expect.any(String), true])
})

it('keeps the command small, since V8 parses all of it at each start', () => {
  // Faker's classes, which generate long texts when they are read, take 120 KB of it.
  expect(sumSizes(command)).toBeLessThan(1_240_000)
})

it('keeps the package small, since every CI job downloads it', () => {
  const folder = join(inject('consumer'), 'node_modules', 'workspace-sandbox')
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
    statSync(join(folder, path)),
  )
  const unpacked = entries.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
  // The documentation takes 1 MB of it, 5.3 MB unpacked: pages, the same as scripts, as Markdown, and the search. The lists of names take 0.15 MB unpacked, in the library and in the command; the texts of
  // records as much again. The ready-made datasets take 0.45 MB, 3.6 MB unpacked; verdicts, sweeps and calibration 0.25 MB,
  // 1.2 MB unpacked; the parts of zod in use 0.24 MB unpacked.
  expect(statSync(inject('tarball')).size).toBeLessThan(3_300_000)
  expect(unpacked).toBeLessThan(17_000_000)
})
