import type { Row } from '../../src/store/tables.ts'
import { formatInstant } from '../calendar/time.ts'
import { isOver } from '../signals/signal-course.ts'
import type { TimelineBuilder } from './customer-timeline.ts'
import type { ScheduledEvent } from './events.ts'
import type { Leaver } from './joiners-and-leavers.ts'
import type { LivingDataset } from './living-dataset.ts'

export function listHandovers(
  dataset: LivingDataset,
  customer: Row<'customers'>,
  afterMs: number,
): ScheduledEvent[] {
  const leavers = listLeavers(dataset, customer)
  const place = leavers.findIndex(({ atMs }) => atMs > afterMs)
  const leaver = leavers[place]
  return leaver ? [{ atMs: leaver.atMs, event: 'handOver', place }] : []
}

const listLeavers = (dataset: LivingDataset, { organizationId }: Row<'customers'>): readonly Leaver[] =>
  dataset.listLeavers(dataset.getOrganization(organizationId))

/**
 * Hands over the roles, open signals and planned meetings of a member who leaves. Schedules the next handover.
 * @param place the place of the member among those who leave the organization
 */
export function handOver(timeline: TimelineBuilder, place: number): void {
  const { customer, dataset } = timeline
  const leavers = customer ? listLeavers(dataset, customer) : []
  const [leaver, next] = [leavers[place], leavers[place + 1]]
  if (next) timeline.schedule(next.atMs, { event: 'handOver', place: place + 1 })
  if (!leaver) return
  const { member } = leaver
  handOverRoles(timeline, member.id)
  const now = formatInstant(timeline.nowMs)
  const signals = timeline
    .listRows('signals')
    .filter(
      (signal) => signal.ownerId === member.id && !isOver(signal) && !dataset.isStatic('signals', signal.id),
    )
  const meetings = timeline
    .listRows('meetings')
    .filter(
      ({ id, startDate, memberIds }) =>
        startDate > now && memberIds.includes(member.id) && !dataset.isStatic('meetings', id),
    )
  const successor = signals.length + meetings.length > 0 ? timeline.account?.owner.id : undefined
  if (successor === undefined) return
  for (const signal of signals) {
    timeline.put('signals', {
      ...signal,
      ownerId: successor,
      updatedById: member.managerId,
      updatedDate: now,
    })
  }
  for (const meeting of meetings) {
    const memberIds = [...new Set(meeting.memberIds.map((id) => (id === member.id ? successor : id)))]
    timeline.put('meetings', { ...meeting, memberIds, updatedDate: now })
  }
}

function handOverRoles(timeline: TimelineBuilder, memberId: number): void {
  const { customer } = timeline
  if (!customer?.memberRoles.some(({ memberIds }) => memberIds.includes(memberId))) return
  const faker = timeline.createKey('succession').faker('members')
  const memberRoles = customer.memberRoles.flatMap((role) => {
    if (!role.memberIds.includes(memberId)) return role
    const others = timeline.listHolders(role.key).filter(({ id }) => !role.memberIds.includes(id))
    const successor = timeline.chooseHolder(others, faker)
    const memberIds = role.memberIds.flatMap((id) => (id === memberId ? (successor?.id ?? []) : id))
    return memberIds.length > 0 ? { ...role, memberIds } : []
  })
  timeline.update({ memberRoles })
}
