import * as requests from './requests.ts'
import {
  prepareResponses,
  type Server,
  serverFile,
  startCommand,
  startFloor,
  startServer,
} from './servers.ts'
import { comparisonRow, type Suite } from './suite.ts'
import { readTenant, type Tenant } from './tenant.ts'

const CONNECTIONS = 16

interface Work {
  readonly title: string
  readonly atLeast: number
  readonly requests: (tenant: Tenant, server: Server) => requests.Requests | Promise<requests.Requests>
}

const works: Readonly<Record<string, Work>> = {
  customer: { title: 'one customer by id', atLeast: 0.75, requests: requests.customersById },
  page: { title: 'a page of 100 customers, one URL', atLeast: 0.75, requests: requests.onePage },
  walk: { title: 'pages of 100, walking over 100 offsets', atLeast: 0.75, requests: requests.walk },
  filtered: { title: 'a page of 100, two filters', atLeast: 0.75, requests: requests.filteredPage },
  new: {
    title: 'pages that were never requested before',
    atLeast: 0.35,
    requests: (tenant) => requests.newPages(tenant, 12),
  },
  signals: {
    title: 'signals, scope=mine, a page of 100',
    atLeast: 0.75,
    requests: (_tenant, server) => requests.signalsOfMine(server),
  },
}

/** Measures reads of a large tenant, compared with servers that have every response in memory. */
export const reads: Suite = {
  ids: Object.keys(works),
  async *measure(wanted, options) {
    await using server = await startCommand('--size', 'large', '--memory')
    const tenant = await readTenant(server)
    for (const [id, work] of Object.entries(works)) {
      if (!wanted.has(id)) continue
      const { ready, next } = await work.requests(tenant, server)
      await using floor = await startFloor()
      await using raw = await startServer([serverFile('raw')])
      const responses = await prepareResponses(server, ready)
      const baselines = [
        { name: 'Hono', server: floor },
        { name: 'raw', server: raw },
      ]
      for (const baseline of baselines) await baseline.server.send(responses)
      yield await comparisonRow(
        { id, title: work.title, goal: { atLeast: work.atLeast } },
        { server, next, connections: CONNECTIONS },
        baselines.map((baseline) => ({
          ...baseline,
          next: requests.repeated(ready).next,
          connections: CONNECTIONS,
        })),
        options,
      )
    }
  },
}
