import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, inject, it } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { importPacked } from '../packed.ts'
import { hover } from './language-server.ts'
import { createFiles, runToEnd } from './recipe.ts'

/** Runs a tool of the user in a folder. */
function run(cwd: string, tool: string, ...args: readonly string[]) {
  const path = `${join(inject('consumer'), 'node_modules', '.bin')}:${process.env['PATH']}`
  return runToEnd(tool, args, { cwd, env: { PATH: path, CI: 'true' } })
}

/** The tools that the user has from the repository. */
const tool = (name: string): string => join('node_modules', '.bin', name)

const checker = (name: string): string => join('.ci', tool(name))

const names = async (entryPoint: Parameters<typeof importPacked>[0]) =>
  Object.keys(await importPacked(entryPoint)).toSorted()

it('exports what each entry point promises, and nothing else', async () => {
  expect(await names('workspace-sandbox')).toEqual(expect.arrayContaining(['createSandbox', 'Customer']))
  expect(await names('workspace-sandbox/node')).toEqual(['SandboxError', 'StartError', 'startSandbox'])
  expect(await names('workspace-sandbox/vite')).toEqual(['workspaceSandbox'])
  expect(await names('workspace-sandbox/vitest')).toEqual(['createTest', 'test'])
  expect(await names('workspace-sandbox/playwright')).toEqual(['createTest', 'expect', 'test'])
  expect(await names('workspace-sandbox/msw')).toEqual(['sandboxHandlers'])
  expect(await names('workspace-sandbox/worker')).toEqual(['SandboxError', 'SandboxSession', 'createWorker'])
  expect(await names('workspace-sandbox/client')).toEqual(['WorkspaceError', 'createClient'])
  const entryPoints = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'))
  expect(entryPoints).toEqual([
    '.',
    './node',
    './vite',
    './vitest',
    './playwright',
    './msw',
    './worker',
    './client',
  ])
})

it('brings what it runs with, and no sources or tests', () => {
  const folder = join(inject('consumer'), 'node_modules', 'workspace-sandbox')
  expect(readdirSync(folder).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
})

it('has exports that publint and Are the Types Wrong accept', async () => {
  const [publint, attw] = await Promise.all([
    run(process.cwd(), checker('publint'), '--strict', inject('tarball')),
    run(process.cwd(), checker('attw'), '--profile', 'esm-only', inject('tarball')),
  ])
  expect(publint).toMatchObject({ code: 0 })
  expect(attw).toMatchObject({ code: 0 })
})

const typed = `
import { createSandbox, type Customer, type Sandbox } from 'workspace-sandbox'
import { createClient } from 'workspace-sandbox/client'
import { sandboxHandlers } from 'workspace-sandbox/msw'
import { startSandbox } from 'workspace-sandbox/node'
import { workspaceSandbox } from 'workspace-sandbox/vite'
import { createTest } from 'workspace-sandbox/vitest'
import { createWorker, SandboxSession, type WorkerOptions } from 'workspace-sandbox/worker'
import { createTest as createPageTest, expect as expectPage } from 'workspace-sandbox/playwright'
import { expect } from 'vitest'
import { defineConfig } from 'vite'
import { setupServer } from 'msw/node'

export const config = defineConfig({ plugins: [workspaceSandbox({ size: 'small' })] })
const options: WorkerOptions = { size: 'small', adminToken: 'secret' }
export const { fetch } = createWorker(options)
export { SandboxSession }
const test = createTest({ seed: 7 })
test('is typed', async ({ sandbox, client }) => {
  const { items } = await client.listCustomers({ organizationId: 'harbor', segment: ['Enterprise'] })
  const first: Customer | undefined = items[0]
  expect(sandbox).toHaveReceived({ operationId: 'listCustomers', count: 1 })
  expect(sandbox).not.toHaveNoWarnings()
  // @ts-expect-error -- no such key
  expect(sandbox).toHaveReceived({ operation: 'listCustomers' })
  const name: string | undefined = first?.name
  setupServer(...sandboxHandlers(sandbox, { baseUrl: 'https://api.example.com/v1' }))
  return void name
})
createPageTest({ seed: 7 })('is typed for pages', async ({ page, sandbox }) => {
  await page.goto('/')
  await expectPage(page).not.toHaveTitle('')
  await expectPage(sandbox).toHaveReceived({ operationId: 'listCustomers', count: 1 })
  await expectPage(sandbox).not.toHaveNoWarnings()
  // @ts-expect-error -- no such operation
  await expectPage(sandbox).toHaveReceived({ operationId: 'listCustomer' })
  // @ts-expect-error -- no such matcher
  await expectPage(sandbox).toHaveRecieved({ operationId: 'listCustomers' })
})
export async function use(): Promise<Sandbox> {
  const running = await startSandbox({ port: 0 })
  const { name } = await createClient({ baseUrl: running.baseUrl, token: 't' })
    .getCustomer({ organizationId: 'harbor', customerId: 1 })
  return createSandbox({ size: name.length })
}
`

it.each(['nodenext', 'bundler'])('is typed for projects that resolve modules as %s', async (resolution) => {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'esnext.disposable'],
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  }
  const files = { 'tsconfig.json': JSON.stringify({ compilerOptions }), 'typed.ts': typed }
  expect(await run(createFiles(files), join(process.cwd(), tool('tsc')))).toMatchObject({
    code: 0,
    stdout: '',
  })
})

const options: readonly (readonly [marked: string, text: string])[] = [
  ['createSandbox({ §seed: 7 })', 'The number that all data is generated from. Default: 42.'],
  [
    "createSandbox({ assumptions: { §errorFormat: 'error' } })",
    '`error` ({ "error": { "code", "message" } })',
  ],
  [
    'startSandbox({ §port: 0 })',
    'The port to listen on; 0 picks a free one. Default: 4500, or the next free one.',
  ],
  ['createTest({ §size: 3 })', 'The number of customers of the first organization'],
  ["session.faults.add({ §operationId: 'listSignals' })", 'The operation. Default: any.'],
  ['session.faults.add({ delayMs: { §min: 1, max: 2 } })', 'The shortest delay, in milliseconds.'],
  ['session.requests.verify({ §atLeast: 2 })', 'The minimum number of matching requests. Default: 1'],
  ["client.§listCustomers({ organizationId: 'harbor' })", 'The customers of the organization, filtered.'],
  [
    "client.listCustomers({ organizationId: 'harbor', §limit: 5 })",
    'The maximum number of matches to return. Default: 100.',
  ],
  [
    'for (const one of client.each.§listSignals({ organizationId })) {}',
    'The signals raised on customers, filtered.',
  ],
]

it('shows the texts of options and operations in editors', async () => {
  const code = `
    import { createSandbox } from 'workspace-sandbox'
    import { createClient } from 'workspace-sandbox/client'
    import { startSandbox } from 'workspace-sandbox/node'
    import { createTest } from 'workspace-sandbox/vitest'
    const session = (await createSandbox()).session()
    const client = createClient({ baseUrl: '', token: '' })
    const organizationId = 'harbor'`
  const lines = [...code.split('\n'), ...options.map(([marked]) => marked)]
  const folder = createFiles({ 'tsconfig.json': '{}', 'use.ts': lines.join('\n').replaceAll('§', '') })
  const first = lines.length - options.length
  const places = options.map(([marked], at) => ({ line: first + at, character: marked.indexOf('§') }))
  const hovers = await hover(join(folder, 'use.ts'), places)
  for (const [at, [, text]] of options.entries()) expect(hovers[at]).toContain(text)
})

it('can be required by CommonJS, every entry point but that of Vitest, which only Vitest can load', async () => {
  const program = `
    const names = ['', '/node', '/vite', '/playwright', '/msw', '/client']
    for (const name of names) console.log(Object.keys(require('workspace-sandbox' + name)).length > 0)
    console.log(require('workspace-sandbox/config.schema.json').title)
    console.log(require('workspace-sandbox/fixture.schema.json').title)
    const { createSandbox } = require('workspace-sandbox')
    const headers = { authorization: 'Bearer sbx_harbor_1' }
    createSandbox({ size: 'small' })
      .then((sandbox) => sandbox.fetch(new Request('http://sandbox/v1/members/me', { headers })))
      .then(({ status }) => console.log(status))`
  const { code, stdout } = await run(createFiles({ 'program.cjs': program }), process.execPath, 'program.cjs')
  const titles = ['Configuration of workspace-sandbox', 'Fixture of workspace-sandbox']
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 0,
    lines: [...Array.from({ length: 6 }, () => 'true'), ...titles, '200'],
  })
})

it('runs a command beside a sandbox, from its bin', async () => {
  const script = 'console.log(process.env.WORKSPACE_SANDBOX_URL); process.exitCode = 3'
  const args = ['exec', '--size', 'small', '--', 'node', '-e', script]
  const { code, stdout } = await run(createFiles({}), 'workspace-sandbox', ...args)
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringMatching(/^http:\/\/.*\/v1\n$/) })
})

it('names the version of Node that it needs, on an older one', async () => {
  const command = join(
    inject('consumer'),
    'node_modules',
    'workspace-sandbox',
    manifest.bin['workspace-sandbox'],
  )
  const old = ['exec', '--yes', '--prefer-offline', '--package=node@18', '--', 'node']
  const { code, stdout, stderr } = await run(createFiles({}), 'npm', ...old, command, 'start')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const needed = manifest.engines.node.replace('>=', '')
  expect(stderr).toMatch(
    new RegExp(`^workspace-sandbox needs Node ${needed} or newer, but this is Node 18\\.\\d+\\.\\d+\\.`, 'm'),
  )
})

it('writes an example test that passes, and leaves the folder of the dev server alone where Vite serves Vitest', async () => {
  const folder = createFiles({
    'vite.config.js': `
      import { workspaceSandbox } from 'workspace-sandbox/vite'
      export default { plugins: [workspaceSandbox({ data: 'data' })] }`,
  })
  expect(await run(folder, 'workspace-sandbox', 'init', '--vitest')).toMatchObject({ code: 0 })
  const args = ['run', '--testTimeout=60000']
  const { code, stdout } = await run(folder, join(process.cwd(), tool('vitest')), ...args)
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Tests\s+2 passed/) })
  expect(readdirSync(folder)).not.toContain('data')
})
