import type { Lookup } from '../../src/store/references.ts'
import type { Row, Rows, TableName } from '../../src/store/tables.ts'
import { chooseWorkingTime, previousWorkingDay } from '../calendar/calendar.ts'
import { DAY, HOUR, YEAR, startOfDay } from '../calendar/time.ts'
import { toDomain } from '../customers/company-names.ts'
import { computeFutureOrganizationId, computeId } from '../dataset/ids.ts'
import type { PlacedOrganization } from '../dataset/tenant.ts'
import { detectCustomerRole, getPositions } from '../people/job-positions.ts'
import { home } from '../people/offices.ts'
import { createEmail, findLocale, generatePerson } from '../people/people.ts'
import { drawAt, hashRecord } from '../random/random.ts'
import { RecordKey } from '../random/record-key.ts'

/** A member who joins or leaves an organization. Units: milliseconds since 1970. */
export interface Movement {
  readonly member: Row<'members'>
  readonly atMs: number
}

/** The dataset before anybody joins or leaves. */
interface Staff {
  readonly seed: number
  readonly nowMs: number
  readonly lastMs: number
  readonly source: { readonly data: Lookup; readonly rows: Pick<Rows, 'customers'> }
  isStatic(table: TableName, id: number): boolean
}

const JOIN_INTERVAL = 75 * DAY

/** Lists the members who join an organization up to a time. Independent of the size of the dataset. Order: by time. */
export function listJoiners(
  { id, name, ordinal }: PlacedOrganization,
  { seed, nowMs, lastMs }: Pick<Staff, 'seed' | 'nowMs' | 'lastMs'>,
): readonly Movement[] {
  const joiners: Movement[] = []
  const { openings } = getPositions(ordinal)
  for (let turn = 0; ; turn += 1) {
    const key = new RecordKey(seed, 'joiners', ordinal * 10_000 + turn)
    const fromMs = nowMs + turn * JOIN_INTERVAL + 20 * DAY
    const toMs = fromMs + 30 * DAY
    const workingMs = chooseWorkingTime(key.faker('time'), { fromMs, toMs, workplace: home })
    const atMs = startOfDay(workingMs) + 14 * HOUR
    if (atMs > lastMs) return joiners
    const { title = '', manager = 1 } = openings[turn % openings.length] ?? {}
    const person = generatePerson(key.faker('name', findLocale('United States')))
    const day = Math.floor((atMs - startOfDay(nowMs)) / DAY)
    const member: Row<'members'> = {
      id: computeFutureOrganizationId(ordinal, day),
      organizationId: id,
      firstName: person.firstName,
      lastName: person.lastName,
      email: createEmail(person, toDomain(name)),
      title,
      managerId: computeId('members', ordinal, manager),
    }
    joiners.push({ member, atMs })
  }
}

const MEAN_STAY = 4 * YEAR

const NOTICE = 30 * DAY

/** The hour (in UTC) at which a last day ends. */
const LAST_HOUR = 22

/**
 * Finds the members of the dataset who leave an organization, and when. Managers stay, and so do members of a fixture and
 * those with a role on a static customer. Independent of the size of the dataset.
 * Order: by time.
 */
export function findLeavers({ id, ordinal }: PlacedOrganization, dataset: Staff): readonly Movement[] {
  const { data } = dataset.source
  const members = data.list('members', id)
  const staying = new Set(members.map(({ managerId }) => managerId))
  for (const customer of dataset.source.rows.customers) {
    if (customer.organizationId !== id || !dataset.isStatic('customers', customer.id)) continue
    for (const { memberIds } of customer.memberRoles) for (const memberId of memberIds) staying.add(memberId)
  }
  const hash = hashRecord(dataset.seed, 'leavers', ordinal)
  return members
    .filter((member) => {
      const isManager = detectCustomerRole(member) === 'executiveSponsor' || member.title.includes('Lead')
      return !isManager && !staying.has(member.id) && !dataset.isStatic('members', member.id)
    })
    .map((member) => {
      const stayMs = -Math.log(1 - drawAt(hash, member.id)) * MEAN_STAY
      const day = previousWorkingDay(startOfDay(dataset.nowMs + NOTICE + stayMs), home.country)
      return { member, atMs: day + LAST_HOUR * HOUR }
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}
