import type { Lookup } from '../../src/store/references.ts'
import type { Row, TableName } from '../../src/store/tables.ts'
import { previousWorkingDay } from '../calendar/calendar.ts'
import { DAY, HOUR, startOfDay } from '../calendar/time.ts'
import { home } from '../calendar/workplaces.ts'
import type { PlacedOrganization } from '../dataset/tenant.ts'
import { detectDuty } from '../people/positions.ts'
import { drawAt, hashRecord } from '../random/random.ts'

/** A member who leaves an organization after the dataset's time. */
export interface Leaver {
  readonly member: Row<'members'>
  /** Units: milliseconds since 1970. */
  readonly atMs: number
}

/** The dataset that members leave. */
interface Workplace {
  readonly seed: number
  /** The dataset's time. Units: milliseconds since 1970. */
  readonly nowMs: number
  readonly source: {
    readonly data: Lookup
    rows(table: 'customers'): readonly Row<'customers'>[]
  }
  /** Reports whether a record never changes by itself. */
  isStill(table: TableName, id: number): boolean
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
export function findLeavers({ id, ordinal }: PlacedOrganization, place: Workplace): readonly Leaver[] {
  const { data } = place.source
  const members = data.list('members', id)
  const staying = new Set(members.map(({ managerId }) => managerId))
  for (const customer of place.source.rows('customers')) {
    if (customer.organizationId !== id || !place.isStill('customers', customer.id)) continue
    for (const { memberIds } of customer.memberRoles) for (const memberId of memberIds) staying.add(memberId)
  }
  const hash = hashRecord(place.seed, 'leavers', ordinal)
  return members
    .filter((member) => {
      const isManager = detectDuty(member) === 'executiveSponsor' || member.title.includes('Lead')
      return !isManager && !staying.has(member.id) && !place.isStill('members', member.id)
    })
    .map((member) => {
      const stayMs = -Math.log(1 - drawAt(hash, member.id)) * STAY
      const day = previousWorkingDay(startOfDay(place.nowMs + NOTICE + stayMs), home.country)
      return { member, atMs: day + LAST_HOUR * HOUR }
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}
