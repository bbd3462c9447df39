import type { Row, TableName } from '../../src/store/tables.ts'
import { isFutureId } from '../../src/store/tables/define.ts'
import { DAY, HOUR, parseTime } from '../calendar/time.ts'
import { computeStart } from '../customers/contracts.ts'
import { getLogCustomer, getRootCustomer } from '../dataset/ids.ts'
import { drawAt, hashRecord } from '../random/random.ts'
import { isOver } from '../signals/signal-course.ts'
import { applyEvent } from './apply-event.ts'
import { RENEWAL_HOUR } from './contracts.ts'
import {
  TimelineBuilder,
  resumeCustomerTimeline,
  type Changes,
  type CustomerTimeline,
} from './customer-timeline.ts'
import type { ScheduledEvent } from './events.ts'
import { listHandovers } from './handovers.ts'
import type { LivingDataset } from './living-dataset.ts'
import { listMeetingEvents } from './meetings.ts'
import { findNextRefresh } from './metrics.ts'
import { findNextEvent } from './next-event.ts'
import { listSignalEvents } from './signals.ts'

function beginCustomer(
  dataset: LivingDataset,
  customer: Row<'customers'>,
  nowMs: number,
  firstEvents: readonly ScheduledEvent[] = [],
): CustomerTimeline {
  const { id } = customer
  const hash = hashRecord(dataset.seed, 'lives', id)
  const draw = (place: number) => drawAt(hash, place)
  const agenda: ScheduledEvent[] = [
    ...firstEvents,
    { atMs: findNextEvent(hash, nowMs), event: 'planNextEvent' },
    { atMs: findNextRefresh(hash, nowMs), event: 'refreshMetrics' },
    ...listHandovers(dataset, customer, nowMs),
  ]
  for (const entry of customer.products) {
    if (entry.status === 'churned') continue
    const atMs = Math.max(parseTime(entry.renewalDate) + RENEWAL_HOUR * HOUR, nowMs + HOUR)
    agenda.push({ atMs, event: 'renewContracts' })
    if (entry.status !== 'onboarding') continue
    const launchMs = computeStart(id, entry, dataset.seed) + (60 + draw(1) * 50) * DAY
    const atLaunchMs = Math.floor(Math.max(launchMs, nowMs + (1 + draw(2) * 30) * DAY))
    agenda.push({ atMs: atLaunchMs, event: 'goLive', product: entry.key })
  }
  const { source } = dataset
  for (const signal of source.listCustomerRows('signals', id)) {
    if (!isOver(signal) && !dataset.isStatic('signals', signal.id))
      agenda.push(...listSignalEvents(signal, nowMs, draw))
  }
  for (const meeting of source.listCustomerRows('meetings', id)) {
    const isPlanned = parseTime(meeting.endDate) > nowMs
    if (isPlanned && !dataset.isStatic('meetings', meeting.id)) agenda.push(...listMeetingEvents(meeting))
  }
  const sorted = agenda
    .map((event) => ({ ...event, atMs: Math.floor(event.atMs) }))
    .toSorted((a, b) => a.atMs - b.atMs)
  return resumeCustomerTimeline(dataset, { id, customer, children: {}, agenda: sorted, spawnedCount: 0 })
}

export function beginCustomers(
  dataset: LivingDataset,
  customers: readonly Row<'customers'>[],
): CustomerTimeline[] {
  return customers
    .filter(({ id }) => !dataset.isStatic('customers', id))
    .map((customer) => beginCustomer(dataset, customer, dataset.nowMs))
}

/** Advances customers to a time. Returns those that still exist, and after them the spawned ones. */
export function advanceCustomers(
  dataset: LivingDataset,
  customers: readonly CustomerTimeline[],
  toMs: number,
  changes: Changes,
): CustomerTimeline[] {
  const spawned: CustomerTimeline[] = []
  const advance = (timeline: CustomerTimeline): CustomerTimeline => {
    if (timeline.nextMs > toMs) return timeline
    const builder = new TimelineBuilder(dataset, timeline, changes)
    const passed = builder.advance(toMs, applyEvent)
    for (const { customer, atMs, events } of builder.spawned) {
      spawned.push(advance(beginCustomer(dataset, customer, atMs, events)))
    }
    return passed
  }
  return customers
    .map(advance)
    .concat(spawned)
    .filter(({ customer }) => customer)
}

export interface PlacedRecord {
  readonly table: TableName
  readonly id: number
  readonly customerId?: number | undefined
}

/** Finds the customer of the dataset that a record follows from; undefined if it belongs to no customer. */
export function findRoot({ table, id, customerId }: PlacedRecord): number | undefined {
  if (table === 'members') return undefined
  // No customer has the id 0.
  if (table === 'customers' || isFutureId(id)) return getRootCustomer(id) || undefined
  if (customerId !== undefined) return getRootCustomer(customerId)
  return table === 'triggerLogs' || table === 'actionLogs' ? getLogCustomer(id) : undefined
}
