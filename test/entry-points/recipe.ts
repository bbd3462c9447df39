import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

import { inject, onTestFinished, type TestContext } from 'vitest'

import { folderWith, temporaryFolder } from '../folders.ts'
import { npm } from '../packed-setup.ts'
import { type Outcome, stopGroup } from './command.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Returns the environment of a user's shell, without that of this test run, and with further variables. */
export function createEnvironment(variables: Variables = {}): Record<string, string | undefined> {
  const own = /^(?:VITEST|NODE_ENV$|WORKSPACE_SANDBOX_|npm_|TEST$)/
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name))
  return { ...Object.fromEntries(inherited), ...variables }
}

/** Creates a folder with files in the user's project. */
export const createFiles = (files: Readonly<Record<string, string>>): string =>
  folderWith(files, mkdtempSync(join(inject('consumer'), 'files-')))

/** Creates a folder in the user's project that has a package of the registry. */
export function createProject(name: string): string {
  const folder = createFiles({ 'package.json': '{"private":true,"type":"module"}' })
  npm(folder, 'install', '--prefer-offline', name)
  return folder
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

interface Place {
  readonly cwd: string
  readonly env?: Variables
}

/** Runs a command to its end. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: Place,
): Promise<Outcome> {
  const child = start([command, ...args], cwd, env)
  const read = async (stream: typeof child.stdout) => stripVTControlCharacters(await text(stream))
  const printed = [read(child.stdout), read(child.stderr), once(child, 'exit')] as const
  const [stdout, stderr, [code]] = await Promise.all(printed)
  return { code, stdout, stderr }
}

/** Runs a command to its end, and returns all that it has printed. Errors: the same, if it fails. */
export async function runCommand(command: string, args: readonly string[], place: Place): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(command, args, place)
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${stdout}${stderr}`)
  return stdout + stderr
}
