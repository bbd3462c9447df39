import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import * as z from 'zod'

import { endpoints } from '../../src/service/index.ts'

/** The resources that a process has used since it started. */
export interface Usage {
  /** User and system time of all threads. */
  readonly cpuUs: number
  readonly rssBytes: number
}

/** A server in a separate process. */
export interface Server extends AsyncDisposable {
  readonly port: number
  usage(): Promise<Usage>
  send(message: object): Promise<unknown>
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const probe = new URL('servers/probe.js', import.meta.url)
export const command = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export const serverFile = (name: string): string =>
  fileURLToPath(new URL(`servers/${name}.js`, import.meta.url))

const Used = z.object({ cpuUs: z.number(), rssBytes: z.number() })

/** Returns the arguments that start the built command with its defaults on a free port. */
export const sandboxCommand = (...args: readonly string[]): string[] => [
  command,
  'start',
  '--port',
  '0',
  ...args,
]

export const startFloor = (): Promise<Server> =>
  startServer([
    serverFile('floor'),
    JSON.stringify(
      endpoints.map(({ method, path }) => ({
        method,
        path: `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      })),
    ),
  ])

export const startCommand = (...args: readonly string[]): Promise<Server> =>
  startServer(sandboxCommand(...args))

/** Starts a server with Node and waits until it prints the port that it is listening on. */
export async function startServer(args: readonly string[]): Promise<Server> {
  const child = run(['--import', probe.href, ...args], 'ipc')
  const port = await readPort(child)
  const send = async (message: object | string): Promise<unknown> => {
    child.send(message)
    const [reply] = await waitForEvent(child, 'message')
    return reply
  }
  return {
    port,
    usage: async () => Used.parse(await send('usage')),
    send,
    [Symbol.asyncDispose]: () => stop(child, 'SIGKILL'),
  }
}

/** Runs Node without the project's settings. */
function run(args: readonly string[], channel: 'ipc' | 'ignore' = 'ignore'): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', channel],
    serialization: 'advanced',
  })
}

/** Reads the port that a server prints once it is listening, as JSON or for people. */
async function readPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the output of the server is not piped')
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /(?:"port":|http:\/\/[\w.]+:)(\d+)/.exec(line) ?? []
    if (port !== undefined) return Number(port)
  }
  throw new Error(`${child.spawnargs.join(' ')} has printed no port`)
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** Waits for an event. Errors: the process exits first. */
async function waitForEvent(
  child: ChildProcess,
  event: string,
  emitter: NodeJS.EventEmitter = child,
): Promise<readonly unknown[]> {
  const over = new AbortController()
  try {
    const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
      throw new Error(`${child.spawnargs.join(' ')} exited with ${code ?? signal}`)
    })
    return await Promise.race([once(emitter, event, { signal: over.signal }), ended])
  } finally {
    over.abort()
  }
}

/** Creates an empty folder under `TMPDIR`, which is removed on disposal. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'workspace-sandbox-bench-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
