import type { Change, RecordPlace, Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import { DAY, HOUR, formatInstant } from '../calendar/time.ts'
import { computeStart } from '../customers/contracts.ts'
import { getLogCustomer, getRootCustomer, isFutureId } from '../dataset/ids.ts'
import { drawAt, hashRecord } from '../random/random.ts'
import { findLaunch, findRenewal, goLive, renewContracts } from './contracts.ts'
import { CustomerTimeline, type CustomerEvent } from './customer-timeline.ts'
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
  ]
  const leavers = dataset.listLeavers(dataset.tenant.getOrganization(customer.organizationId))
  const next = leavers.findIndex(({ atMs }) => atMs > nowMs)
  const leaver = leavers[next]
  if (leaver) agenda.push({ atMs: leaver.atMs, happen: (timeline) => handOver(timeline, next) })
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
    const atMs = Date.parse(meeting.endDate)
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

/**
 * Hands over the roles, open signals and planned meetings of a member who leaves. Schedules the next handover.
 * @param place the place of the member among those who leave the organization
 */
function handOver(timeline: CustomerTimeline, place: number): void {
  const { dataset } = timeline
  const leavers = dataset.listLeavers(timeline.organization)
  const [leaver, next] = [leavers[place], leavers[place + 1]]
  if (next) timeline.schedule(next.atMs, (later) => handOver(later, place + 1))
  if (!leaver) return
  const { member } = leaver
  handOverRoles(timeline, member.id)
  const now = formatInstant(timeline.nowMs)
  const signals = timeline
    .listRows('signals')
    .filter((row) => row.ownerId === member.id && !isOver(row) && !dataset.isStatic('signals', row.id))
  const meetings = timeline
    .listRows('meetings')
    .filter(({ startDate, memberIds }) => startDate > now && memberIds.includes(member.id))
    .filter(({ id }) => !dataset.isStatic('meetings', id))
  const successor = signals.length + meetings.length > 0 ? timeline.account?.owner.id : undefined
  if (successor === undefined) return
  for (const signal of signals) {
    const work = { ownerId: successor, updatedById: member.managerId, updatedDate: now }
    timeline.put('signals', { ...signal, ...work })
  }
  for (const meeting of meetings) {
    const memberIds = [...new Set(meeting.memberIds.map((id) => (id === member.id ? successor : id)))]
    timeline.put('meetings', { ...meeting, memberIds, updatedDate: now })
  }
}

function handOverRoles(timeline: CustomerTimeline, memberId: number): void {
  const before = timeline.customer.memberRoles
  if (!before.some(({ memberIds }) => memberIds.includes(memberId))) return
  const faker = timeline.createKey('succession').faker('members')
  const memberRoles = before.flatMap((role) => {
    if (!role.memberIds.includes(memberId)) return role
    const successor = timeline.chooseHolder(role.key, role.memberIds, faker)
    const memberIds = role.memberIds.flatMap((id) => (id === memberId ? (successor?.id ?? []) : id))
    return memberIds.length > 0 ? { ...role, memberIds } : []
  })
  timeline.update({ memberRoles })
}
