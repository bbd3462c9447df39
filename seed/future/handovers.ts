import type { Row } from '../../src/store/tables.ts'
import { instant } from '../time.ts'
import type { Leaver } from './leavers.ts'
import type { Appointment, LifeDraft } from './life.ts'
import type { World } from './world.ts'

/** Plans what happens to a customer when the next member of its organization leaves. */
export function listHandovers(world: World, customer: Row<'customers'>, afterMs: number): Appointment[] {
  const leavers = world.leavers(world.organization(customer.organizationId))
  const place = leavers.findIndex(({ atMs }) => atMs > afterMs)
  return place === -1 ? [] : planHandover(leavers, place)
}

function planHandover(leavers: readonly Leaver[], place: number): Appointment[] {
  const leaver = leavers[place]
  if (!leaver) return []
  const happen = (life: LifeDraft): void => {
    for (const next of planHandover(leavers, place + 1)) life.plan(next.atMs, next.happen)
    handOver(life, leaver)
  }
  return [{ atMs: leaver.atMs, happen }]
}

/** Hands over what a member who leaves was responsible for: roles, open signals and meetings to come. */
function handOver(life: LifeDraft, { member }: Leaver): void {
  handOverRoles(life, member.id)
  const now = instant(life.nowMs)
  const signals = life.own('signals').filter(({ id, status, ownerId }) => {
    const isOver = status === 'closed' || status === 'dismissed'
    return ownerId === member.id && !isOver && !life.world.isStill('signals', id)
  })
  const meetings = life.own('meetings').filter(({ id, startDate, memberIds }) => {
    return startDate > now && memberIds.includes(member.id) && !life.world.isStill('meetings', id)
  })
  const heir = signals.length + meetings.length > 0 ? life.account?.owner.id : undefined
  if (heir === undefined) return
  for (const signal of signals) {
    life.put('signals', { ...signal, ownerId: heir, updatedById: member.managerId, updatedDate: now })
  }
  for (const meeting of meetings) {
    const memberIds = [...new Set(meeting.memberIds.map((id) => (id === member.id ? heir : id)))]
    life.put('meetings', { ...meeting, memberIds, updatedDate: now })
  }
}

/** Gives the roles of a member to others; a role that nobody can take is free from then on. */
function handOverRoles(life: LifeDraft, memberId: number): void {
  const { customer } = life
  if (!customer?.memberRoles.some(({ memberIds }) => memberIds.includes(memberId))) return
  const faker = life.key('succession').faker('members')
  const memberRoles = customer.memberRoles.flatMap((role) => {
    if (!role.memberIds.includes(memberId)) return role
    const others = life.listHolders(role.key).filter(({ id }) => !role.memberIds.includes(id))
    const heirs = others.length > 0 ? [faker.helpers.arrayElement(others).id] : []
    const memberIds = role.memberIds.flatMap((id) => (id === memberId ? heirs : id))
    return memberIds.length > 0 ? { ...role, memberIds } : []
  })
  life.update({ memberRoles })
}
