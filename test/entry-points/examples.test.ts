import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, onTestFinished } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { openPage, watched } from './chromium.ts'
import { createEnvironment, runCommand, start } from './recipe.ts'

/** Examples run in their own folders, with the commands of their README. */
const readme = readFileSync(resolve('examples/README.md'), 'utf8')
const [install = ''] = /^npm install .*$/m.exec(readme) ?? []
const rows = Array.from(readme.matchAll(/^\| `([\w-]+)` \|.*\| `(npm [^`]+)` \|$/gm))
const commands = new Map(rows.map(([, name = '', command = '']) => [name, command]))

const run = promisify(execFile)

const env = {
  CI: 'true',
  NEXT_TELEMETRY_DISABLED: '1',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
}

// The file that `npm pack` leaves at the top of the clone.
const tarball = resolve(basename(inject('tarball')))
/** The examples whose packages the clone does not have, as they install them. */
const installing = new Map<string, Promise<unknown>>()
beforeAll(() => {
  copyFileSync(inject('tarball'), tarball)
  // Now, since they wait for the registry while the other examples run.
  for (const name of ['jest-suite', 'nextjs-app']) {
    const place = { cwd: join('examples', name), env: createEnvironment(env) }
    installing.set(name, run('sh', ['-c', install], place))
  }
})
afterAll(() => rmSync(tarball, { force: true }))

let before = ''
beforeEach(async () => {
  before = await changedFiles()
})
afterEach(async () => {
  const after = await changedFiles()
  if (after !== before) throw new Error(`Running the example has changed files of the clone:\n${after}`)
})

/** Lists the files of the examples that differ from the last commit, with their differences. */
async function changedFiles(): Promise<string> {
  return (await git('status', '--porcelain', '--untracked-files=all')) + (await git('diff'))
}

/** Runs Git on the examples, and returns its output. */
async function git(...args: readonly string[]): Promise<string> {
  return (await run('git', ['-c', 'safe.directory=*', ...args, '--', 'examples'])).stdout
}

/** Runs a line of shell in the folder of an example, and returns its output. */
const shell = (name: string, line: string): Promise<string> =>
  runCommand('sh', ['-c', line], { cwd: join('examples', name), env })

/** Links the packed package into an example whose other packages the clone has, in the same versions. */
function link(name: string): void {
  const { devDependencies: wanted }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(resolve('examples', name, 'package.json'), 'utf8'),
  )
  expect({ ...manifest.devDependencies, [manifest.name]: manifest.version }).toMatchObject(wanted)
  const folder = resolve('examples', name, 'node_modules')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  remove()
  mkdirSync(folder)
  onTestFinished(remove)
  symlinkSync(join(inject('consumer'), 'node_modules', manifest.name), join(folder, manifest.name), 'dir')
}

/** Runs the tests of an example with a timeout for a busy machine, and returns their output. */
const tested = (name: string, timeout: string): Promise<string> =>
  shell(name, `${commands.get(name)} -- ${timeout}`)

/** Starts the server of an example, and returns the URL that it prints. */
async function served(name: string): Promise<string> {
  const server = start(['sh', '-c', commands.get(name) ?? ''], join('examples', name), env)
  server.stderr.resume()
  let printed = ''
  server.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part))
  for (;;) {
    const [address] = /http:\/\/localhost:\d+/.exec(stripVTControlCharacters(printed)) ?? []
    if (address !== undefined) return address
    await once(server.stdout, 'data')
  }
}

it('lists every example in the README, with its command if it is a project', () => {
  const folders = readdirSync(resolve('examples'), { withFileTypes: true }).filter((one) => one.isDirectory())
  for (const { name } of folders) expect(readme).toContain(`| \`${name}\` |`)
  const projects = folders.filter(({ name }) => existsSync(resolve('examples', name, 'package.json')))
  expect([...commands.keys()].toSorted()).toEqual(projects.map(({ name }) => name).toSorted())
  expect(install).toMatch(/ \.\.\/\.\.\/workspace-sandbox-\*\.tgz$/)
})

it('vite-app lists customers from its own dev server', async () => {
  link('vite-app')
  const url = await served('vite-app')
  const page = await openPage()
  const { errors } = watched(page)
  await page.goto(url)
  const customers = page.locator('#customers li')
  await customers.nth(2).waitFor()
  await expect.poll(() => customers.first().textContent()).toMatch(/^\S.*, \S/)
  expect(errors).toEqual([])
})

it('vitest-suite passes', async () => {
  link('vitest-suite')
  expect(await tested('vitest-suite', '--testTimeout=60000')).toMatch(/Tests\s+5 passed \(5\)/)
})

it('sync passes', async () => {
  link('sync')
  expect(await tested('sync', '--testTimeout=120000')).toMatch(/Tests\s+5 passed \(5\)/)
})

it('jest-suite passes', async () => {
  await installing.get('jest-suite')
  expect(await tested('jest-suite', '--testTimeout=60000')).toMatch(/Tests:\s+2 passed, 2 total/)
  const commonJs = await shell('jest-suite', 'npm run test:commonjs -- --testTimeout=60000')
  expect(commonJs).toMatch(/Tests:\s+1 passed, 1 total/)
})

it('playwright-suite passes', async () => {
  link('playwright-suite')
  expect(await tested('playwright-suite', '--timeout=120000')).toMatch(/4 passed/)
})

it('nextjs-app answers, and shows each request in the console as it comes', async () => {
  await installing.get('nextjs-app')
  const url = await served('nextjs-app')
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const ask = (path: string): Promise<Response> => fetch(url + path, { headers })
  expect(await (await ask('/v1/members/me')).json()).toMatchObject({ id: 1 })
  expect(await (await ask('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' })
  const page = await openPage()
  const { errors } = watched(page)
  await page.goto(`${url}/_sandbox#/traffic`)
  await page.getByRole('row').filter({ hasText: '/members/me' }).waitFor()
  await ask('/v1/organizations/harbor/products')
  await page.getByRole('row').filter({ hasText: '/products' }).waitFor()
  expect(errors).toEqual([])
  await shell('nextjs-app', 'npm run typecheck')
})
