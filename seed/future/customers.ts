import type { Row, TableName } from '../../src/store/tables.ts'
import { isFutureId } from '../../src/store/tables/define.ts'
import { getFamilyRoot, getLogCustomer } from '../dataset/ids.ts'
import { applyEvent } from './apply-event.ts'
import { beginCustomer } from './begin.ts'
import { type Changes, type CustomerTimeline, TimelineBuilder } from './customer-timeline.ts'
import type { World } from './world.ts'

/** Begins the timelines of those among some customers that change by themselves. */
export function beginCustomers(world: World, customers: readonly Row<'customers'>[]): CustomerTimeline[] {
  return customers
    .filter(({ id }) => !world.isStill('customers', id))
    .map((customer) => beginCustomer(world, customer, world.nowMs))
}

/** Lets time pass for customers. Returns those that are left, and after them those that have come. */
export function passCustomersTime(
  world: World,
  customers: readonly CustomerTimeline[],
  toMs: number,
  changes: Changes,
): CustomerTimeline[] {
  const spawned: CustomerTimeline[] = []
  const passTime = (timeline: CustomerTimeline): CustomerTimeline => {
    if (timeline.nextMs > toMs) return timeline
    const builder = new TimelineBuilder(world, timeline, changes)
    const passed = builder.passTime(toMs, applyEvent)
    for (const { customer, atMs, plans } of builder.spawned) {
      spawned.push(passTime(beginCustomer(world, customer, atMs, plans)))
    }
    return passed
  }
  return customers
    .map(passTime)
    .concat(spawned)
    .filter(({ customer }) => customer)
}

/** A record, and the customer that it belongs to, if it does. */
export interface PlacedRecord {
  readonly table: TableName
  readonly id: number
  readonly customerId?: number | undefined
}

/** Finds the root of the family that a record belongs to; undefined if it belongs to no customer. */
export function findRoot({ table, id, customerId }: PlacedRecord): number | undefined {
  if (table === 'members') return undefined
  // No family has the root 0.
  if (table === 'customers' || isFutureId(id)) return getFamilyRoot(id) || undefined
  if (customerId !== undefined) return getFamilyRoot(customerId)
  return table === 'triggerLogs' || table === 'actionLogs' ? getLogCustomer(id) : undefined
}
