import { type Command, CommanderError } from 'commander'

import { SandboxError } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest.ts'
import { errorCode } from '../../store/disk/storage-errors.ts'
import { StartError } from '../server/options.ts'
import { describeSetting, isSetting, settingNames, toFlag } from './settings.ts'

/**
 * An error of a command, with its exit code: 2 for wrong usage, 127 for a command that cannot be run, 1 for everything else.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2 | typeof NOT_RUN

  constructor(message: string, exitCode: CommandError['exitCode'] = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

const NOT_RUN = 127

export function notRunError(command: string, cause: Error): CommandError {
  const facts = new Map([
    ['ENOENT', 'there is no such command'],
    ['EACCES', 'it is not executable'],
  ])
  const fact = facts.get(errorCode(cause)) ?? cause.message
  return new CommandError(`Cannot run ${command}: ${fact}. Check its name and your PATH.`, NOT_RUN)
}

export const usageError = (message: string): CommandError => new CommandError(message, 2)

export function toCommandError(error: unknown, program: Command): CommandError {
  if (error instanceof CommandError) return error
  if (error instanceof CommanderError) return usageError(describeUsageError(error, program))
  const text = error instanceof Error ? error.message : String(error)
  const isExpected = error instanceof SandboxError || error instanceof StartError
  if (!isExpected) return new CommandError(`Unexpected error: ${text}. This is a bug in workspace-sandbox.`)
  const named = text.replaceAll(/\bthe option (\w+)/g, (phrase, name: string) =>
    isSetting(name) ? toFlag(name) : phrase,
  )
  // A flag that does not go with the others.
  return named.startsWith('Cannot use --') ? usageError(named) : new CommandError(named)
}

function describeUsageError(error: CommanderError, program: Command): string {
  // The default command parses an unknown command as its own argument.
  const isOfDefault = !program.commands.some((command) => command.name() === program.args[0])
  const isExcess = error.code === 'commander.excessArguments' && isOfDefault
  const [unknown] = isExcess ? program.commands.flatMap(({ args }) => args) : []
  if (unknown !== undefined) {
    const names = program.commands.map((command) => command.name())
    return `Unknown command ${unknown}. ${didYouMean(unknown, names)}`
  }
  const [, flag = ''] = /^error: unknown option '(--[^=']+)=/.exec(error.message) ?? []
  if (settingNames.some((name) => describeSetting(name).flags === flag)) {
    return `Cannot understand the command line: ${flag} takes no value.`
  }
  const text = error.message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1')
  const isHelpful = /[.?]$/.test(text)
  const hint = error.code === 'commander.unknownOption' ? ' Add --help to list the options.' : ''
  return `Cannot understand the command line: ${text}${isHelpful ? '' : `.${hint}`}`
}
