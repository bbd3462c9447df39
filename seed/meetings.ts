import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../src/store/tables.ts'
import { type Account, dealFrom } from './account.ts'
import type { CatalogProduct } from './catalog.ts'
import { findProductPlan } from './definition-plans.ts'
import { getSlot } from './ids.ts'
import { type MeetingFacts, type MeetingKind, detectKind } from './meeting-kinds.ts'
import { closingRemarks, meetingKinds } from './meeting-plans.ts'
import { generateMeetingTimes } from './meeting-times.ts'
import { RecordKey } from './record-key.ts'
import { formatMonth } from './signal-facts.ts'
import type { Tenant } from './tenant.ts'
import { DAY, parseTime } from './time.ts'

type Meeting = Row<'meetings'>

/** Generates a meeting whose topic, summary and next steps agree, with people of the customer and the organization. */
export function generateMeeting(id: number, given: Partial<Meeting>, tenant: Tenant): Meeting {
  const account = tenant.accountFor(id, given.customerId)
  const key = new RecordKey(tenant.seed, 'meetings', id)
  const kind = chooseKind(getSlot(id), given, account)
  const product = chooseProduct(kind, given.topic ?? '', account, key)
  const people = generatePeople(kind, account, key)
  const minutes = key.faker('minutes').helpers.arrayElement(kind.minutes)
  const times = generateMeetingTimes(given, {
    key,
    nowMs: tenant.nowMs,
    minutes,
    timezone: account.customer.timezone,
  })
  const facts = generateFacts(
    { account, product, people, startMs: parseTime(times.startDate) },
    key.faker('facts'),
  )
  const isOver = parseTime(times.endDate) <= tenant.nowMs
  const hasSummary = given.summary === undefined && isOver && key.faker('summarised').datatype.boolean(0.88)
  const stepCount = key.faker('step count').helpers.weightedArrayElement([
    { weight: 1, value: 0 },
    { weight: 3, value: 1 },
    { weight: 4, value: 2 },
    { weight: 2, value: 3 },
  ] as const)
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    topic: key.faker('topic').helpers.arrayElement(kind.topics)(facts),
    summary: hasSummary ? generateSummary(kind, facts, key.faker('summary')) : null,
    url: key.faker('remote').datatype.boolean(0.88)
      ? `https://meet.example/${generateRoom(key.faker('room'))}`
      : null,
    startDate: times.startDate,
    endDate: times.endDate,
    memberIds: people.members.map((member) => member.id),
    users: people.users,
    contacts: people.contacts.map(({ person }) => person),
    unmatchedParticipants: generateUnmatched(account, key.faker('unmatched')),
    nextSteps: hasSummary
      ? key
          .faker('steps')
          .helpers.arrayElements(kind.steps, stepCount)
          .map((step) => step(facts))
      : [],
    hasTranscript: isOver && countPeople(people) > 1 && key.faker('transcript').datatype.boolean(0.55),
    createdDate: times.createdDate,
    updatedDate: times.updatedDate,
  }
}

function generateSummary(kind: MeetingKind, facts: MeetingFacts, faker: SimpleFaker): string {
  const summary = faker.helpers.arrayElement(kind.summaries)(facts)
  return faker.datatype.boolean(0.4)
    ? `${summary} ${faker.helpers.arrayElement(closingRemarks)(facts)}`
    : summary
}

function chooseKind(slot: number, given: Partial<Meeting>, account: Account): MeetingKind {
  const wanted = given.topic === undefined ? undefined : detectKind(given.topic)
  const named = meetingKinds.find((kind) => kind.id === wanted)
  const suited = meetingKinds.filter(
    ({ stages, about }) =>
      stages.includes(account.stage) && (about === 'other' ? account.others : account.products).length > 0,
  )
  const kind =
    named ?? dealFrom(account, suited, slot - 1) ?? meetingKinds.find(({ id }) => id === 'introduction')
  if (!kind) throw new RangeError('Cannot generate a meeting: there is no kind of meeting.')
  return kind
}

function chooseProduct(
  kind: MeetingKind,
  topic: string,
  account: Account,
  key: RecordKey,
): CatalogProduct | undefined {
  const named = account.catalog.products.find(({ row }) => topic.includes(row.name))
  if (named) return named
  const own = account.used.length > 0 ? account.used : account.products
  const [first = [], second = []] = kind.about === 'other' ? [account.others, own] : [own, account.others]
  const products = first.length > 0 ? first : second
  return products.length > 0 ? key.faker('product').helpers.arrayElement(products) : undefined
}

interface People {
  readonly members: readonly Row<'members'>[]
  readonly users: Meeting['users']
  readonly contacts: Account['contacts'][number][]
}

const countPeople = ({ members, users, contacts }: People): number =>
  members.length + users.length + contacts.length

function generatePeople(kind: MeetingKind, account: Account, key: RecordKey): People {
  const faker = key.faker('people')
  const isCommercial = kind.id === 'renewal' || kind.id === 'introduction'
  const host = isCommercial ? account.seller : account.owner
  const others = account.team.filter((member) => member !== host)
  const company = faker.datatype.boolean(0.4)
    ? faker.helpers.arrayElements(others, kind.id === 'executive' ? 2 : 1)
    : []
  const count = faker.helpers.weightedArrayElement([
    { weight: 4, value: 1 },
    { weight: 4, value: 2 },
    { weight: 2, value: 3 },
  ] as const)
  const first = faker.helpers.arrayElement(account.contacts)
  const rest = account.contacts.filter((contact) => contact !== first)
  return {
    members: [host, ...company],
    users: faker.datatype.boolean(0.35) ? faker.helpers.arrayElements(account.catalog.colleagues, 1) : [],
    contacts: faker.datatype.boolean(0.03) ? [] : [first, ...faker.helpers.arrayElements(rest, count - 1)],
  }
}

/** Generates participants as a calendar shows them if they match no known person. */
function generateUnmatched(account: Account, faker: SimpleFaker): string[] {
  if (!faker.datatype.boolean(0.16)) return []
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

const LETTERS = 'abcdefghijkmnopqrstuvwxyz'

function generateRoom(faker: SimpleFaker): string {
  let room = ''
  for (const mark of 'xxx-xxxx-xxx')
    room += mark === 'x' ? LETTERS.charAt(faker.number.int({ min: 0, max: 24 })) : mark
  return room
}

interface FactSource {
  readonly account: Account
  readonly product: CatalogProduct | undefined
  readonly people: People
  readonly startMs: number
}

const systems = [
  'Snowflake',
  'SAP S/4HANA',
  'Okta',
  'Power BI',
  'SharePoint',
  'Google Sheets',
  'Dynamics 365',
] as const
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

function generateFacts({ account, product, people, startMs }: FactSource, faker: SimpleFaker): MeetingFacts {
  const plan = product?.plan ?? findProductPlan({ key: '', name: 'the platform' })
  const [host = account.owner] = people.members
  const [contact = account.contacts[0], companion] = people.contacts
  const other = companion ?? account.contacts.find((candidate) => candidate !== contact) ?? contact
  return {
    customer: account.name,
    organization: account.catalog.organization.name,
    product: product?.row.name ?? 'the platform',
    users: plan.users,
    purpose: plan.purpose,
    wish: faker.helpers.arrayElement(plan.wishes),
    trouble: faker.helpers.arrayElement(plan.troubles),
    contact: contact.name,
    other: other.name,
    host: `${host.firstName} ${host.lastName}`,
    system: faker.helpers.arrayElement(systems),
    percent: faker.number.int({ min: 31, max: 94 }),
    count: Math.min(faker.number.int({ min: 4, max: 48 }), Math.max(2, account.customer.employeeCount - 1)),
    weeks: faker.number.int({ min: 2, max: 9 }),
    day: faker.helpers.arrayElement(days),
    month: formatMonth(startMs + faker.number.int({ min: 25, max: 75 }) * DAY),
    quarter: formatQuarter(startMs),
    lastQuarter: formatQuarter(startMs - 70 * DAY),
  }
}

function formatQuarter(timeMs: number): string {
  const at = new Date(timeMs)
  return `Q${Math.floor(at.getUTCMonth() / 3) + 1} ${at.getUTCFullYear()}`
}
