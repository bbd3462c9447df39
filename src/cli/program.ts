import { Command } from 'commander'

import { version } from '../version.ts'
import { exportDataset, printOpenApi, reseed, reset } from './data-commands.ts'
import { addExec } from './exec.ts'
import { init } from './init.ts'
import { optionOf, type SettingName, settingNames } from './settings.ts'
import { start } from './start.ts'

const dataset = ['seed', 'size', 'fixture', 'now'] as const
const place = ['data', 'config', 'adminToken'] as const

/** No setting: a server has its address from `--host` and `--port`. */
const url = ['--url <address>', 'a running server to act on, such as http://127.0.0.1:4500'] as const

/** The command line: what there is to say, and what is done then. */
export function createProgram(): Command {
  const program = new Command('workspace-sandbox')
    .description('A stand-in for the Workspace REST Service, on this machine.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({ outputError: () => undefined })
    .enablePositionalOptions()
    .exitOverride()
  add(program, 'start', 'start the server', settingNames, start, { isDefault: true })
  add(program, 'reset', 'drop what was written since the data was generated', place, reset).option(...url)
  add(
    program,
    'reseed',
    'generate the data anew; replaces damaged files, too',
    [...dataset, ...place],
    reseed,
  ).option(...url)
  add(
    program,
    'export',
    'print the whole data as JSON, which is a fixture',
    [...dataset, 'data', 'memory', 'config'],
    exportDataset,
  )
  add(
    program,
    'openapi',
    'print the OpenAPI document, with examples from the data',
    [...dataset, 'data', 'memory', 'port', 'assume', 'config'],
    printOpenApi,
  )
  addExec(program)
  add(program, 'init', 'write a commented workspace-sandbox.config.ts', [], init)
  return program
}

function add(
  program: Command,
  name: string,
  description: string,
  names: readonly SettingName[],
  action: (flags: Readonly<Record<string, unknown>>) => Promise<void>,
  options: { readonly isDefault?: boolean } = {},
): Command {
  const command = program.command(name, options).description(description).allowExcessArguments(false)
  for (const setting of names) command.addOption(optionOf(setting))
  return command.action((flags: Readonly<Record<string, unknown>>) => action(flags))
}
