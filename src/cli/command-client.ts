import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { LateError, type RunOutcome } from '../sandbox/run-client.ts'
import type { TestedClient } from '../sweep/play.ts'
import type { ClientProcess, Player } from '../sweep/player.ts'
import type { Copies } from '../sync/sync-control.ts'
import { readCopyOf } from './copy-command.ts'
import { notRunError } from './failure.ts'

export interface SweptCommands {
  readonly run: readonly string[]
  readonly full: string | undefined
  readonly copy: string | undefined
}

/** How much of a command's output is kept. Units: characters. */
const MAX_OUTPUT = 2_000

/** A client that is a command, with a folder of its own for what it keeps. */
export class CommandClient implements TestedClient {
  readonly #commands: SweptCommands
  readonly #env: NodeJS.ProcessEnv
  readonly #timeoutMs: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'workspace-sandbox-'))
  #child: ChildProcess | undefined
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
    if (ended.code === 0) return { passed: true, error: undefined }
    return { passed: false, error: ended.isLate ? new LateError(this.#timeoutMs) : createExitError(ended) }
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
    const { pid, exitCode, signalCode } = this.#child ?? {}
    // Never another group: an ended one's number may be taken again.
    if (pid === undefined || exitCode !== null || signalCode !== null) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has just ended.
    }
  }

  /** Runs a command in a group of its own, for a limited time. @throws CommandError */
  #execute([name = '', ...args]: readonly string[]): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const child = spawn(name, args, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      this.#child = child
      const kept = { output: '', errors: '' }
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        this.kill()
        // A process that has left the group may hold them open.
        child.stdout.destroy()
        child.stderr.destroy()
      }, this.#timeoutMs)
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        kept.output = (kept.output + part).slice(-MAX_OUTPUT)
      })
      child.stderr.setEncoding('utf8').on('data', (part: string) => {
        kept.errors = (kept.errors + part).slice(-MAX_OUTPUT)
      })
      child.once('error', (error) => {
        clearTimeout(timer)
        reject(notRunError(name, error))
      })
      child.once('close', (code, signal) => {
        clearTimeout(timer)
        resolve({ ...kept, isLate, code: code ?? `the signal ${signal}` })
      })
    })
  }
}

interface Ended {
  readonly code: number | string
  readonly isLate: boolean
  readonly output: string
  readonly errors: string
}

function createExitError({ code, output, errors }: Ended): Error {
  const [last = ''] = (errors.trim() || output.trim()).split('\n').slice(-1)
  return new Error(`it ended with ${code}${last === '' ? '' : `: ${last.trim()}`}`)
}
