import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { constants } from 'node:os'

import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { runAtOnce } from '../../core/slices.ts'
import { asSentence } from '../../core/words.ts'
import { CopyReader } from '../../lab/sync/copies.ts'
import { type Copies, VerdictInput } from '../../lab/sync/verdict.ts'
import type { RunOutcome } from '../../sandbox/run-client.ts'
import type { TestedClient } from '../../sandbox/sweep/play.ts'
import type { ClientProcess, Player } from '../../sandbox/sweep/player.ts'
import { CommandError, notRunError } from './failure.ts'
import { warn } from './output.ts'
import { readOutput, startCommand, type StartedCommand, toOutcome } from './processes.ts'

export interface SweptCommands {
  readonly run: readonly string[]
  readonly full?: string | undefined
  readonly copy?: string | undefined
}

/** A client that is a command. What it keeps is in a folder, for which `STATE` and `{state}` stand. */
export class CommandClient implements TestedClient {
  readonly #commands: SweptCommands
  readonly #env: NodeJS.ProcessEnv
  readonly #folder: string
  readonly #timeoutMs: number
  readonly #player: Player
  #command: StartedCommand | undefined
  #process: ClientProcess = { isDead: true, kill: () => undefined }

  constructor(
    commands: SweptCommands,
    env: NodeJS.ProcessEnv,
    folder: string,
    timeoutMs: number,
    player: Player,
  ) {
    this.#commands = commands
    this.#env = { ...process.env, ...env, STATE: folder }
    this.#folder = folder
    this.#timeoutMs = timeoutMs
    this.#player = player
    mkdirSync(folder)
  }

  get hasFullRun(): boolean {
    return this.#commands.full !== undefined
  }

  answer(request: Request, forward: () => Promise<Response>): Promise<Response> {
    return this.#player.answer(request, this.#process, forward)
  }

  async run(kind: 'incremental' | 'full'): Promise<RunOutcome | 'killed'> {
    const { run, full } = this.#commands
    const words =
      kind === 'full' && full !== undefined ? this.#fill(full) : run.map((word) => this.#fill(word))
    const running: ClientProcess = {
      isDead: false,
      kill: () => {
        running.isDead = true
        this.#command?.kill()
      },
    }
    this.#process = running
    this.#command = startCommand(words, this.#env, this.#timeoutMs)
    const ended = await this.#command.ended
    if (running.isDead) return 'killed'
    // Its requests that are still on the way come to nothing.
    running.isDead = true
    return toOutcome(ended, this.#timeoutMs)
  }

  async copy(): Promise<Copies | undefined> {
    const { copy } = this.#commands
    return copy === undefined ? undefined : readCopyOf('--copy', this.#fill(copy), this.#env)
  }

  /** Removes the folder. What still writes into it is left without it; what makes it again, to the end of the sweep. */
  async close(): Promise<void> {
    const old = `${this.#folder}.old`
    await rename(this.#folder, old).catch(() => undefined)
    await rm(old, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(() => undefined)
  }

  #fill(text: string): string {
    return text.replaceAll('{state}', this.#folder)
  }
}

const ADVICE =
  'Print {"customers":[…]}, lines of {"collection":"customers","row":{…}}, or RECORD messages of Singer or Airbyte, with the id of the service in each row.'

/** Runs a line of shell that prints the copy of a client. @throws CommandError */
export async function readCopyOf(flag: string, command: string, env: NodeJS.ProcessEnv): Promise<Copies> {
  const reader = new CopyReader()
  try {
    await readOutput(flag, command, env, (text) => runAtOnce(reader.add(text)))
    const copy = runAtOnce(reader.finish())
    if (copy !== undefined) return parseInput(VerdictInput, { copy }).copy ?? {}
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
