import type { Row } from '../../src/store/tables.ts'
import { previousWorkingDay } from '../calendar.ts'
import { detectDuty } from '../posts.ts'
import { drawAt, hashRecord } from '../random.ts'
import type { PlacedOrganization } from '../tenant.ts'
import { DAY, HOUR, startOfDay } from '../time.ts'
import { home } from '../workplaces.ts'
import type { World } from './world.ts'

/** A member who leaves an organization after the dataset's time. */
export interface Leaver {
  readonly member: Row<'members'>
  /** Units: milliseconds since 1970. */
  readonly atMs: number
}

/** The time for which a member usually stays. */
const STAY = 4 * 365 * DAY

/** The time in which nobody leaves yet. */
const NOTICE = 30 * DAY

/** The hour (in UTC) at which a last day ends. */
const LAST_HOUR = 22

/**
 * Finds the members of the dataset who leave an organization, and when. Managers stay, and so do members of a fixture and
 * those who are responsible for a customer that stands still. It does not depend on the size of the dataset.
 * Order: by time.
 */
export function findLeavers({ id, ordinal }: PlacedOrganization, world: World): readonly Leaver[] {
  const { data } = world.source
  const members = data.list('members', id)
  const staying = new Set(members.map(({ managerId }) => managerId))
  for (const customer of world.source.rows('customers')) {
    if (customer.organizationId !== id || !world.isStill('customers', customer.id)) continue
    for (const { memberIds } of customer.memberRoles) for (const memberId of memberIds) staying.add(memberId)
  }
  const hash = hashRecord(world.seed, 'leavers', ordinal)
  return members
    .filter((member) => {
      const isManager = detectDuty(member) === 'executiveSponsor' || member.title.includes('Lead')
      return !isManager && !staying.has(member.id) && !world.isStill('members', member.id)
    })
    .map((member) => {
      const stayMs = -Math.log(1 - drawAt(hash, member.id)) * STAY
      const day = previousWorkingDay(startOfDay(world.nowMs + NOTICE + stayMs), home.country)
      return { member, atMs: day + LAST_HOUR * HOUR }
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}
