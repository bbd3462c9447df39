import { spawn } from 'node:child_process'
import { constants } from 'node:os'

import { startTimer } from '../../core/system-clock.ts'
import { LateError, type RunOutcome } from '../../sandbox/run-client.ts'
import { CommandError, notRunError } from './failure.ts'

export interface Ended {
  /** The exit code, or the name of the signal that has ended the command. */
  readonly code: number | string
  readonly isLate: boolean
  readonly stdout: string
  readonly stderr: string
}

export interface StartedCommand {
  kill(): void
  readonly ended: Promise<Ended>
}

const KEPT_CHARACTERS = 8_000

/** The time after which no more output is expected of a command that has ended. Units: milliseconds. */
const QUIET_MS = 200

const running = new Set<() => void>()

const killAll = (): void => {
  for (const kill of running) kill()
}

/** Ends the running commands, which are in groups of their own, when this process ends. */
export function endWithParent(): void {
  process.once('exit', killAll)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

/**
 * Starts a command, or a line of shell, in a process group of its own, which ends with the command.
 * @param read reads the standard output as it comes, and standard error is passed on; without it, the end of both is kept
 */
export function startCommand(
  command: string | readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  read?: (text: string) => void,
): StartedCommand {
  const [file = '', ...args] = [command].flat()
  const shell = typeof command === 'string'
  const stderr = read ? 'inherit' : 'pipe'
  const child = spawn(file, args, {
    shell,
    env,
    stdio: ['ignore', 'pipe', stderr],
    detached: true,
    windowsHide: true,
  })
  const kill = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has just ended, or the system has no groups.
      child.kill('SIGKILL')
    }
  }
  running.add(kill)
  let [isLate, size] = [false, 0]
  let failure: unknown
  const ends = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new TextDecoder()
    child[name]?.on('data', (chunk: Buffer) => {
      size += chunk.length
      const text = decoder.decode(chunk, { stream: true })
      if (!read) ends[name] = (ends[name] + text).slice(-KEPT_CHARACTERS)
      else if (failure === undefined) {
        try {
          read(text)
        } catch (error) {
          failure = error
          kill()
        }
      }
    })
  }
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeoutMs)
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once('error', (error) => reject(notRunError(file, error)))
    child.once('exit', (code, signal) => resolve(code ?? `the signal ${signal}`))
  })
  const closed = new Promise((resolve) => child.once('close', () => resolve('closed')))
  const waitForEnd = async (): Promise<Ended> => {
    try {
      const code = await exited
      // The processes that it has left in the background. Nobody else can have the number of the group yet.
      kill()
      // A process that has left the group may hold the output open for ever.
      for (let seen = -1; seen !== size;) {
        seen = size
        if ((await Promise.race([closed, startTimer(QUIET_MS).over])) !== undefined) break
      }
      if (failure !== undefined) throw failure
      return { code, isLate, ...ends }
    } finally {
      clearTimeout(timer)
      running.delete(kill)
      child.stdout?.destroy()
      child.stderr?.destroy()
    }
  }
  return { kill, ended: waitForEnd() }
}

/** Converts the end of a command to the outcome of a run; its error has the exit code and the last line that it printed. */
export function toOutcome({ code, isLate, stdout, stderr }: Ended, timeoutMs: number): RunOutcome {
  if (code === 0) return { passed: true, error: undefined }
  if (isLate) return { passed: false, error: new LateError(timeoutMs) }
  const [last = ''] = (stderr.trim() || stdout.trim()).split('\n').slice(-1)
  return { passed: false, error: new Error(`it ended with ${code}${last === '' ? '' : `: ${last.trim()}`}`) }
}

const OUTPUT_TIMEOUT_MS = 60_000

/** Runs a line of shell, and reads what it prints as it comes. @throws CommandError that names the flag */
export async function readOutput(
  flag: string,
  command: string,
  env: NodeJS.ProcessEnv,
  read: (text: string) => void,
): Promise<void> {
  const { code, isLate } = await startCommand(command, env, OUTPUT_TIMEOUT_MS, read).ended
  if (isLate) throw new CommandError(`The command of ${flag} took more than 60 seconds: ${command}`)
  const ending = typeof code === 'number' ? `exit code ${code}` : code
  if (code !== 0) throw new CommandError(`The command of ${flag} failed with ${ending}: ${command}`)
}
