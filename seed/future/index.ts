import type { Reader, Texts } from '../../src/store/texts.ts'
import { getFamilyRoot } from '../dataset/ids.ts'
import type { Changes, CustomerTimeline } from './customer-timeline.ts'
import { beginCustomers, findRoot, passCustomersTime, type PlacedRecord } from './customers.ts'
import { createTimeline, type TimelineState } from './fixture-timeline.ts'
import { World, type FutureSource } from './living-dataset.ts'
import { beginOffice, passOfficeTime, type Office } from './organizations.ts'
import { loadCustomer, parseSavedState, saveCustomer, saveOffice, type SavedState } from './saved-state.ts'
import { createFutureTexts } from './texts.ts'

export type { FutureSource } from './living-dataset.ts'

/** The customers and organizations of a tenant at a time. */
export interface TenantState {
  /** The time of the next event. Units: milliseconds since 1970. */
  readonly nextMs: number
  readonly customers: readonly CustomerTimeline[]
  readonly offices: readonly Office[]
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
  const world = new World(source)
  const timeline = createTimeline(world, source.timeline, source.fixture)
  return {
    begin: function* () {
      const offices = world.organizations.map((organization) => beginOffice(world, organization))
      const customers = source.rows('customers')
      const begun: CustomerTimeline[] = []
      for (let start = 0; start < customers.length; start += STEP) {
        yield
        begun.push(...beginCustomers(world, customers.slice(start, start + STEP)))
      }
      return withNext(begun, offices, timeline.begin())
    },
    advance: (state, toMs) => {
      const changes: Changes = {}
      const customers = passCustomersTime(world, state.customers, toMs, changes)
      const offices = state.offices.map((office) =>
        office.nextMs > toMs ? office : passOfficeTime(world, office, toMs, changes),
      )
      // Last, so that what the fixture says wins.
      const told =
        state.timeline.nextMs > toMs ? state.timeline : timeline.passTime(state.timeline, toMs, changes)
      return { state: withNext(customers, offices, told), changes }
    },
    save: (state) => ({
      customers: state.customers.map((customer) => saveCustomer(world, customer)),
      offices: state.offices.map(saveOffice),
      steps: state.timeline.done,
    }),
    load: (value, moment) => {
      const saved = parseSavedState(value)
      if (saved.offices.length !== world.organizations.length) {
        throw new RangeError('The saved state has other organizations.')
      }
      const told = timeline.resume(saved.steps)
      // A row that the fixture has written is not the one that the customer has.
      const rows: Reader = {
        get: (table, id) => (told.written[table]?.has(id) ? undefined : moment.get(table, id)),
      }
      const customers = saved.customers.map((customer) => loadCustomer(world, customer, rows))
      const offices = world.organizations.map((organization, place) =>
        beginOffice(world, organization, saved.offices[place]),
      )
      const state = withNext(customers, offices, told)
      // Nothing happens before the next event, so that this is as good as the time at which the state was saved.
      if (state.nextMs < Infinity) world.loadedToMs = Math.max(world.loadedToMs, state.nextMs - 1)
      return state
    },
    texts: (moment) => createFutureTexts(world, moment),
    narrow: ({ customers, offices, timeline: told }, record) => {
      const root = findRoot(record)
      const own = customers.filter(({ id }) => getFamilyRoot(id) === root)
      return withNext(own, root === undefined ? offices : [], told)
    },
  }
}

function withNext(
  customers: readonly CustomerTimeline[],
  offices: readonly Office[],
  timeline: TimelineState,
): TenantState {
  let { nextMs } = timeline
  for (const strand of [customers, offices]) for (const next of strand) nextMs = Math.min(nextMs, next.nextMs)
  return { nextMs, customers, offices, timeline }
}
