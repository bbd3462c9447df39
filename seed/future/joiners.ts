import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime } from '../calendar/calendar.ts'
import { DAY, HOUR, startOfDay } from '../calendar/time.ts'
import { home } from '../calendar/workplaces.ts'
import { toDomain } from '../customers/company-names.ts'
import { computeFutureCommonId, computeId } from '../dataset/ids.ts'
import type { PlacedOrganization } from '../dataset/tenant.ts'
import { findLocale } from '../people/locales.ts'
import { createEmail, generatePerson } from '../people/people.ts'
import { RecordKey } from '../random/record-key.ts'

/** A member who joins an organization after the dataset's time. */
export interface Joiner {
  readonly member: Row<'members'>
  /** Units: milliseconds since 1970. */
  readonly atMs: number
}

/** The time from one new colleague to the next. */
const EVERY = 75 * DAY

interface Opening {
  readonly title: string
  /** The number of the manager in the organization. */
  readonly manager: number
}

/** The posts that are filled, again and again. Their managers are in a dataset of any size. */
const openings: Readonly<Record<'first' | 'other', readonly Opening[]>> = {
  first: [
    { title: 'Customer Success Manager', manager: 4 },
    { title: 'Account Manager', manager: 5 },
    { title: 'Customer Success Manager', manager: 4 },
    { title: 'Implementation Specialist', manager: 8 },
  ],
  other: [
    { title: 'Customer Success Manager', manager: 4 },
    { title: 'Account Manager', manager: 3 },
  ],
}

/** Generates the member who joins an organization at a turn, counted from 0. It does not depend on the size of the dataset. */
export function generateJoiner(
  organization: PlacedOrganization,
  turn: number,
  { seed, nowMs }: { readonly seed: number; readonly nowMs: number },
): Joiner {
  const { ordinal } = organization
  const key = new RecordKey(seed, 'joiners', ordinal * 10_000 + turn)
  const fromMs = nowMs + turn * EVERY + 20 * DAY
  const workingMs = chooseWorkingTime(key.faker('time'), {
    fromMs,
    toMs: fromMs + 30 * DAY,
    nowMs: fromMs,
    workplace: home,
  })
  const atMs = startOfDay(workingMs) + 14 * HOUR
  const posts = openings[ordinal === 0 ? 'first' : 'other']
  const { title, manager } = posts[turn % posts.length] ?? openings.first[0] ?? { title: '', manager: 1 }
  const person = generatePerson(key.faker('name', findLocale('United States')))
  const day = Math.floor((atMs - startOfDay(nowMs)) / DAY)
  const member: Row<'members'> = {
    id: computeFutureCommonId(ordinal, day),
    organizationId: organization.id,
    firstName: person.firstName,
    lastName: person.lastName,
    email: createEmail(person, toDomain(organization.name)),
    title,
    managerId: computeId('members', ordinal, manager),
  }
  return { member, atMs }
}
