import type { Reader } from '../../src/store/texts.ts'
import { getRootCustomer } from '../dataset/ids.ts'
import type { Changes, CustomerTimeline } from './customer-timeline.ts'
import { advanceCustomers, beginCustomers, findRoot, type PlacedRecord } from './customers.ts'
import { createFixtureTimeline, type TimelineState } from './fixture-timeline.ts'
import { LivingDataset, type FutureSource } from './living-dataset.ts'
import { advanceOrganization, beginOrganization, type OrganizationTimeline } from './organizations.ts'
import { createFutureTexts } from './texts.ts'

export type { FutureSource } from './living-dataset.ts'

export interface TenantState {
  readonly nextMs: number
  readonly customers: readonly CustomerTimeline[]
  readonly organizations: readonly OrganizationTimeline[]
  readonly timeline: TimelineState
}

const BATCH = 500

/**
 * Creates the events after a dataset's time. Each customer has a timeline of its own, which depends on the seed, on the
 * customer and on the time alone: neither on other customers nor on the steps by which it is advanced.
 */
export function createFuture(source: FutureSource) {
  const dataset = new LivingDataset(source)
  const fixtureTimeline = createFixtureTimeline(dataset, source.timeline, source.fixture)
  return {
    begin: function* (): Generator<undefined, TenantState> {
      const organizations = dataset.organizations.map((organization) =>
        beginOrganization(dataset, organization),
      )
      const customers = source.rows('customers')
      const timelines: CustomerTimeline[] = []
      for (let start = 0; start < customers.length; start += BATCH) {
        yield
        timelines.push(...beginCustomers(dataset, customers.slice(start, start + BATCH)))
      }
      return withNextTime(timelines, organizations, fixtureTimeline.begin())
    },
    advance: (state: TenantState, toMs: number) => {
      const changes: Changes = {}
      const customers = advanceCustomers(dataset, state.customers, toMs, changes)
      const organizations = state.organizations.map((organization) =>
        organization.nextMs > toMs ? organization : advanceOrganization(dataset, organization, toMs, changes),
      )
      // Last, because the fixture takes precedence.
      const timeline =
        state.timeline.nextMs > toMs ? state.timeline : fixtureTimeline.advance(state.timeline, toMs, changes)
      return { state: withNextTime(customers, organizations, timeline), changes }
    },
    texts: (moment: Reader) => createFutureTexts(dataset, moment),
    narrow: ({ customers, organizations, timeline }: TenantState, record: PlacedRecord) => {
      const root = findRoot(record)
      const related = customers.filter(({ id }) => getRootCustomer(id) === root)
      return withNextTime(related, root === undefined ? organizations : [], timeline)
    },
  }
}

function withNextTime(
  customers: readonly CustomerTimeline[],
  organizations: readonly OrganizationTimeline[],
  timeline: TimelineState,
): TenantState {
  let { nextMs } = timeline
  for (const one of [...customers, ...organizations]) nextMs = Math.min(nextMs, one.nextMs)
  return { nextMs, customers, organizations, timeline }
}
