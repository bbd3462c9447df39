import type { TableName } from '../../src/store/tables.ts'
import { isFutureId } from '../../src/store/tables/define.ts'
import type { Reader, Texts } from '../../src/store/texts.ts'
import { getFamilyRoot, getLogCustomer } from '../ids.ts'
import { beginLife } from './begin.ts'
import { type Changes, type Life, LifeDraft } from './life.ts'
import { beginOffice, type Office, passOfficeTime } from './office.ts'
import { createFutureTexts } from './texts.ts'
import { createTimeline, type TimelineState } from './timeline.ts'
import { type FutureSource, World } from './world.ts'

export type { FutureSource } from './world.ts'

/** The customers and organizations of a tenant at a time. */
export interface TenantState {
  /** The time of the next event. Units: milliseconds since 1970. */
  readonly nextMs: number
  readonly lives: readonly Life[]
  readonly offices: readonly Office[]
  readonly timeline: TimelineState
}

/**
 * Creates the events after a dataset's time. Each customer has a life of its own, which depends on the seed, on the
 * customer and on the time alone: neither on other customers nor on the steps in which time passes.
 */
export function createFuture(source: FutureSource): {
  begin(): TenantState
  advance(state: TenantState, toMs: number): { readonly state: TenantState; readonly changes: Changes }
  texts(moment: Reader): Texts
  narrow(state: TenantState, record: PlacedRecord): TenantState
} {
  const world = new World(source)
  const timeline = createTimeline(world, source.timeline, source.fixture)
  return {
    begin: () => {
      const moving = source.rows('customers').filter(({ id }) => !world.isStill('customers', id))
      const lives = moving.map((customer) => beginLife(world, customer, world.nowMs))
      const offices = world.organizations.map((organization) => beginOffice(world, organization))
      return withNext(lives, offices, timeline.begin())
    },
    advance: (state, toMs) => {
      const changes: Changes = {}
      const born: Life[] = []
      const live = (life: Life): Life => {
        if (life.nextMs > toMs) return life
        const draft = new LifeDraft(world, life, changes)
        const lived = draft.passTime(toMs)
        for (const { customer, atMs, plans } of draft.births) {
          born.push(live(beginLife(world, customer, atMs, plans)))
        }
        return lived
      }
      const lives = state.lives.map(live).concat(born)
      const offices = state.offices.map((office) =>
        office.nextMs > toMs ? office : passOfficeTime(world, office, toMs, changes),
      )
      // Last, so that what the fixture says wins.
      const told =
        state.timeline.nextMs > toMs ? state.timeline : timeline.passTime(state.timeline, toMs, changes)
      const left = lives.filter(({ customer }) => customer)
      return { state: withNext(left, offices, told), changes }
    },
    texts: (moment) => createFutureTexts(world, moment),
    narrow: ({ lives, offices, timeline: told }, record) => {
      const root = findRoot(record)
      const own = lives.filter(({ id }) => getFamilyRoot(id) === root)
      return withNext(own, root === undefined ? offices : [], told)
    },
  }
}

/** A record, and the customer that it belongs to, if it does. */
interface PlacedRecord {
  readonly table: TableName
  readonly id: number
  readonly customerId?: number | undefined
}

/** Finds the root of the family that a record belongs to; undefined if it belongs to no customer. */
function findRoot({ table, id, customerId }: PlacedRecord): number | undefined {
  if (table === 'members') return undefined
  // No family has the root 0.
  if (table === 'customers' || isFutureId(id)) return getFamilyRoot(id) || undefined
  if (customerId !== undefined) return getFamilyRoot(customerId)
  return table === 'triggerLogs' || table === 'actionLogs' ? getLogCustomer(id) : undefined
}

function withNext(lives: readonly Life[], offices: readonly Office[], timeline: TimelineState): TenantState {
  let { nextMs } = timeline
  for (const strand of [lives, offices]) for (const next of strand) nextMs = Math.min(nextMs, next.nextMs)
  return { nextMs, lives, offices, timeline }
}
