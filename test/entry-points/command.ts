import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

import { onTestFinished } from 'vitest'

import { startSandbox, type StartOptions } from '../../src/node.ts'
import type * as Loader from '../../src/node/cli/load.ts'
import { copyAsKilled, temporaryFolder } from '../folders.ts'

const command = resolve('dist/cli.js')

/** The folder and environment of a command; by default an empty folder. */
export interface Surroundings {
  /** Another program that runs the command, with its arguments; only in a process of its own. */
  readonly under?: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The result of a command. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The line that `--json` prints. */
export interface Line {
  readonly url: string
  readonly baseUrl: string
  readonly pid: number
  readonly seed: number
  readonly size: number
  readonly fixture: string
  readonly now: string
}

/** The beginning of a script of `node --eval`: a function that reads from the service, and starts sooner than fetch. */
export const definesRead = `
  const read = async (path, base = process.env.WORKSPACE_SANDBOX_URL + '/organizations/harbor') => {
    const headers = { authorization: 'Bearer ' + process.env.WORKSPACE_SANDBOX_TOKEN }
    const [response] = await events.once(http.get(base + path, { headers }), 'response')
    let text = ''
    for await (const part of response) text += part
    return { status: response.statusCode, body: JSON.parse(text) }
  }`

/** Starts the command, which is killed at the end of the test. */
export function begin(args: readonly string[], surroundings: Surroundings = {}) {
  const { under = [], cwd = temporaryFolder(), env = {} } = surroundings
  const [program = '', ...rest] = [...under, process.execPath, command, ...args]
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the command to its end in this process, where it starts ten times as fast as in its own; several run one after the
 * other. Not for `exec` if the output of its command matters, and for `start` only if it fails before it listens.
 */
export function run(args: readonly string[], surroundings?: Surroundings): Promise<Outcome> {
  const folder = surroundings?.cwd ?? temporaryFolder()
  const outcome = last.then(() => runHere(args, { ...surroundings, cwd: folder }))
  last = outcome.catch(() => undefined)
  return outcome
}

async function runHere(
  args: readonly string[],
  { cwd, env = {} }: Surroundings & { readonly cwd: string },
): Promise<Outcome> {
  const loader: typeof Loader = await import(
    /* @vite-ignore */ pathToFileURL(resolve('dist/cli/load.js')).href
  )
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end()
  const printed = Promise.all([text(stdout), text(stderr)])
  const { exitCode: code } = process
  const folder = process.cwd()
  const listeners = signals.map((signal) => [signal, process.listeners(signal)] as const)
  const exitListeners = process.listeners('exit')
  const own = { argv: [process.execPath, command, ...args], env: { PATH: process.env['PATH'], ...env } }
  const restore = [
    ...Object.entries({ ...own, stdin, stdout, stderr }).map(([name, value]) =>
      replace(process, name, value),
    ),
    // A server that owns its process replaces these.
    ...['Request', 'Response'].map((name) => replace(globalThis, name, Reflect.get(globalThis, name))),
  ]
  process.chdir(cwd)
  process.exitCode = undefined
  try {
    await loader.load('main.cjs')['main']?.()
    stdout.end()
    stderr.end()
    const [out, err] = await printed
    // The compiler believes that the command has not set it.
    return { code: Number(Reflect.get(process, 'exitCode') ?? 0), stdout: out, stderr: err }
  } finally {
    process.chdir(folder)
    process.exitCode = code
    for (const restoreOne of restore) restoreOne()
    for (const [signal, kept] of listeners) {
      for (const one of process.listeners(signal)) if (!kept.includes(one)) process.off(signal, one)
    }
    for (const one of process.listeners('exit')) if (!exitListeners.includes(one)) process.off('exit', one)
  }
}

/** Replaces a property, until the function that it returns is called. */
function replace(object: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name) ?? {}
  Object.defineProperty(object, name, { value, configurable: true, writable: true })
  return () => Object.defineProperty(object, name, before)
}

/** Runs the command to its end in a process of its own. */
export async function runAlone(args: readonly string[], surroundings?: Surroundings): Promise<Outcome> {
  const child = begin(args, surroundings)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, stdout, stderr }
}

/** Starts a server on a free port with a small dataset, and waits until it listens. */
export async function serve(args: readonly string[], surroundings?: Surroundings) {
  return listening(begin(['start', '--port', '0', '--size', 'small', '--json', ...args], surroundings))
}

/** Waits until a server with `--json` listens. */
export async function listening<C extends ChildProcess & { readonly stderr: Readable }>(child: C) {
  const stderr = text(child.stderr)
  const line: Line = JSON.parse(await lineOf(child, stderr))
  return { ...line, child, stderr }
}

async function lineOf(child: ChildProcess, stderr: Promise<string>): Promise<string> {
  let printed = ''
  const ended = once(child, 'exit')
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (printed += part))
  while (!printed.includes('\n')) {
    const [code] = await Promise.race([once(child.stdout ?? child, 'data').then(() => []), ended])
    if (code !== undefined) throw new Error(`the server ended with ${code}: ${await stderr}`)
  }
  return printed
}

/** Waits for the end of a command and returns its exit code. */
export async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
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

/** Polls until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(10)
}

const headers = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' }
const notes = '/organizations/harbor/customers/1/notes'

/** Reads the JSON body of a response. */
export async function bodyOf<T>(response: Response): Promise<T> {
  return JSON.parse(await response.text())
}

/** Writes a note through a server, and returns its id once it is acknowledged. */
export async function postNote(baseUrl: string, content: string): Promise<number> {
  const body = JSON.stringify({ categoryId: 1, content })
  const response = await fetch(`${baseUrl}${notes}`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
  return (await bodyOf<{ id: number }>(response)).id
}

/** Creates a folder with a note in it, as a stopped or killed server leaves it. */
export async function createUsedFolder(options: StartOptions = {}, isKilled = false): Promise<string> {
  const data = temporaryFolder()
  const { baseUrl, close } = await startSandbox({ size: 'small', port: 0, data, ...options })
  await postNote(baseUrl, 'Written')
  const killed = copyAsKilled(data)
  await close()
  return isKilled ? killed : data
}

/** Occupies a port, by default a free one, which is also in use if another test has it. */
export async function occupyPort(port = 0): Promise<number> {
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening').catch(() => undefined)
  onTestFinished(() => void other.close())
  const address = other.address()
  return typeof address === 'object' && address ? address.port : port
}

/** Reads the contents of the notes that `postNote` wrote. Order: by id. */
export async function noteContents(baseUrl: string): Promise<string[]> {
  const contents: string[] = []
  for (;;) {
    const response = await fetch(`${baseUrl}${notes}?limit=250&offset=${contents.length}`, { headers })
    const { items } = await bodyOf<{ items: { content: string }[] }>(response)
    if (items.length === 0) return contents
    contents.push(...items.map(({ content }) => content))
  }
}
