import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'

import { exitCode, run, serve } from '../doors/command.ts'
import { temporaryFolder } from '../folders.ts'
import { openSandbox } from '../support.ts'

/** What a start does is counted, not timed: a clock would tell of the machine. */

interface Coverage {
  readonly result: readonly { readonly url: string }[]
}

/** The built files that a server has loaded by the time that it has answered a request. Order: by name. */
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

const bytesOf = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + statSync(join('dist', file)).size, 0)

/** The check of Node's version, the command, and what it shares with what is loaded later. Order: by name. */
const command = ['cli.js', 'cli/main.js', 'cli/shared.js']

it('loads three files to start from what was kept: each further one takes as long as 50 KB more', async () => {
  const data = temporaryFolder()
  const first = await serve(['--data', data])
  first.child.kill('SIGTERM')
  await exitCode(first.child)
  expect(await loaded('--data', data)).toEqual(command)
})

it('loads no generators for the small default dataset: they take longer than everything else', async () => {
  const files = await loaded('--memory')
  expect(files.filter((file) => !command.includes(file))).toEqual(['cli/small-default-dataset.js'])
})

it('has the small default dataset as the generators make it', async () => {
  const { stdout } = await run(['export', '--memory', '--size', 'small'])
  expect(JSON.parse(stdout)).toEqual((await openSandbox()).dataset.export())
})

it('loads what generates every other dataset, and of Faker’s words those about people only', async () => {
  const files = await loaded('--memory', '--seed', '7')
  const generators = files.filter((file) => !command.includes(file))
  expect(generators).toContain('cli/faker.js')
  expect(generators.some((file) => /web|arranger|small/.test(file))).toBe(false)
  // With all of its English words, Faker alone has 480 KB.
  expect(bytesOf(generators)).toBeLessThan(450_000)
})

it('has a command that is read in a moment: V8 goes through all of it at each start', () => {
  expect(bytesOf(command)).toBeLessThan(830_000)
})

it('is a package that is fetched in a moment, by each job of a CI anew', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed]: { size: number; unpackedSize: number }[] = JSON.parse(
    execFileSync('npm', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }),
  )
  // The pages, which need no network, have 0.6 MB of it, and 2 MB unpacked; nearly all of that is the API reference.
  expect(packed?.size).toBeLessThan(1_750_000)
  expect(packed?.unpackedSize).toBeLessThan(6_700_000)
})
