import type { Reader, Texts } from '../../src/store/texts.ts'
import { getRootCustomer } from '../dataset/ids.ts'
import type { Changes, CustomerTimeline } from './customer-timeline.ts'
import { advanceCustomers, beginCustomers, findRoot, type PlacedRecord } from './customers.ts'
import { createTimeline, type TimelineState } from './fixture-timeline.ts'
import { LivingDataset, type FutureSource } from './living-dataset.ts'
import { advanceOrganization, beginOrganization, type OrganizationTimeline } from './organizations.ts'
import {
  loadCustomer,
  parseSavedState,
  saveCustomer,
  saveOrganization,
  type SavedState,
} from './saved-state.ts'
import { createFutureTexts } from './texts.ts'

export type { FutureSource } from './living-dataset.ts'

/** The customers and organizations of a tenant at a time. */
export interface TenantState {
  /** The time of the next event. Units: milliseconds since 1970. */
  readonly nextMs: number
  readonly customers: readonly CustomerTimeline[]
  readonly offices: readonly OrganizationTimeline[]
  readonly timeline: TimelineState
}

/** The number of customers that begin at once. */
const STEP = 500

/**
 * Creates the events after a dataset's time. Each customer has a timeline of its own, which depends on the seed, on the
 * customer and on the time alone: neither on other customers nor on the steps in which time passes.
 */
export function createFuture(source: FutureSource): {
  begin(): Generator<undefined, TenantState>
  advance(state: TenantState, toMs: number): { readonly state: TenantState; readonly changes: Changes }
  save(state: TenantState): SavedState
  load(saved: unknown, moment: Reader): TenantState
  texts(moment: Reader): Texts
  narrow(state: TenantState, record: PlacedRecord): TenantState
} {
  const dataset = new LivingDataset(source)
  const timeline = createTimeline(dataset, source.timeline, source.fixture)
  return {
    begin: function* () {
      const offices = dataset.organizations.map((organization) => beginOrganization(dataset, organization))
      const customers = source.rows('customers')
      const begun: CustomerTimeline[] = []
      for (let start = 0; start < customers.length; start += STEP) {
        yield
        begun.push(...beginCustomers(dataset, customers.slice(start, start + STEP)))
      }
      return withNextTime(begun, offices, timeline.begin())
    },
    advance: (state, toMs) => {
      const changes: Changes = {}
      const customers = advanceCustomers(dataset, state.customers, toMs, changes)
      const offices = state.offices.map((office) =>
        office.nextMs > toMs ? office : advanceOrganization(dataset, office, toMs, changes),
      )
      // Last, so that what the fixture says wins.
      const told =
        state.timeline.nextMs > toMs ? state.timeline : timeline.advance(state.timeline, toMs, changes)
      return { state: withNextTime(customers, offices, told), changes }
    },
    save: (state) => ({
      customers: state.customers.map((customer) => saveCustomer(dataset, customer)),
      offices: state.offices.map(saveOrganization),
      steps: state.timeline.done,
    }),
    load: (value, moment) => {
      const saved = parseSavedState(value)
      if (saved.offices.length !== dataset.organizations.length) {
        throw new RangeError('The saved state has other organizations.')
      }
      const told = timeline.resume(saved.steps)
      // A row that the fixture has written is not the one that the customer has.
      const rows: Reader = {
        get: (table, id) => (told.written[table]?.has(id) ? undefined : moment.get(table, id)),
      }
      const customers = saved.customers.map((customer) => loadCustomer(dataset, customer, rows))
      const offices = dataset.organizations.map((organization, place) =>
        beginOrganization(dataset, organization, saved.offices[place]),
      )
      const state = withNextTime(customers, offices, told)
      // Nothing happens before the next event, so that this is as good as the time at which the state was saved.
      if (state.nextMs < Infinity) dataset.loadedToMs = Math.max(dataset.loadedToMs, state.nextMs - 1)
      return state
    },
    texts: (moment) => createFutureTexts(dataset, moment),
    narrow: ({ customers, offices, timeline: told }, record) => {
      const root = findRoot(record)
      const listRows = customers.filter(({ id }) => getRootCustomer(id) === root)
      return withNextTime(listRows, root === undefined ? offices : [], told)
    },
  }
}

function withNextTime(
  customers: readonly CustomerTimeline[],
  offices: readonly OrganizationTimeline[],
  timeline: TimelineState,
): TenantState {
  let { nextMs } = timeline
  for (const strand of [customers, offices]) for (const next of strand) nextMs = Math.min(nextMs, next.nextMs)
  return { nextMs, customers, offices, timeline }
}
