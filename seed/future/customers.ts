import type { Row, TableName } from '../../src/store/tables.ts'
import { isFutureId } from '../../src/store/tables/define.ts'
import { DAY, HOUR, parseTime } from '../calendar/time.ts'
import { computeStart } from '../customers/contracts.ts'
import { getFamilyRoot, getLogCustomer } from '../dataset/ids.ts'
import { drawAt, hashRecord } from '../random/random.ts'
import { applyEvent } from './apply-event.ts'
import { RENEWAL_HOUR } from './contracts.ts'
import {
  TimelineBuilder,
  resumeCustomerTimeline,
  type Changes,
  type CustomerTimeline,
} from './customer-timeline.ts'
import type { Appointment } from './events.ts'
import { listHandovers } from './handovers.ts'
import type { World } from './living-dataset.ts'
import { listMeetingCourse } from './meetings.ts'
import { findNextRefresh } from './metrics.ts'
import { findNextEvent } from './next-event.ts'
import { listCourse } from './signals.ts'

/** Begins the timeline of a customer at a time: with what is already under way. */
export function beginCustomer(
  world: World,
  customer: Row<'customers'>,
  nowMs: number,
  plans: readonly Appointment[] = [],
): CustomerTimeline {
  const { id } = customer
  const hash = hashRecord(world.seed, 'lives', id)
  const draw = (place: number) => drawAt(hash, place)
  const agenda: Appointment[] = [
    ...plans,
    { atMs: findNextEvent(hash, nowMs), event: 'planNextEvent' },
    { atMs: findNextRefresh(hash, nowMs), event: 'refreshMetrics' },
    ...listHandovers(world, customer, nowMs),
  ]
  for (const entry of customer.products) {
    if (entry.status === 'churned') continue
    const atMs = Math.max(parseTime(entry.renewalDate) + RENEWAL_HOUR * HOUR, nowMs + HOUR)
    agenda.push({ atMs, event: 'renewContracts' })
    if (entry.status !== 'onboarding') continue
    const launchMs = computeStart(id, entry, world.seed) + (60 + draw(1) * 50) * DAY
    const atLaunchMs = Math.floor(Math.max(launchMs, nowMs + (1 + draw(2) * 30) * DAY))
    agenda.push({ atMs: atLaunchMs, event: 'goLive', product: entry.key })
  }
  const { source } = world
  for (const signal of source.rowsOf('signals', id)) {
    const isOver = signal.status === 'closed' || signal.status === 'dismissed'
    if (!isOver && !world.isStill('signals', signal.id)) agenda.push(...listCourse(signal, nowMs, draw))
  }
  for (const meeting of source.rowsOf('meetings', id)) {
    const isToCome = parseTime(meeting.endDate) > nowMs
    if (isToCome && !world.isStill('meetings', meeting.id)) agenda.push(...listMeetingCourse(meeting))
  }
  const whole = agenda.map((event) => ({ ...event, atMs: Math.floor(event.atMs) }))
  const sorted = whole.toSorted((a, b) => a.atMs - b.atMs)
  return resumeCustomerTimeline(world, { id, customer, children: {}, agenda: sorted, spawnedCount: 0 })
}

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
