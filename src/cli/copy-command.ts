import { spawn } from 'node:child_process'

import { SandboxError } from '../core/errors.ts'
import { parseInput } from '../core/issues.ts'
import { parseCopy } from '../sync/copies.ts'
import { type Copies, VerdictInput } from '../sync/sync-control.ts'
import { CommandError } from './failure.ts'

/** How long the command may take. Units: milliseconds. */
const TIMEOUT_MS = 60_000

/** The largest copy. Units: bytes. */
const MAX_BYTES = 64 * 1_048_576

/**
 * Runs a command of the shell that prints the copy of a client, as JSON by collection or as NDJSON, and reads it.
 * @param flag the flag with the command, for messages
 * @throws CommandError if the command fails or prints no copy
 */
export async function readCopyOf(flag: string, command: string, env: NodeJS.ProcessEnv): Promise<Copies> {
  const text = await runInShell(flag, command, env)
  if (text.trim() === '') throw new CommandError(`The command of ${flag} printed nothing. ${ADVICE}`)
  try {
    return parseInput(VerdictInput, { copy: parseCopy(text) }).copy ?? {}
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new CommandError(`The command of ${flag} printed no copy: ${error.message} ${ADVICE}`)
  }
}

const ADVICE =
  'Print {"customers":[…]}, or lines of {"collection":"customers","row":{…}}, with the id of the service in each row.'

function runInShell(flag: string, command: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
      timeout: TIMEOUT_MS,
    })
    const chunks: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BYTES) child.kill()
      else chunks.push(chunk)
    })
    child.once('error', (error) =>
      reject(new CommandError(`Cannot run the command of ${flag}: ${error.message}`)),
    )
    child.once('close', (code) => {
      if (size > MAX_BYTES) reject(new CommandError(`The command of ${flag} printed more than 64 MB.`))
      else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else
        reject(new CommandError(`The command of ${flag} failed with exit code ${code ?? 'none'}: ${command}`))
    })
  })
}
