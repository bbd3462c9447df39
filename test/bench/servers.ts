import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import * as z from 'zod'

import { endpoints } from '../../src/service/index.ts'
import type { Suite } from './rows.ts'

/** The resources that a process has used since it started: the user and system time of all threads, and its memory. */
const Used = z.object({ cpuUs: z.number(), rssBytes: z.number() })

/** A server in a separate process. */
export interface Server extends AsyncDisposable {
  readonly port: number
  usage(): Promise<z.infer<typeof Used>>
  send(message: object): Promise<unknown>
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const probe = new URL('servers/probe.js', import.meta.url)
export const command = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export const serverFile = (name: string): string =>
  fileURLToPath(new URL(`servers/${name}.js`, import.meta.url))

/** Returns the arguments that start the built command with its defaults on a free port. */
export const sandboxCommand = (...args: readonly string[]): string[] => [
  command,
  'start',
  '--port',
  '0',
  ...args,
]

export function startFloor(): Promise<Server> {
  const routes = endpoints.map(({ method, path }) => ({
    method,
    path: `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  }))
  return startServer([serverFile('floor'), JSON.stringify(routes)])
}

export const startCommand = (...args: readonly string[]): Promise<Server> =>
  startServer(sandboxCommand(...args))

/** Starts a server with Node, without the project's settings, and waits until it prints the port that it listens on. */
export async function startServer(args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, ['--import', probe.href, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const port = await readPort(child)
  const send = async (message: object | string): Promise<unknown> => {
    child.send(message)
    return receive(child)
  }
  return {
    port,
    usage: async () => Used.parse(await send('usage')),
    send,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
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

/** Waits for a message. Errors: the process exits first. */
async function receive(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  try {
    const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
      throw new Error(`${child.spawnargs.join(' ')} exited with ${code ?? signal}`)
    })
    const [message] = await Promise.race([once(child, 'message', { signal: over.signal }), ended])
    return message
  } finally {
    over.abort()
  }
}

/** Keeps a core awake while a suite is measured: where one dozes between requests, code takes up to twice the time. */
export const keepAwake = (suite: Suite): Suite => ({
  ids: suite.ids,
  async *measure(wanted) {
    // Ends by itself, too, if nobody is left to end it.
    const child = spawn(process.execPath, ['-e', 'const { ppid } = process; while (process.ppid === ppid);'])
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    try {
      yield* suite.measure(wanted)
    } finally {
      child.kill('SIGKILL')
    }
  },
})

/** Creates an empty folder under `TMPDIR`, which is removed on disposal. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'workspace-sandbox-bench-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
