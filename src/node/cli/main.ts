import { Command, CommanderError } from 'commander'

import { didYouMean } from '../../core/nearest.ts'
import { version } from '../../core/version.ts'
import { indentColumns } from '../../core/words.ts'
import { exportDataset, printOpenApi, reseed, reset } from './data-commands.ts'
import { toCommandError, usageError } from './failure.ts'
import helpTexts from './help.json' with { type: 'json' }
import { init } from './init.ts'
import { warn, watchOutput } from './output.ts'
import { addSetting, type CommandHelp, defineOption, type SettingName, settingNames } from './settings.ts'
import { start } from './start.ts'

export async function main(): Promise<void> {
  watchOutput()
  const program = createProgram()
  const args = process.argv.slice(2)
  const [name] = args[0] === 'help' ? args.slice(1) : args
  try {
    rejectUnknownCommand(program, name)
    const command = program.commands.find((one) => one.name() === name)
    if (command) await loaders[command.name()]?.(command)
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    const { message, exitCode } = toCommandError(error, program)
    warn(message)
    process.exitCode = exitCode
  }
}

/** Adds the options and the code of commands once they are named, so that the others start 3 ms faster. */
const loaders: Readonly<Record<string, (command: Command) => Promise<void>>> = {
  exec: async (command) => (await import('./exec.ts')).addExec(command),
  calibrate: async (command) => (await import('./calibrate.ts')).addCalibrate(command),
}

/** Rejects `help unknown` and `unknown --help`, for which commander prints the help of the program. @throws CommandError */
function rejectUnknownCommand(program: Command, name: string | undefined): void {
  if (name === undefined || name.startsWith('-')) return
  const names = [...program.commands.map((one) => one.name()), 'help']
  if (!names.includes(name)) throw usageError(`Unknown command ${name}. ${didYouMean(name, names)}`)
}

const dataset = ['seed', 'size', 'fixture', 'now', 'future'] as const
const target = ['adminToken', 'data', 'memory', 'json', 'config'] as const
const ownHelp: CommandHelp = {
  memory: { isHidden: true },
  json: { help: 'print the result as one line of JSON' },
}

export function createProgram(): Command {
  const program = new Command('workspace-sandbox')
    .description('A mock server for the Workspace REST Service. Without a command, it starts.')
    .optionsGroup('General:')
    .version(version, '--version', 'print the version')
    .addHelpOption(defineOption('General', '-h, --help', 'print this help'))
    .commandsGroup('Other:')
    .helpCommand('help [command]', 'print the help of a command')
    .commandsGroup('Server:')
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .enablePositionalOptions()
    .exitOverride()
  add(program, 'start', 'start the server', settingNames, start, { isDefault: true })
  program
    .command('exec')
    .description('run a command with its own sandbox, and exit with its code')
    .usage('[options] -- <command> [arguments...]')
  program.commandsGroup('Data:')
  const unchanged = Object.fromEntries(dataset.map((name) => [name, { default: 'unchanged' }]))
  const reseeding = [...dataset, ...target]
  const help = { ...unchanged, ...ownHelp }
  for (const command of [
    add(program, 'reset', 'drop all changes to the dataset', target, reset, { help }),
    add(program, 'reseed', 'generate a new dataset, even if files are damaged', reseeding, reseed, { help }),
  ]) {
    const place =
      'the running server to act on; without it, the one that uses the data folder, or the folder itself'
    command.addOption(defineOption('Control plane', '--url <url>', place))
  }
  const reading = [...dataset, 'data', 'memory'] as const
  const stored = [...reading, 'config'] as const
  add(program, 'export', 'print the dataset as JSON, which can be used as a fixture', stored, exportDataset)
  const describing = [...reading, 'port', 'publicUrl', 'assume', 'config'] as const
  const about = 'print the OpenAPI document, with examples from the data'
  const url = { port: { help: 'port of the URL that the document names', default: '4500' } }
  add(program, 'openapi', about, describing, printOpenApi, { help: url })
  program.commandsGroup('Other:')
  program.command('calibrate').description('compare recorded answers of a real tenant with every setting')
  const example = defineOption('Output', '--vitest', 'write an example test for Vitest instead')
  add(program, 'init', 'write a commented workspace-sandbox.config.ts', [], init).addOption(example)
  addHelpTexts(program)
  return program
}

function add(
  program: Command,
  name: string,
  description: string,
  names: readonly SettingName[],
  action: (command: Command) => Promise<void>,
  { isDefault = false, help = {} }: { readonly isDefault?: boolean; readonly help?: CommandHelp } = {},
): Command {
  const command = program.command(name, { isDefault }).description(description).allowExcessArguments(false)
  for (const setting of names) addSetting(command, setting, help[setting])
  return command.action(() => action(command))
}

const addSection = (command: Command, title: string, lines: readonly string[]): Command =>
  command.addHelpText('after', ['', title, ...lines].join('\n'))

/** Adds examples to the help of each command, and the exit codes to that of the program. */
function addHelpTexts(program: Command): void {
  for (const [name, examples] of Object.entries(helpTexts.examples)) {
    const command = program.commands.find((one) => one.name() === name) ?? program
    // A comment beside its line would not fit into 80 columns.
    const lines = Object.entries(examples).flatMap(([line, comment]) => [`  # ${comment}`, `  ${line}`])
    addSection(command, 'Examples:', lines)
  }
  addSection(program, 'Exit codes:', indentColumns(Object.entries(helpTexts.exitCodes)))
}
