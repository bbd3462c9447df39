import { load } from './load.ts'
import { customersById, newPages, repeated, type Requests, walk } from './requests.ts'
import { type Server, serverFile, startCommand, startServer } from './servers.ts'
import { medianOf, ratiosOf, spreadOf } from './statistics.ts'
import type { Suite } from './suite.ts'
import { getRequest, readTenant } from './tenant.ts'

const CONNECTIONS = 16

/** What is asked of each server before its memory is measured. */
const REQUESTS = 1_000

/** The memory that processes take once they have worked. */
export const memory: Suite = {
  ids: ['memory-medium', 'memory-large'],
  async *measure(wanted, { rounds, isQuick }) {
    if (wanted.has('memory-medium')) {
      const [ours, hello]: [number[], number[]] = [[], []]
      for (let round = 0; round < Math.ceil(rounds / 2); round += 1) {
        hello.push(await memoryOfHello())
        ours.push(await memoryOf('medium'))
      }
      yield {
        id: 'memory-medium',
        title: 'memory after load, medium',
        unit: 'RSS, ours / hello',
        measured: ratiosOf(ours, hello),
        goal: { atMost: 1.5 },
        details: `ours ${medianOf(ours).toFixed(0)} MB, Hono hello ${medianOf(hello).toFixed(0)} MB`,
      }
    }
    if (wanted.has('memory-large')) {
      const measured: number[] = []
      for (let round = 0; round < (isQuick ? 1 : 3); round += 1) measured.push(await memoryOf('large'))
      yield {
        id: 'memory-large',
        title: 'memory after load, large',
        unit: 'MB RSS',
        measured: spreadOf(measured),
        goal: { atMost: 300 },
        details: '',
      }
    }
  },
}

/** Units: megabytes. */
async function memoryOf(size: string): Promise<number> {
  await using server = await startCommand('--size', size, '--memory')
  const tenant = await readTenant(server)
  return await afterLoad(server, [customersById(tenant), walk(tenant), newPages(tenant, 0)])
}

async function memoryOfHello(): Promise<number> {
  await using server = await startServer([serverFile('hello')])
  const hello = repeated([getRequest('/hello', 'hello'.length)])
  return await afterLoad(server, [hello, hello, hello])
}

async function afterLoad(server: Server, works: readonly Requests[]): Promise<number> {
  for (const { next } of works) {
    await load(server.port, next, CONNECTIONS, { seconds: Infinity, requests: REQUESTS })
  }
  return (await server.usage()).rssBytes / 1_000_000
}
