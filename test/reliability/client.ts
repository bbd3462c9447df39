import { Agent } from 'node:http'

import { expect, onTestFinished } from 'vitest'

import { asker } from '../sandbox/control-support.ts'
import { serveProbed } from './server.ts'

/** Starts a server, with a limited heap if given, and a client with eight connections. Units: megabytes. */
export async function serveWithClient(heap?: number, args: readonly string[] = []) {
  const server = await serveProbed(args, heap === undefined ? {} : { heap })
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
  return { ...server, call }
}

/** Runs work for each number from 1 to `count`, eight at a time. */
export async function forEach(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let last = 0
  const worker = async () => {
    while (last < count) await work((last += 1))
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
