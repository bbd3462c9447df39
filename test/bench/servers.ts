import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import * as z from 'zod'

import type { Asked } from './load.ts'

/** What a process has used since it started. */
export interface Usage {
  /** CPU time of all its threads, user and system. */
  readonly cpuUs: number
  readonly rssBytes: number
}

/** A server in a process of its own. */
export interface Server extends AsyncDisposable {
  readonly port: number
  usage(): Promise<Usage>
  /** Sends a message that the process answers. */
  tell(message: object): Promise<unknown>
}

/** An answer that is ready to be sent. */
interface Ready {
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const probe = new URL('servers/probe.js', import.meta.url)
/** The built command. */
export const command = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** A file of this folder that is a server. */
export const serverFile = (name: string): string =>
  fileURLToPath(new URL(`servers/${name}.js`, import.meta.url))

/** What a server prints once it listens. */
const Line = z.union([
  z.object({ port: z.int() }),
  z.object({ url: z.url() }).transform(({ url }) => ({ port: Number(new URL(url).port) })),
])

const Used = z.object({ cpuUs: z.number(), rssBytes: z.number() })

/** What starts the built command with its defaults, on a free port. */
export const sandboxCommand = (...args: readonly string[]): string[] => [
  command,
  'start',
  '--port',
  '0',
  '--json',
  ...args,
]

/** Starts the built command, which can be asked what it used. */
export const startCommand = (...args: readonly string[]): Promise<Server> =>
  startServer(sandboxCommand(...args))

/**
 * Starts a file by Node, which can be asked what it used, and waits until it listens.
 * @param known where it will listen; without, it prints that
 */
export async function startServer(args: readonly string[], known?: number): Promise<Server> {
  const child = run(['--import', probe.href, ...args], 'ipc')
  const port = known ?? (await portOf(child))
  if (known !== undefined) await answering(child, known)
  const tell = async (message: object | string): Promise<unknown> => {
    child.send(message)
    const [answer] = await answerOf(child, 'message')
    return answer
  }
  return {
    port,
    usage: async () => Used.parse(await tell('usage')),
    tell,
    [Symbol.asyncDispose]: () => stop(child, 'SIGKILL'),
  }
}

/** What a server answers to requests, for one that has it ready. */
export function readyAnswers(server: Server, asked: readonly Asked[]): Promise<Ready[]> {
  return Promise.all(asked.map((one) => readyAnswer(server, one)))
}

async function readyAnswer({ port }: Server, { path, bytes }: Asked): Promise<Ready> {
  const [head = '', body = ''] = bytes.split('\r\n\r\n')
  const [request = '', ...lines] = head.split('\r\n')
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: request.split(' ')[0] ?? '',
    headers: lines.map((line) => line.split(': ') as [string, string]),
    ...(body !== '' && { body }),
  })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  const headers = [...response.headers].filter(([name]) => !written.has(name)).flat()
  return { path, headers, body: Buffer.from(await response.arrayBuffer()) }
}

/** Headers that every Node server writes by itself. */
const written = new Set(['date', 'connection', 'keep-alive'])

/** Runs Node where no settings of the project reach it. */
export function run(args: readonly string[], channel: 'ipc' | 'ignore' = 'ignore'): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', channel],
    serialization: 'advanced',
  })
}

/** The port that a server prints as soon as it listens. */
export async function portOf(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the output of the server is not read')
  const [line] = await answerOf(child, 'line', createInterface(child.stdout))
  return Line.parse(JSON.parse(String(line))).port
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('there is no free port')
  return address.port
}

/** Waits until a process accepts connections. */
async function answering(child: ChildProcess, port: number): Promise<void> {
  child.stdout?.resume()
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const accepts = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (accepts) return
    await delay(50)
  }
  throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
}

/** Ends a process, and waits until it has ended. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** Waits for an event; a process that ends before is an error. */
async function answerOf(
  child: ChildProcess,
  event: string,
  emitter: NodeJS.EventEmitter = child,
): Promise<readonly unknown[]> {
  const over = new AbortController()
  try {
    const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
      throw new Error(`${child.spawnargs.join(' ')} ended with ${code ?? signal}`)
    })
    return await Promise.race([once(emitter, event, { signal: over.signal }), ended])
  } finally {
    over.abort()
  }
}

/** An empty folder on the disk that `TMPDIR` names, gone when it is disposed of. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'workspace-sandbox-bench-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
