import { load } from './load.ts'
import { customersById, repeated, walk } from './requests.ts'
import { prepareResponses, type Server, startCommand, startFloor } from './servers.ts'
import { median, summarizeRatios } from './statistics.ts'
import type { Suite } from './suite.ts'
import { readTenant } from './tenant.ts'

const CONNECTIONS = 16
const REQUESTS = 1_000

export const first: Suite = {
  ids: ['first'],
  async *measure(wanted, { rounds }) {
    if (!wanted.has('first')) return
    await using reference = await startCommand('--size', 'medium', '--memory')
    const tenant = await readTenant(reference)
    const ready = [...customersById(tenant).ready, ...walk(tenant).ready]
    const responses = await prepareResponses(reference, ready)
    const measure = async (server: Server): Promise<number> => {
      const before = await server.usage()
      const { next } = repeated(ready)
      await load(server.port, next, CONNECTIONS, { seconds: Infinity, requests: REQUESTS })
      return ((await server.usage()).cpuUs - before.cpuUs) / REQUESTS
    }
    const [floor, ours]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      await using bare = await startFloor()
      await bare.send(responses)
      floor.push(await measure(bare))
      await using own = await startCommand('--size', 'medium', '--memory')
      ours.push(await measure(own))
    }
    yield {
      id: 'first',
      title: 'the first 1,000 requests of a fresh server',
      unit: 'CPU, ours / Hono',
      measured: summarizeRatios(ours, floor),
      goal: { atMost: 1.5 },
      details: `ours ${median(ours).toFixed(0)} µs, Hono ${median(floor).toFixed(0)} µs a request`,
    }
  },
}
