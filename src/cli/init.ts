import { existsSync, lstatSync, readFileSync, type Stats } from 'node:fs'

import { type ChoiceName, choices } from '../contract/choices.ts'
import { choiceNames } from '../contract/choices.ts'
import { describeReadError } from '../disk/storage-errors.ts'
import { readBuiltFile } from '../server/start.ts'
import { CommandError } from './failure.ts'
import { print, createFile, replaceFile } from './output.ts'
import { settingNames, settings } from './settings.ts'
import { CONFIG_NAME } from './sources.ts'

export async function writeConfigFile(): Promise<void> {
  const file = `${CONFIG_NAME}.ts`
  await createFile(file, createTemplate())
  print(`Wrote ${file}.`)
}

const examples: Readonly<Record<string, string>> = {
  port: '4500',
  host: "'127.0.0.1'",
  adminToken: "'secret'",
  allowHost: "['sandbox.test']",
  allowOrigin: "['http://localhost:5173']",
  seed: '42',
  size: "'medium'",
  fixture: "'default'",
  now: "'2026-01-15T12:00:00Z'",
  data: "'.workspace-sandbox'",
  memory: 'true',
  sessionTtl: '30',
  requireSession: 'true',
  json: 'true',
  quiet: 'true',
}

function createTemplate(): string {
  const options = settingNames.flatMap((name) => {
    const example = examples[name]
    return example === undefined ? [] : [`  // ${settings[name].help}`, `  // ${name}: ${example},`, '']
  })
  return `import type { Config } from 'workspace-sandbox/node'

/**
 * Flags override environment variables such as WORKSPACE_SANDBOX_PORT, which override this file. In place of it, you can
 * write workspace-sandbox.config.json, with "$schema": "./node_modules/workspace-sandbox/dist/config.schema.json".
 * All options: node_modules/workspace-sandbox/dist/docs/configuration.md, or /_sandbox/docs/configuration on a server.
 */
export default {
${options.join('\n')}
  // Facts that you know about the real service, and its documentation leaves open.
  // assumptions: {
${listAssumptions().join('\n')}
  // },

  // Functions that show records whose fields its documentation does not show as the real service does.
  // present: {
  //   product: ({ name, ...rest }) => ({ ...rest, title: name }),
  // },
} satisfies Config
`
}

function listAssumptions(): string[] {
  return choiceNames.map((name) => {
    const [first, ...others] = choices[name].alternatives.map(({ value }) => JSON.stringify(value))
    const alternatives = betterExamples[name] ?? others.join(' or ')
    return `  //   ${name}: ${first}, // or ${alternatives}`.replaceAll('"', "'")
  })
}

const betterExamples: Readonly<Partial<Record<ChoiceName, string>>> = {
  envelopes: '{"listMembers":true} or "all"',
  signalStatuses: '1 to 20 other names, or {"NEW":"open","DONE":"closed"}',
  customerStatuses: '1 to 20 other names, or {"LIVE":"active","LOST":"churned"}',
}

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

export async function writeExampleTest(): Promise<void> {
  const file = existsSync('tsconfig.json') ? 'test/sandbox.test.ts' : 'test/sandbox.test.js'
  await createFile(file, EXAMPLE)
  const install = existsSync('node_modules/vitest') ? '' : 'npm install --save-dev vitest && '
  print(`Wrote ${file}. Run it with ${install}npx vitest run.`)
}

const AGENTS = 'AGENTS.md'
const [START, END] = ['<!-- workspace-sandbox -->', '<!-- /workspace-sandbox -->']

const MAX_AGENTS_BYTES = 1_048_576

export async function writeAgentsIndex(): Promise<void> {
  const built = await readBuiltFile('docs/agents.md')
  if (!built)
    throw agentsError('the package has no documentation', 'Install it again, or run `npm run build`.')
  const block = `${START}\n${new TextDecoder().decode(built).trimEnd()}\n${END}`
  const stats = lstatSync(AGENTS, { throwIfNoEntry: false })
  if (!stats) {
    await createFile(AGENTS, `${block}\n`)
    return print(`Wrote ${AGENTS}.`)
  }
  const text = readAgents(stats)
  const updated = insertBlock(text, text.includes('\r\n') ? block.replaceAll('\n', '\r\n') : block)
  if (updated === text) return print(`${AGENTS} is up to date.`)
  await replaceFile(AGENTS, updated)
  print(`Updated ${AGENTS}.`)
}

function readAgents(stats: Stats): string {
  if (stats.isSymbolicLink()) {
    const remedy = 'Run this command in the folder of the file that it points to.'
    throw agentsError('it is a symbolic link', remedy)
  }
  if (!stats.isFile()) throw agentsError('it is not a file', 'Move it away first.')
  if (stats.size > MAX_AGENTS_BYTES) throw agentsError('it is larger than 1 MiB', 'Shorten it first.')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(AGENTS))
  } catch (error) {
    const fact = error instanceof TypeError ? 'it is not UTF-8' : describeReadError(error)
    throw agentsError(fact, 'Correct it first.')
  }
}

function insertBlock(text: string, block: string): string {
  const [before = '', ...starts] = text.split(START)
  if (starts.length === 0 && !text.includes(END)) {
    const lineEnd = block.includes('\r\n') ? '\r\n' : '\n'
    const gap = text === '' ? '' : text.endsWith('\n') ? lineEnd : lineEnd.repeat(2)
    return `${text}${gap}${block}${lineEnd}`
  }
  const [, after, ...more] = starts.join(START).split(END)
  if (starts.length !== 1 || after === undefined || more.length > 0 || before.includes(END)) {
    throw agentsError(`${START} and ${END} are not one pair`, 'Remove them and what is between them first.')
  }
  return `${before}${block}${after}`
}

const agentsError = (fact: string, remedy: string): CommandError =>
  new CommandError(`Cannot write ${AGENTS}: ${fact}. ${remedy}`)
