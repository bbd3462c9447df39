import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { inject, onTestFinished, type TestContext } from 'vitest'
import * as z from 'zod'

import { temporaryFolder } from '../folders.ts'
import type { Line } from './command.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Returns the environment of a user's shell, without that of this test run, and with further variables. */
export function createEnvironment(variables: Variables = {}): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV$|npm_)/.test(name))
  return { ...Object.fromEntries(own), ...variables }
}

/** Copies an example into a new folder in which the packed package is installed. */
export function copyExample(name: string): string {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  cpSync(resolve('examples', name), folder, { recursive: true })
  symlinkSync(join(inject('consumer'), 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Finds the first of some commands that runs; if none does, skips the test, except in `.ci/run`. */
export function findCommand(
  { skip }: Pick<TestContext, 'skip'>,
  commands: readonly string[],
  args: readonly string[],
): string {
  const found = commands.find((command) => spawnSync(command, args, { stdio: 'ignore' }).status === 0)
  if (found !== undefined) return found
  const message = `needs ${commands[0]} ${args.join(' ')}, which .ci/run installs`
  if (process.env['RECIPES'] !== 'required') skip(message)
  throw new Error(message)
}

/** Runs a command to its end, and returns all that it has printed. Errors: the same, if it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Variables },
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: createEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => stopGroup(child))
  const [stdout, stderr, [code]]: [string, string, unknown[]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}:\n${stdout}${stderr}`)
  return stdout + stderr
}

/** Reads the line that a server prints once it listens. Errors: what it printed, if it ends. */
export async function readLine(server: ChildProcessByStdio<null, Readable, Readable>): Promise<Line> {
  const stderr = text(server.stderr)
  const ended = once(server, 'exit').then(async ([code]: unknown[]) => {
    throw new Error(`the server ended with ${String(code)}:\n${await stderr}`)
  })
  // A server that ends later is none of its business.
  ended.catch(() => undefined)
  const [line] = z
    .tuple([z.instanceof(Buffer)])
    .parse(await Promise.race([once(server.stdout, 'data'), ended]))
  return JSON.parse(line.toString())
}

/** Ends the processes that a command has left. */
export function stopGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // None was left.
  }
}

/** Reports whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
