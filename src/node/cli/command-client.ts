import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { constants } from 'node:os'

import { withCallerErrors } from '../../core/caller-errors.ts'
import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { runAtOnce } from '../../core/slices.ts'
import { asSentence } from '../../core/words.ts'
import { CopyReader } from '../../lab/sync/copies.ts'
import { type Copies, VerdictInput } from '../../lab/sync/verdict.ts'
import type { TestedClient } from '../../sandbox/sweep/play.ts'
import type { ClientProcess, Player } from '../../sandbox/sweep/player.ts'
import { CommandError, notRunError } from './failure.ts'
import { warn } from './output.ts'
import { readOutput, startCommand, toOutcome } from './processes.ts'
import type { Receipt } from './receipt.ts'

export interface CommandClient extends TestedClient {
  /** Answers a request of the command, unless that has ended. */
  answer(request: Request, forward: () => Promise<Response>): Promise<Response>
}

/** Creates a client that is a command. What it keeps is in a folder, for which `STATE` and `{state}` stand. */
export function createCommandClient(
  { run, full, copy }: { readonly run: readonly string[] } & Pick<Receipt, 'full' | 'copy'>,
  variables: NodeJS.ProcessEnv,
  folder: string,
  timeoutMs: number,
  player: Player,
): CommandClient {
  const env = { ...process.env, ...variables, STATE: folder }
  const fill = (text: string): string => text.replaceAll('{state}', folder)
  let running: ClientProcess = { isDead: true, kill: () => undefined }
  mkdirSync(folder)
  return {
    hasFullRun: full !== undefined,
    answer: (request, forward) => player.answer(request, running, forward),
    async run(kind) {
      const words = kind === 'full' && full !== undefined ? fill(full) : run.map(fill)
      const command = startCommand(words, env, timeoutMs)
      const started: ClientProcess = {
        isDead: false,
        kill: () => {
          started.isDead = true
          command.kill()
        },
      }
      running = started
      const ended = await command.ended
      if (started.isDead) return 'killed'
      // Its requests that are still on the way come to nothing.
      started.isDead = true
      return toOutcome(ended, timeoutMs)
    },
    copy: async () => (copy === undefined ? undefined : readCopyOf('--copy', fill(copy), env)),
    /** Removes the folder. What still writes into it is left without it; what makes it again, to the end of the sweep. */
    async close() {
      const old = `${folder}.old`
      await rename(folder, old).catch(() => undefined)
      await rm(old, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => undefined)
    },
  }
}

const ADVICE =
  'Print {"customers":[…]}, lines of {"collection":"customers","row":{…}}, or RECORD messages of Singer or Airbyte, with the id of the service in each row.'

/** Runs a line of shell that prints the copy of a client. @throws CommandError */
export async function readCopyOf(flag: string, command: string, env: NodeJS.ProcessEnv): Promise<Copies> {
  const reader = new CopyReader()
  try {
    const copy = await withCallerErrors('its output', async () => {
      await readOutput(flag, command, env, (text) => runAtOnce(reader.add(text)))
      const printed = runAtOnce(reader.finish())
      return printed === undefined ? undefined : (parseInput(VerdictInput, { copy: printed }).copy ?? {})
    })
    if (copy) return copy
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new CommandError(`The command of ${flag} printed no copy: ${asSentence(error.message)} ${ADVICE}`)
  }
  throw new CommandError(`The command of ${flag} printed nothing. ${ADVICE}`)
}

/** Runs a command with the terminal of this process. Returns its exit code. */
export function runCommand(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: 'inherit', env })
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to the command itself.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
      })
    }
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      const { message, exitCode } = notRunError(name, error)
      warn(message)
      resolve(exitCode)
    })
  })
}
