import type { Change, RecordPlace, Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import { DAY, HOUR, formatInstant } from '../calendar/time.ts'
import { computeStart } from '../customers/contracts.ts'
import { getLogCustomer, getRootCustomer, isFutureId } from '../dataset/ids.ts'
import { drawAt } from '../random/random.ts'
import { buyProduct, findLaunch, findRenewal, goLive, renewContracts } from './contracts.ts'
import { CustomerTimeline } from './customer-timeline.ts'
import type { LivingDataset } from './living-dataset.ts'
import { describeMeeting } from './meetings.ts'
import { findNextRefresh, refreshMetrics } from './metrics.ts'
import { findNextEvent, planNextEvent } from './next-event.ts'
import { scheduleOpenSignal } from './signals.ts'

/** Begins the timeline of a customer with the events that follow from its records. */
export function beginCustomer(
  dataset: LivingDataset,
  customer: Row<'customers'>,
  nowMs = dataset.nowMs,
  purchaseMs?: number,
): CustomerTimeline {
  const timeline = new CustomerTimeline(dataset, customer)
  const { id, hash, organization } = timeline
  if (purchaseMs !== undefined) timeline.schedule(purchaseMs, buyProduct)
  timeline.schedule(findNextEvent(hash, nowMs), planNextEvent)
  timeline.schedule(findNextRefresh(hash, nowMs), refreshMetrics)
  const leavers = dataset.listLeavers(organization)
  scheduleHandover(
    timeline,
    leavers.findIndex(({ atMs }) => atMs > nowMs),
  )
  for (const entry of customer.products) {
    if (entry.status === 'churned') continue
    timeline.schedule(Math.max(findRenewal(entry), nowMs + HOUR), renewContracts)
    if (entry.status !== 'onboarding') continue
    const launchMs = findLaunch(computeStart(id, entry, dataset.seed), hash)
    const atLaunchMs = Math.max(launchMs, nowMs + (1 + drawAt(hash, 2) * 30) * DAY)
    timeline.schedule(atLaunchMs, (later) => goLive(later, entry.key))
  }
  for (const signal of dataset.listCustomerRows('signals', id)) {
    if (!isOver(signal) && !dataset.isStatic('signals', signal.id))
      scheduleOpenSignal(timeline, signal, nowMs)
  }
  for (const meeting of dataset.listCustomerRows('meetings', id)) {
    const atMs = Date.parse(meeting.endDate)
    if (atMs <= nowMs || dataset.isStatic('meetings', meeting.id)) continue
    timeline.schedule(atMs, (later) => describeMeeting(later, meeting.id))
  }
  return timeline
}

/** Advances a customer to a time. Returns it, if it still exists, and those that it has spawned. */
export function advanceCustomer(
  timeline: CustomerTimeline,
  toMs: number,
  changes: Change[],
): CustomerTimeline[] {
  const later = timeline.advance(toMs, changes)
  const spawned = later.spawned.flatMap(({ customer, atMs, purchaseMs }) =>
    advanceCustomer(beginCustomer(timeline.dataset, customer, atMs, purchaseMs), toMs, changes),
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

/** Schedules the handover from the member at a place among those who leave the organization, and those after it. */
function scheduleHandover(timeline: CustomerTimeline, place: number): void {
  const leaver = timeline.dataset.listLeavers(timeline.organization)[place]
  if (!leaver) return
  timeline.schedule(leaver.atMs, (later) => {
    scheduleHandover(later, place + 1)
    handOver(later, leaver.member)
  })
}

/** Hands over the roles, open signals and planned meetings of a member who leaves. */
function handOver(timeline: CustomerTimeline, member: Row<'members'>): void {
  const { dataset } = timeline
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
