import { CommanderError } from 'commander'

import { failureOf } from './failure.ts'
import { outliveReaders, warn } from './output.ts'
import { createProgram } from './program.ts'

/** Runs the command line of this process; the exit code says how it went. */
export async function main(): Promise<void> {
  outliveReaders()
  const program = createProgram()
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    const { message, exitCode } = failureOf(error, program)
    warn(message)
    process.exitCode = exitCode
  }
}
