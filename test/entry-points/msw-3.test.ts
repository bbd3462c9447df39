import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { beforeAll, expect, inject, it } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { folderWith } from '../folders.ts'
import { createProject, runCommand } from './recipe.ts'

/** A suite of a user; the types of its handlers are those of MSW 3. */
const program = `
  import { setupServer } from 'msw/node'
  import { createSandbox } from 'workspace-sandbox'
  import { createClient } from 'workspace-sandbox/client'
  import { sandboxHandlers } from 'workspace-sandbox/msw'

  const sandbox = await createSandbox({ size: 'small' })
  const baseUrl = 'https://api.example.com/v1'
  const server = setupServer(...sandboxHandlers(sandbox, { baseUrl }))
  server.listen({ onUnhandledFrame: 'error' })
  const client = createClient({ baseUrl, token: 'sbx_harbor_1' })
  const { firstName } = await client.getCurrentMember()
  const body = { categoryId: 1, content: 'Grüße' }
  const { content } = await client.createCustomerNote({ organizationId: 'harbor', customerId: 1, body })
  sandbox.faults.add({ operationId: 'getCurrentMember', reset: true, times: 1 })
  const broken = await client.getCurrentMember().catch((error: Error) => error.message)
  const outside = await fetch('https://api.example.com/v2').catch((error: Error) => error.name)
  server.close()
  console.log(JSON.stringify([firstName, content, broken, outside]))`

let cwd = ''

beforeAll(() => {
  cwd = createProject('msw@3')
  // A copy, which finds this MSW first, and its dependencies in the folder around.
  const own = join('node_modules', manifest.name)
  cpSync(join(inject('consumer'), own), join(cwd, own), { recursive: true })
  folderWith({ 'suite.ts': program, 'suite.js': program.replaceAll(': Error', '') }, cwd)
})

it('has handlers that MSW 3 accepts, by their types', async () => {
  expect(manifest.peerDependencies.msw).toMatch(/\^3\./)
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023']
  const tsc = resolve('node_modules/.bin/tsc')
  expect(await runCommand(tsc, [...flags, '--types', 'node', 'suite.ts'], { cwd })).toBe('')
})

// The first version of Node that MSW 3 runs with.
it('responds through MSW 3', async () => {
  const args = ['exec', '--yes', '--prefer-offline', '--package=node@22', '--call=node suite.js']
  const printed = await runCommand('npm', args, { cwd })
  expect(JSON.parse(/^\[.*\]$/m.exec(printed)?.[0] ?? '')).toEqual([
    'Mara',
    'Grüße',
    expect.stringContaining('fetch'),
    expect.stringContaining('Error'),
  ])
})
