import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SandboxError } from '../../core/errors.ts'
import { parseInput } from '../../core/issues.ts'
import { asSentence } from '../../core/words.ts'
import type { TestedClient } from '../../lab/sweep/play.ts'
import type { ClientProcess, Player } from '../../lab/sweep/player.ts'
import { parseCopy } from '../../lab/sync/copies.ts'
import { type Copies, VerdictInput } from '../../lab/sync/verdict.ts'
import { LateError, type RunOutcome } from '../../sandbox/run-client.ts'
import { CommandError, notRunError } from './failure.ts'

export interface SweptCommands {
  readonly run: readonly string[]
  readonly full: string | undefined
  readonly copy: string | undefined
}

const MAX_OUTPUT_CHARACTERS = 2_000

export class CommandClient implements TestedClient {
  readonly #commands: SweptCommands
  readonly #env: NodeJS.ProcessEnv
  readonly #timeoutMs: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'workspace-sandbox-'))
  #command: StartedCommand | undefined
  #process: ClientProcess = { isDead: true, kill: () => undefined }
  readonly answer: (request: Request, forward: () => Promise<Response>) => Promise<Response>

  constructor(commands: SweptCommands, env: NodeJS.ProcessEnv, timeoutMs: number, player: Player) {
    this.#commands = commands
    this.#env = { ...process.env, ...env, STATE: this.#folder }
    this.#timeoutMs = timeoutMs
    this.answer = (request, forward) => player.answer(request, this.#process, forward)
  }

  get hasFullRun(): boolean {
    return this.#commands.full !== undefined
  }

  async run(kind: 'incremental' | 'full'): Promise<RunOutcome | 'killed'> {
    const { run, full } = this.#commands
    const running: ClientProcess = {
      isDead: false,
      kill: () => {
        running.isDead = true
        this.kill()
      },
    }
    this.#process = running
    const command = kind === 'full' && full !== undefined ? ['sh', '-c', full] : run
    const ended = await this.#execute(command)
    if (running.isDead) return 'killed'
    // Its requests that are still on the way come to nothing.
    running.isDead = true
    return toOutcome(ended, this.#timeoutMs)
  }

  async copy(): Promise<Copies | undefined> {
    const { copy } = this.#commands
    return copy === undefined ? undefined : readCopyOf('--copy', copy, this.#env)
  }

  async close(): Promise<void> {
    this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  kill(): void {
    this.#command?.kill()
  }

  async #execute(words: readonly string[]): Promise<Ended> {
    const command = startCommand(words, this.#env, this.#timeoutMs)
    this.#command = command
    return waitForEnd(command)
  }
}

/** Runs a command to its end; the error has its exit code and the last line that it printed. @throws CommandError */
export async function runToEnd(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<RunOutcome> {
  return toOutcome(await waitForEnd(startCommand(words, env, timeoutMs)), timeoutMs)
}

async function waitForEnd(command: StartedCommand): Promise<Ended> {
  const kept = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    command[name]?.setEncoding('utf8').on('data', (part: string) => {
      kept[name] = (kept[name] + part).slice(-MAX_OUTPUT_CHARACTERS)
    })
  }
  const { code, signal, isLate } = await command.ended
  return { ...kept, isLate, code: code ?? `the signal ${signal}` }
}

function toOutcome(ended: Ended, timeoutMs: number): RunOutcome {
  if (ended.code === 0) return { passed: true, error: undefined }
  return { passed: false, error: ended.isLate ? new LateError(timeoutMs) : createExitError(ended) }
}

interface Ended {
  readonly code: number | string
  readonly isLate: boolean
  readonly stdout: string
  readonly stderr: string
}

function createExitError({ code, stdout, stderr }: Ended): Error {
  const [last = ''] = (stderr.trim() || stdout.trim()).split('\n').slice(-1)
  return new Error(`it ended with ${code}${last === '' ? '' : `: ${last.trim()}`}`)
}

const COPY_TIMEOUT_MS = 60_000
const MAX_COPY_BYTES = 64 * 1_048_576

/** Runs a shell command that prints the copy of a client, as JSON by collection or as NDJSON. @throws CommandError */
export async function readCopyOf(flag: string, command: string, env: NodeJS.ProcessEnv): Promise<Copies> {
  const text = await runInShell(flag, command, env)
  if (text.trim() === '') throw new CommandError(`The command of ${flag} printed nothing. ${ADVICE}`)
  try {
    return parseInput(VerdictInput, { copy: parseCopy(text) }).copy ?? {}
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    throw new CommandError(`The command of ${flag} printed no copy: ${asSentence(error.message)} ${ADVICE}`)
  }
}

const ADVICE =
  'Print {"customers":[…]}, or lines of {"collection":"customers","row":{…}}, with the id of the service in each row.'

async function runInShell(flag: string, command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const started = startCommand(command, env, COPY_TIMEOUT_MS)
  const chunks: Buffer[] = []
  let size = 0
  started.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_COPY_BYTES) started.kill()
    else chunks.push(chunk)
  })
  const { code, isLate } = await started.ended
  if (size > MAX_COPY_BYTES) throw new CommandError(`The command of ${flag} printed more than 64 MB.`)
  if (isLate) throw new CommandError(`The command of ${flag} took more than 60 seconds: ${command}`)
  if (code === 0) return new TextDecoder().decode(Buffer.concat(chunks))
  throw new CommandError(`The command of ${flag} failed with exit code ${code ?? 'none'}: ${command}`)
}

interface StartedCommand extends Pick<ChildProcess, 'stdout' | 'stderr'> {
  kill(): void
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; isLate: boolean }>
}

const endings = ['exit', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const

function startCommand(
  command: string | readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): StartedCommand {
  const [name = '', ...args] = [command].flat()
  const child = spawn(name, args, {
    shell: typeof command === 'string',
    env,
    stdio: ['ignore', 'pipe', typeof command === 'string' ? 'inherit' : 'pipe'],
    detached: true,
    windowsHide: true,
  })
  const kill = (): void => {
    // Never another group: an ended one's number may be taken again.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has just ended, or the system has no groups.
      child.kill('SIGKILL')
    }
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
    // A process that has left the group may hold them open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, timeoutMs)
  for (const ending of endings) process.on(ending, kill)
  const ended = new Promise<Awaited<StartedCommand['ended']>>((resolve, reject) => {
    child.once('error', (error) => reject(notRunError(name, error)))
    child.once('close', (code, signal) => resolve({ code, signal, isLate }))
  }).finally(() => {
    clearTimeout(timer)
    for (const ending of endings) process.off(ending, kill)
  })
  return { stdout: child.stdout, stderr: child.stderr, kill, ended }
}
