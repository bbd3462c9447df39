import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import type { Account, Contact } from '../customers/account.ts'
import type { RecordKey } from '../random/record-key.ts'
import type { MeetingPlan } from './meeting-kinds.ts'

type Meeting = Row<'meetings'>

export interface People {
  readonly members: readonly Row<'members'>[]
  readonly users: Meeting['users']
  readonly contacts: readonly Contact[]
}

interface Invitation {
  readonly host: Row<'members'>
  readonly members: readonly Row<'members'>[]
  readonly colleagues: ReturnType<Account['catalog']['listColleagues']>
  readonly contacts: readonly Contact[]
  readonly kind: MeetingPlan['kind']
  isFree(attendee: 'member' | 'user', id: number): boolean
}

/** The kinds of meetings to which members bring a specialist, who is no member. */
const technical: ReadonlySet<MeetingPlan['kind']> = new Set(['demo', 'onboarding', 'training', 'integration'])

export function choosePeople(key: RecordKey, { host, contacts, ...invited }: Invitation): People {
  const faker = key.faker('people')
  const isExecutive = invited.kind === 'executive'
  const company =
    isExecutive || faker.datatype.boolean(0.4)
      ? faker.helpers
          .shuffle(invited.members)
          .filter((member) => member !== host && invited.isFree('member', member.id))
          .slice(0, isExecutive ? 2 : 1)
      : []
  const users = faker.datatype.boolean(technical.has(invited.kind) ? 0.3 : 0.03)
    ? faker.helpers
        .shuffle(invited.colleagues)
        .filter((user) => invited.isFree('user', user.id))
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
