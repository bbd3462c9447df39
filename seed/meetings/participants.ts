import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import type { Account } from '../customers/account.ts'
import { getPosition } from '../dataset/ids.ts'
import type { RowContext } from '../dataset/tenant.ts'
import type { MeetingPlan } from './meeting-kinds.ts'

export type People = ReturnType<typeof choosePeople>

/** The kinds of meetings to which members bring a specialist, who is no member. */
const technical: ReadonlySet<MeetingPlan['kind']> = new Set(['demo', 'onboarding', 'training', 'integration'])

export function choosePeople(
  kind: MeetingPlan['kind'],
  host: Row<'members'>,
  { account, key }: RowContext,
  isFree: (attendee: 'member' | 'user', id: number) => boolean,
) {
  const { customer, catalog, team, contacts } = account
  const faker = key.faker('people')
  const isExecutive = kind === 'executive'
  const company =
    isExecutive || faker.datatype.boolean(0.4)
      ? faker.helpers
          .shuffle(team)
          .filter((member) => member !== host && isFree('member', member.id))
          .slice(0, isExecutive ? 2 : 1)
      : []
  const users = faker.datatype.boolean(technical.has(kind) ? 0.3 : 0.03)
    ? faker.helpers
        .shuffle(catalog.listColleagues(getPosition('customers', customer.id)))
        .filter((user) => isFree('user', user.id))
        .slice(0, 1)
    : []
  const count = faker.helpers.arrayElement([1, 1, 2, 2, 3])
  // Somebody has to stay at work, unless there are only two.
  const most = Math.max(2, contacts.length - 1)
  const isUnknown = faker.datatype.boolean(0.03)
  return {
    members: [host, ...company],
    users,
    contacts: isUnknown ? [] : faker.helpers.shuffle(contacts).slice(0, Math.min(count, most)),
  }
}

export function generateUnmatched(account: Account, { contacts }: People, faker: SimpleFaker): string[] {
  if (!faker.datatype.boolean(0.15) && contacts.length > 0) return []
  const tail = String(faker.number.int({ min: 1000, max: 9999 }))
  return faker.helpers.arrayElements(
    [
      `Meeting room ${account.customer.city} ${faker.number.int({ min: 1, max: 9 })}`,
      `+${faker.number.int({ min: 30, max: 49 })} *** *** ${tail}`,
      `consultant${faker.number.int({ min: 1, max: 40 })}@advisory.example`,
      'Guest',
    ],
    faker.number.int({ min: 1, max: 2 }),
  )
}
