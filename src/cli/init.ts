import { writeFile } from 'node:fs/promises'

import { type ChoiceName, choices } from '../contract/choices.ts'
import { choiceNames } from '../contract/settings.ts'
import { codeOf, writingFact } from '../store/disk.ts'
import { CONFIG_FILE } from './config-file.ts'
import { print } from './output.ts'
import { settingNames, settings } from './settings.ts'

/** Why no config file was written. */
export class InitError extends Error {
  override readonly name = 'InitError'
}

/** Writes a config file with every option in a comment; never over one that is there. */
export async function init(): Promise<void> {
  try {
    await writeFile(CONFIG_FILE, template(), { flag: 'wx' })
  } catch (error) {
    const isThere = codeOf(error) === 'EEXIST'
    const fact = isThere ? 'it is there already' : writingFact(error)
    const remedy = isThere ? 'Change it, or remove it first.' : 'See to the folder and try again.'
    throw new InitError(`Cannot write ${CONFIG_FILE}: ${fact}. ${remedy}`)
  }
  print(`Wrote ${CONFIG_FILE}.`)
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

function template(): string {
  const options = settingNames.flatMap((name) => {
    const example = examples[name]
    return example === undefined ? [] : [`  // ${settings[name].help}`, `  // ${name}: ${example},`, '']
  })
  return `import type { Config } from 'workspace-sandbox/node'

/** Flags win over the environment (WORKSPACE_SANDBOX_PORT and so on), which wins over this file. */
export default {
${options.join('\n')}
  // how the real service decides what its document leaves open, as far as you know it
  // assumptions: {
${assumptionLines().join('\n')}
  // },
} satisfies Config
`
}

/** Every assumption with its default, and beside it what else it may be. */
function assumptionLines(): string[] {
  return choiceNames.map((name) => {
    const [first, ...others] = choices[name].alternatives.map(({ value }) => JSON.stringify(value))
    const alternatives = more[name] ?? others.join(' or ')
    return `  //   ${name}: ${first}, // or ${alternatives}`.replaceAll('"', "'")
  })
}

/** Values that better show what may be set than the known alternatives do. */
const more: Readonly<Partial<Record<ChoiceName, string>>> = {
  envelopes: '{"listMembers":true}',
  signalStatuses: '1 to 20 other names, or {"NEW":"open","DONE":"closed"}',
  customerStatuses: '1 to 20 other names, or {"LIVE":"active","LOST":"churned"}',
}
