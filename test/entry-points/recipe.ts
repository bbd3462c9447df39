import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

import { inject, onTestFinished, type TestContext } from 'vitest'

import { temporaryFolder } from '../folders.ts'
import { stopGroup } from './command.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Returns the environment of a user's shell, without that of this test run, and with further variables. */
function createEnvironment(variables: Variables = {}): Record<string, string | undefined> {
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

/** Starts a command with an environment, by default as this user; it is killed at the end of the test. */
export function start(
  [command = '', ...args]: readonly string[],
  cwd: string,
  variables: Variables,
  user: { readonly uid?: number; readonly gid?: number } = {},
) {
  const env = createEnvironment(variables)
  const child = spawn(command, args, {
    ...user,
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => stopGroup(child))
  return child
}

/** Runs a command to its end, and returns all that it has printed. Errors: the same, if it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Variables },
): Promise<string> {
  const child = start([command, ...args], cwd, env)
  const [stdout, stderr, [code]]: [string, string, unknown[]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}:\n${stdout}${stderr}`)
  return stdout + stderr
}
