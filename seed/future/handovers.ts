import type { Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import { formatInstant } from '../calendar/time.ts'
import type { CustomerEvent, CustomerTimeline } from './customer-timeline.ts'
import type { LivingDataset } from './living-dataset.ts'

export function listHandovers(
  dataset: LivingDataset,
  { organizationId }: Row<'customers'>,
  afterMs: number,
): CustomerEvent[] {
  const leavers = dataset.listLeavers(dataset.getOrganization(organizationId))
  const place = leavers.findIndex(({ atMs }) => atMs > afterMs)
  const leaver = leavers[place]
  return leaver ? [{ atMs: leaver.atMs, happen: (timeline) => handOver(timeline, place) }] : []
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
