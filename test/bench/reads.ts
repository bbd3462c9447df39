import * as requests from './requests.ts'
import { prepareResponses, type Server, startCommand, startServer, serverFile } from './servers.ts'
import { comparisonRow, type Suite } from './suite.ts'
import { readTenant, type Tenant } from './tenant.ts'

const CONNECTIONS = 16

interface Work {
  readonly title: string
  readonly atLeast: number
  readonly requests: (tenant: Tenant, server: Server) => requests.Requests | Promise<requests.Requests>
}

const works: Readonly<Record<string, Work>> = {
  customer: { title: 'one customer by id', atLeast: 0.5, requests: requests.customersById },
  page: { title: 'a page of 100 customers, one URL', atLeast: 0.5, requests: requests.onePage },
  walk: { title: 'pages of 100, walking over 100 offsets', atLeast: 0.5, requests: requests.walk },
  filtered: { title: 'a page of 100, two filters', atLeast: 0.45, requests: requests.filteredPage },
  new: {
    title: 'pages that were never requested before',
    atLeast: 0.25,
    requests: (tenant) => requests.newPages(tenant, 12),
  },
  signals: {
    title: 'signals, scope=mine, a page of 100',
    atLeast: 0.45,
    requests: (_tenant, server) => requests.signalsOfMine(server),
  },
}

/** Measures reads of a large tenant, compared with a server that has every response in memory. */
export const reads: Suite = {
  ids: Object.keys(works),
  async *measure(wanted, options) {
    await using server = await startCommand('--size', 'large', '--memory')
    const tenant = await readTenant(server)
    for (const [id, work] of Object.entries(works)) {
      if (!wanted.has(id)) continue
      const { ready, next } = await work.requests(tenant, server)
      await using baseline = await startServer([serverFile('raw')])
      await baseline.send(await prepareResponses(server, ready))
      yield await comparisonRow(
        { id, title: work.title, goal: { atLeast: work.atLeast } },
        { server: baseline, next: requests.repeated(ready).next, connections: CONNECTIONS },
        { server, next, connections: CONNECTIONS },
        options,
      )
    }
  },
}
