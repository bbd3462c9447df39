import { measureCosts, type Subject } from './measure.ts'
import { newPages, onePage, type Requests, widelyFilteredPage } from './requests.ts'
import { type Server, startCommand } from './servers.ts'
import { getCpu, growthRow, type Settings, type Suite } from './suite.ts'
import { readTenant, type Tenant } from './tenant.ts'

const CONNECTIONS = 16

interface Work {
  readonly title: string
  readonly requests: (tenant: Tenant) => Requests
  /** The number of different pages in the smallest tenant. */
  readonly most?: number
}

const works: Readonly<Record<string, Work>> = {
  'growth-page': { title: 'a page of 100, one URL', requests: onePage },
  'growth-new': {
    title: 'pages that were never requested before',
    requests: (tenant) => newPages(tenant, 0),
    most: 6_000,
  },
  'growth-filtered': { title: 'a page of 100, two filters', requests: widelyFilteredPage },
}

/** Measures the same pages in tenants of several sizes. */
export const growth: Suite = {
  ids: Object.keys(works),
  async *measure(wanted, settings) {
    const sizes = settings.isQuick ? [300, 10_000] : [300, 10_000, 100_000]
    const servers: Server[] = []
    try {
      for (const size of sizes) servers.push(await startCommand('--size', String(size), '--memory'))
      const tenants = await Promise.all(servers.map(readTenant))
      for (const [id, { title, requests, most }] of Object.entries(works)) {
        if (!wanted.has(id)) continue
        const subjects = servers.map((server, index) => createSubject(server, tenants[index], requests))
        const costs = await measureCosts(subjects, {
          ...settings,
          ...(most !== undefined && share(most, settings)),
        })
        const what = `${title}, at 300 to ${sizes.at(-1)?.toLocaleString('en-US')} customers`
        yield growthRow(
          { id, title: what, goal: { atMost: 1.3 } },
          sizes,
          costs.map((rounds) => rounds.map(getCpu)),
        )
      }
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]()
    }
  },
}

function createSubject(server: Server, tenant: Tenant | undefined, requests: Work['requests']): Subject {
  if (!tenant) throw new Error('a server has no tenant')
  return { server, next: requests(tenant).next, connections: CONNECTIONS }
}

/** Divides requests among the rounds; the warm-up counts as a round, and each round is preceded by a quarter of one. */
const share = (most: number, { rounds }: Settings): { readonly requests: number } => ({
  requests: Math.floor((0.8 * most) / (rounds + 1)),
})
