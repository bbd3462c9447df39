import type { Change, RecordPlace, Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import { DAY, HOUR, parseTime } from '../calendar/time.ts'
import { computeStart } from '../customers/contracts.ts'
import { getLogCustomer, getRootCustomer, isFutureId } from '../dataset/ids.ts'
import { drawAt, hashRecord } from '../random/random.ts'
import { findLaunch, findRenewal, goLive, renewContracts } from './contracts.ts'
import { CustomerTimeline, type CustomerEvent } from './customer-timeline.ts'
import { listHandovers } from './handovers.ts'
import type { LivingDataset } from './living-dataset.ts'
import { describeMeeting } from './meetings.ts'
import { findNextRefresh, refreshMetrics } from './metrics.ts'
import { findNextEvent, planNextEvent } from './next-event.ts'
import { listSignalEvents } from './signals.ts'

/** Begins the timeline of a customer with the events that follow from its records. */
export function beginCustomer(
  dataset: LivingDataset,
  customer: Row<'customers'>,
  nowMs = dataset.nowMs,
  firstEvents: readonly CustomerEvent[] = [],
): CustomerTimeline {
  const { id } = customer
  const hash = hashRecord(dataset.seed, 'lives', id)
  const agenda: CustomerEvent[] = [
    ...firstEvents,
    { atMs: findNextEvent(hash, nowMs), happen: planNextEvent },
    { atMs: findNextRefresh(hash, nowMs), happen: refreshMetrics },
    ...listHandovers(dataset, customer, nowMs),
  ]
  for (const entry of customer.products) {
    if (entry.status === 'churned') continue
    agenda.push({ atMs: Math.max(findRenewal(entry), nowMs + HOUR), happen: renewContracts })
    if (entry.status !== 'onboarding') continue
    const launchMs = findLaunch(computeStart(id, entry, dataset.seed), hash)
    const atLaunchMs = Math.max(launchMs, nowMs + (1 + drawAt(hash, 2) * 30) * DAY)
    agenda.push({ atMs: atLaunchMs, happen: (timeline) => goLive(timeline, entry.key) })
  }
  for (const signal of dataset.listCustomerRows('signals', id)) {
    if (isOver(signal) || dataset.isStatic('signals', signal.id)) continue
    agenda.push(...listSignalEvents(signal, nowMs, hash))
  }
  for (const meeting of dataset.listCustomerRows('meetings', id)) {
    const atMs = parseTime(meeting.endDate)
    if (atMs <= nowMs || dataset.isStatic('meetings', meeting.id)) continue
    agenda.push({ atMs, happen: (timeline) => describeMeeting(timeline, meeting.id) })
  }
  const whole = agenda.map(({ atMs, happen }) => ({ atMs: Math.floor(atMs), happen }))
  const sorted = whole.toSorted((a, b) => a.atMs - b.atMs)
  return new CustomerTimeline(dataset, customer, sorted)
}

/** Advances a customer to a time. Returns it, if it still exists, and those that it has spawned. */
export function advanceCustomer(
  timeline: CustomerTimeline,
  toMs: number,
  changes: Change[],
): CustomerTimeline[] {
  const later = timeline.advance(toMs, changes)
  const spawned = later.spawned.flatMap(({ customer, atMs, events }) =>
    advanceCustomer(beginCustomer(timeline.dataset, customer, atMs, events), toMs, changes),
  )
  return later.isGone ? spawned : [later, ...spawned]
}

/** Finds the customer of the dataset that a record follows from; undefined if it belongs to no customer. */
export function findRoot({ table, id, customerId }: RecordPlace): number | undefined {
  if (table === 'members') return undefined
  // No customer has the id 0.
  if (table === 'customers' || isFutureId(id)) return getRootCustomer(id) || undefined
  if (customerId !== undefined) return getRootCustomer(customerId)
  return table === 'triggerLogs' || table === 'actionLogs' ? getLogCustomer(id) : undefined
}
