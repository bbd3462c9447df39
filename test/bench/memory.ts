import { load } from './load.ts'
import { customersById, newPages, repeated, type Requests, walk } from './requests.ts'
import { type Server, serverFile, startCommand, startServer } from './servers.ts'
import { median, summarizeRatios, summarize } from './statistics.ts'
import type { Suite } from './suite.ts'
import { getRequest, readTenant } from './tenant.ts'

const CONNECTIONS = 16

/** Requests of each kind before the memory is measured. */
const REQUESTS = 1_000

export const memory: Suite = {
  ids: ['memory-medium', 'memory-large'],
  async *measure(wanted, { rounds, isQuick }) {
    if (wanted.has('memory-medium')) {
      const [ours, hello]: [number[], number[]] = [[], []]
      for (let round = 0; round < Math.ceil(rounds / 2); round += 1) {
        hello.push(await measureHelloMemory())
        ours.push(await measureMemory('medium'))
      }
      yield {
        id: 'memory-medium',
        title: 'memory after load, medium',
        unit: 'RSS, ours / hello',
        measured: summarizeRatios(ours, hello),
        goal: { atMost: 1.5 },
        details: `ours ${median(ours).toFixed(0)} MB, Hono hello ${median(hello).toFixed(0)} MB`,
      }
    }
    if (wanted.has('memory-large')) {
      const measured: number[] = []
      for (let round = 0; round < (isQuick ? 1 : 3); round += 1) measured.push(await measureMemory('large'))
      yield {
        id: 'memory-large',
        title: 'memory after load, large',
        unit: 'MB RSS',
        measured: summarize(measured),
        goal: { atMost: 300 },
        details: '',
      }
    }
  },
}

/** Units: megabytes. */
async function measureMemory(size: string): Promise<number> {
  await using server = await startCommand('--size', size, '--memory')
  const tenant = await readTenant(server)
  return await measureAfterLoad(server, [customersById(tenant), walk(tenant), newPages(tenant, 0)])
}

async function measureHelloMemory(): Promise<number> {
  await using server = await startServer([serverFile('hello')])
  const hello = repeated([getRequest('/hello', 'hello'.length)])
  return await measureAfterLoad(server, [hello, hello, hello])
}

async function measureAfterLoad(server: Server, works: readonly Requests[]): Promise<number> {
  for (const { next } of works) {
    await load(server.port, next, CONNECTIONS, { seconds: Infinity, requests: REQUESTS })
  }
  return (await server.usage()).rssBytes / 1_000_000
}
