import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { resolve } from 'node:path'

import { expect, onTestFinished } from 'vitest'

import { listening } from '../entry-points/command.ts'
import { temporaryFolder } from '../folders.ts'
import { asker } from '../sandbox/control-support.ts'

/** Units: bytes. */
export interface Memory {
  /** Memory in use after garbage collection. */
  readonly live: number
  readonly rss: number
}

/** Starts the built command with the probe inside; kills it when the test finishes. */
function startProbed(args: readonly string[], heap: number | undefined) {
  const limits = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  const child = fork(resolve('dist/cli.js'), args, {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'] },
    execArgv: [...limits, '--import', new URL('probe.mjs', import.meta.url).href],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the output of the child process is not piped')
  return Object.assign(child, { stdout, stderr })
}

/** Starts a server with the probe inside, with a limited heap if given, and waits until it listens. Units: megabytes. */
export async function serveProbed(args: readonly string[], heap?: number) {
  const place = args.includes('--data') ? [] : ['--memory']
  const common = ['start', '--port', '0', '--json', '--size', 'small', ...place]
  const server = await listening(startProbed([...common, ...args], heap))
  const memory = async (): Promise<Memory> => {
    server.child.send('memory')
    const [answer] = await once(server.child, 'message')
    return answer
  }
  return { ...server, memory }
}

/** Starts a server, with a limited heap if given, and a client with eight connections. Units: megabytes. */
export async function serveWithClient(heap?: number, args: readonly string[] = []) {
  const server = await serveProbed(args, heap)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  onTestFinished(() => agent.destroy())
  const ask = asker(server.url, agent)
  /** Sends a request that must succeed and returns the body of the response. Sends a string body as it is. */
  const call = async (method: string, path: string, session?: string, body?: unknown): Promise<string> => {
    const type = { authorization: 'Bearer sbx_harbor_1', 'content-type': 'application/json' }
    const headers = { ...type, 'sandbox-session': session ?? null }
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await ask(path, { method, headers, ...(sent !== undefined && { body: sent }) })
    expect(answer.status, `${method} ${path}: ${answer.body}`).toBeLessThan(300)
    return answer.body
  }
  return { ...server, ask, call }
}

/** Runs work for each number from 1 to `count`, eight at a time. */
export async function forEach(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let last = 0
  const worker = async () => {
    while (last < count) await work((last += 1))
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
