#!/usr/bin/env node
import { CommanderError } from 'commander'

import { failureOf } from './cli/failure.ts'
import { outliveReaders, warn } from './cli/output.ts'
import { createProgram } from './cli/program.ts'

outliveReaders()

const program = createProgram()

program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError && error.exitCode === 0) return
  const { message, exitCode } = failureOf(error, program)
  warn(message)
  process.exitCode = exitCode
})
