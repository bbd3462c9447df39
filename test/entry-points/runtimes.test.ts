import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, inject, it } from 'vitest'

import { runCommand } from './recipe.ts'

/** A program of a user: in process, on a port, and with the typed client. */
const program = `
  import { createSandbox } from 'workspace-sandbox'
  import { createClient } from 'workspace-sandbox/client'
  import { startSandbox } from 'workspace-sandbox/node'

  const session = (await createSandbox({ size: 'small' })).session()
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const response = await session.fetch(new Request('http://sandbox/v1/members/me', { headers }))
  const data = process.argv[2]
  const { url, baseUrl, close } = await startSandbox({ port: 0, size: 'small', data })
  const second = await startSandbox({ port: 0, data }).catch(({ message }) => message.includes(url))
  const client = createClient({ baseUrl, token: 'sbx_harbor_1' })
  const { firstName } = await client.getCurrentMember()
  const body = { categoryId: 1, content: 'Hello' }
  const { content } = await client.createCustomerNote({ organizationId: 'harbor', customerId: 1, body })
  const page = await fetch(url + '/_sandbox')
  await close()
  console.log(JSON.stringify([(await response.json()).id, firstName, content, page.status, second]))
  process.exit()`

it.each([
  ['node@22', 'node'],
  ['node@24', 'node'],
  ['bun@1', 'bun'],
  ['deno@2', 'deno run --allow-all'],
])('runs with %s', async (name, command) => {
  const file = join(inject('consumer'), 'runtime.mjs')
  writeFileSync(file, program)
  const data = join(inject('consumer'), `data-${name}`)
  const line = `${command} ${file} ${data}`
  const args = ['exec', '--yes', '--prefer-offline', `--package=${name}`, `--call=${line}`]
  const printed = await runCommand('npm', args, { cwd: inject('consumer') })
  expect(JSON.parse(/^\[.*\]$/m.exec(printed)?.[0] ?? '')).toEqual([1, 'Mara', 'Hello', 200, true])
})
