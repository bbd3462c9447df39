import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { describeWriteError, errorCode } from '../disk/storage-errors.ts'
import { CommandError } from './failure.ts'
import { print } from './output.ts'

const imports = ["import { expect } from 'vitest'", "import { createTest } from 'workspace-sandbox/vitest'"]

const EXAMPLE = `${imports.join('\n')}

// Each test gets a session of its own: the same data, with separate changes, faults and requests.
const test = createTest({ size: 'small' })

test('reads the current member', async ({ client }) => {
  const member = await client.getCurrentMember()
  expect(member).toMatchObject({ firstName: 'Mara', organizationId: 'harbor' })
})

test('handles a busy service', async ({ baseUrl, sandbox }) => {
  sandbox.faults.add({ operationId: 'getCurrentMember', status: 503 })
  // Call your own code here, with this base URL and token.
  const headers = { authorization: 'Bearer sbx_harbor_1' }
  const response = await fetch(\`\${baseUrl}/members/me\`, { headers })
  expect(response.status).toBe(503)
  expect(sandbox).toHaveReceived({ operationId: 'getCurrentMember', count: 1 })
})
`

/** Writes an example test for Vitest; never overwrites an existing file. */
export async function writeExampleTest(): Promise<void> {
  const file = existsSync('tsconfig.json') ? 'test/sandbox.test.ts' : 'test/sandbox.test.js'
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, EXAMPLE, { flag: 'wx' })
  } catch (error) {
    const exists = errorCode(error) === 'EEXIST'
    const fact = exists ? 'it already exists' : describeWriteError(error)
    const remedy = exists ? 'Change it, or remove it first.' : "Check the folder's permissions and try again."
    throw new CommandError(`Cannot write ${file}: ${fact}. ${remedy}`)
  }
  const install = existsSync('node_modules/vitest') ? '' : 'npm install --save-dev vitest && '
  print(`Wrote ${file}. Run it with ${install}npx vitest run.`)
}
