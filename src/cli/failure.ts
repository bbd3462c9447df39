import { type Command, CommanderError } from 'commander'

import { SandboxError } from '../contract/errors.ts'
import { didYouMean } from '../contract/nearest.ts'
import { StartError } from '../server/start-error.ts'
import { InitError } from './init.ts'
import { RemoteError } from './running-server.ts'
import { settingNames, settings } from './settings.ts'
import { UsageError } from './usage-error.ts'

/** What the command says in the end, and its exit code: 2 for wrong usage, 1 for everything else. */
interface Failure {
  readonly message: string
  readonly exitCode: 1 | 2
}

const known = [SandboxError, StartError, RemoteError, InitError]

/** How the command ends after an error. */
export function failureOf(error: unknown, program: Command): Failure {
  if (error instanceof UsageError) return { message: error.message, exitCode: 2 }
  if (error instanceof CommanderError) return { message: usageText(error, program), exitCode: 2 }
  const text = error instanceof Error ? error.message : String(error)
  if (known.some((kind) => error instanceof kind)) return { message: text, exitCode: 1 }
  return { message: `Cannot go on: ${text}. This is a bug in workspace-sandbox.`, exitCode: 1 }
}

/** The word in the place of a command that is none; undefined if there is none. */
function unknownCommand(error: CommanderError, program: Command): string | undefined {
  // What `help` prints for a command that it does not know.
  if (error.code === 'commander.help') return program.args[1]
  if (error.code !== 'commander.excessArguments') return undefined
  const isNamed = program.commands.some((command) => command.name() === program.args[0])
  // Without a name, the default command has run, and took the word for an argument.
  return isNamed ? undefined : program.commands.flatMap(({ args }) => args)[0]
}

function usageText(error: CommanderError, program: Command): string {
  const names = program.commands.map((command) => command.name())
  const unknown = unknownCommand(error, program)
  if (unknown !== undefined) {
    return `Cannot run ${unknown}: there is no such command. ${didYouMean(unknown, names)}`
  }
  const [, flag = ''] = /^error: unknown option '(--[^=']+)=/.exec(error.message) ?? []
  if (settingNames.some((name) => settings[name].flags === flag)) {
    return `Cannot understand the command line: ${flag} takes no value.`
  }
  const text = error.message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1')
  return `Cannot understand the command line: ${text}${/[.?]$/.test(text) ? '' : '.'}`
}
