import { existsSync } from 'node:fs'

import type { Command } from 'commander'

import { CommandError } from './failure.ts'
import { createFile, print } from './output.ts'
import { CONFIG_NAME, listConfigFiles } from './sources.ts'

export async function init(command: Command): Promise<void> {
  const { vitest }: { readonly vitest?: boolean } = command.opts()
  if (!vitest) {
    const file = `${CONFIG_NAME}.ts`
    const other = listConfigFiles().find((name) => name !== file)
    if (other !== undefined) {
      const fact = `${other} exists, and no command would choose between them`
      throw new CommandError(`Cannot write ${file}: ${fact}. Change ${other}, or remove it first.`)
    }
    await createFile(file, CONFIG)
    return print(`Wrote ${file}.`)
  }
  const file = existsSync('tsconfig.json') ? 'test/sandbox.test.ts' : 'test/sandbox.test.js'
  await createFile(file, EXAMPLE)
  const install = existsSync('node_modules/vitest') ? '' : 'npm install --save-dev vitest && '
  print(`Wrote ${file}. Run it with ${install}npx vitest run.`)
}

const CONFIG = `import type { Config } from 'workspace-sandbox/node'

// All options and assumptions: node_modules/workspace-sandbox/dist/docs/configuration.md and assumptions.md,
// or /_sandbox/docs/ on a running server. Flags and variables override this file.
export default {
  // The address of the server.
  // port: 4500,

  // The data: how much of it, from which seed and hand-written records, at which time, and where it is stored.
  // size: 'small',
  // seed: 42,
  // fixture: './fixture.json',
  // now: 'system',
  // memory: true,

  // Facts that you know about the real service, and its documentation leaves open.
  // assumptions: {
  //   errorFormat: 'message',
  //   absentValues: 'null',
  // },

  // Functions that show records whose fields its documentation does not show as the real service does.
  // present: {
  //   product: ({ name, ...rest }) => ({ ...rest, title: name }),
  // },
} satisfies Config
`

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
