import * as z from 'zod'

import { fileSchema, recordExtras } from '../../seed/fixtures/fixture-file.ts'
import { assumptionIds, assumptions } from '../../src/contract/assumptions.ts'
import { choices, findChoiceName } from '../../src/contract/choices.ts'
import { VerdictInput, Reason, reasonTexts } from '../../src/lab/sync/verdict.ts'
import { createProgram } from '../../src/node/cli/main.ts'
import { describeSetting, settingNames, toVariable } from '../../src/node/cli/settings.ts'
import { Config } from '../../src/node/server/options.ts'
import { SandboxOptions } from '../../src/sandbox/sandbox-options.ts'
import { WorkerOptions } from '../../src/sandbox/worker.ts'
import { listReferences } from '../../src/store/references.ts'
import { type TableName, tableNames } from '../../src/store/tables.ts'
import { profiles } from '../../src/testing/faults/profiles.ts'
import { forms } from '../../src/testing/records/forms/forms.ts'
import { listScenarios } from '../../src/testing/scenarios/scenario.ts'
import result from '../bench/result.json' with { type: 'json' }
import { markdownTable, Result } from '../bench/rows.ts'
import { formatFields, formatTable } from './schema-table.ts'

/** A table between `<!-- name -->` and `<!-- /name -->` on a page. */
interface GeneratedTable {
  readonly page: string
  readonly lines: () => readonly string[]
}

export const generatedTables: Readonly<Record<string, GeneratedTable>> = {
  flags: { page: 'docs/configuration.md', lines: listFlags },
  commands: { page: 'docs/configuration.md', lines: listCommands },
  'fault-profiles': { page: 'docs/faults.md', lines: listProfiles },
  scenarios: { page: 'docs/scenarios.md', lines: listAllScenarios },
  collections: { page: 'docs/arranging-data.md', lines: listCollections },
  'fixture-keys': { page: 'docs/fixtures.md', lines: listFixtureKeys },
  'sandbox-options': {
    page: 'docs/embedding.md',
    lines: () => listOptions('createSandbox', [...Object.keys(SandboxOptions.shape), 'state']),
  },
  'worker-options': {
    page: 'docs/sharing.md',
    lines: () => listOptions('createWorker', Object.keys(WorkerOptions.shape)),
  },
  'verdict-fields': { page: 'docs/verdicts.md', lines: () => formatFields(VerdictInput) },
  'verdict-reasons': { page: 'docs/verdicts.md', lines: listReasons },
  'assumption-table': { page: 'docs/assumptions.md', lines: listAssumptions },
  bench: { page: 'test/bench/README.md', lines: () => markdownTable(Result.parse(result)) },
}

const code = (text: string): string => `\`${text}\``

function listOptions(name: string, options: readonly string[]): string[] {
  return [`${code(name)} takes ${options.map(code).join(', ')}.`]
}

function listFlags(): string[] {
  const rows = settingNames.map((name) => {
    const setting = describeSetting(name)
    const key = name === 'assume' ? 'assumptions' : name
    return [
      code(setting.flags),
      code(toVariable(name)),
      Object.hasOwn(Config.shape, key) ? code(key) : '–',
      setting.default ?? '–',
      setting.help,
    ]
  })
  return formatTable(['Flag', 'Environment variable', 'Config key', 'Default', 'Meaning'], rows)
}

function listCommands(): string[] {
  const rows = createProgram().commands.map((command) => {
    const usage = command.name() === 'exec' ? ` ${command.usage()}` : ''
    return [code(`workspace-sandbox ${command.name()}${usage}`), command.description()]
  })
  return formatTable(['Command', 'Meaning'], rows)
}

function listReasons(): string[] {
  return formatTable(
    ['Reason', 'Meaning'],
    Reason.options.map((reason) => [code(reason), reasonTexts[reason]]),
  )
}

function listProfiles(): string[] {
  const rows = Object.entries(profiles).map(([name, { description }]) => [code(name), description])
  return formatTable(['Profile', 'Effect'], rows)
}

function listAllScenarios(): string[] {
  const rows = listScenarios().map(({ name, text, options }) => {
    const defaults = Object.entries(options).map(([option, value]) => `${code(option)}: ${value ?? '–'}`)
    return [code(name), text, defaults.join(', ')]
  })
  return formatTable(['Scenario', 'What it does', 'Options and defaults'], rows)
}

function listCollections(): string[] {
  const rows = tableNames.map((name) => {
    const owner = listReferences(name).find(({ isPart }) => isPart)
    const others = listReferences(name).filter(({ isPart }) => !isPart)
    const targets = others.map(
      ({ path, table }) => `${code(path.join('.').replaceAll('.[]', '[]'))} → ${table}`,
    )
    return [
      code(name),
      listFurtherFields(name),
      targets.join(', ') || '–',
      owner ? `${code(owner.table)}${owner.isOptional ? ', or an organization' : ''}` : 'an organization',
    ]
  })
  return formatTable(['Collection', 'Further fields', 'References', 'Belongs to'], rows)
}

/** Lists the fields that a record of the service does not have; each record has `organizationId`, too. */
function listFurtherFields(name: TableName): string {
  const { shape, extras } = forms[name]
  const own = shape instanceof z.ZodObject ? Object.keys(shape.shape) : []
  const further = extras.filter((field) => field !== 'organizationId' && !own.includes(field))
  return further.map(code).join(', ') || '–'
}

const isTable = (name: string): boolean => tableNames.some((table) => table === name)

function listFixtureKeys(): string[] {
  const records = tableNames.map(code).join(', ')
  return [
    ...formatFields(fileSchema(false), (name) => !isTable(name)),
    `| ${records} | list of records | – | Records of each collection: each has an \`id\` and any fields of its collection. Missing fields are generated. |`,
    ...formatFields(z.object(recordExtras))
      .slice(2)
      .map((row) => row.replace('`', '`…[].')),
  ]
}

function listAssumptions(): string[] {
  const rows = assumptionIds.flatMap((id) => {
    const { subject, decision } = assumptions[id]
    const name = findChoiceName(id)
    if (name === null) return []
    const [first = '', ...others] = choices[name].alternatives.map(({ value }) =>
      code(choices[name].write(value)),
    )
    return [[id, subject, decision, code(name), first, others.join(', ')]]
  })
  return formatTable(['Id', 'Subject', 'Decision', 'Name', 'Default', 'Alternatives'], rows)
}
