import type { Row } from '../src/store/tables.ts'
import { type Account, dealFrom } from './account.ts'
import type { CatalogProduct } from './catalog.ts'
import { findProductPlan } from './definition-plans.ts'
import { getSlot } from './ids.ts'
import { type MeetingFacts, type MeetingKind, detectKind } from './meeting-kinds.ts'
import { closingRemarks, meetingKinds } from './meeting-plans.ts'
import { generateMeetingTimes } from './meeting-times.ts'
import { type Random, type RecordKey, recordKey } from './random.ts'
import { formatMonth } from './signal-facts.ts'
import type { Tenant } from './tenant.ts'
import { DAY, parseTime } from './time.ts'

type Meeting = Row<'meetings'>

/** Generates a meeting whose topic, summary and next steps agree, with people of the customer and the organization. */
export function generateMeeting(id: number, given: Partial<Meeting>, tenant: Tenant): Meeting {
  const account = tenant.accountFor(id, given.customerId)
  const key = recordKey(tenant.seed, 'meetings', id)
  const kind = chooseKind(getSlot(id), given, account)
  const product = chooseProduct(kind, given.topic ?? '', account, key)
  const people = generatePeople(kind, account, key)
  const minutes = key.for('minutes').pick(kind.minutes)
  const times = generateMeetingTimes(given, {
    key,
    nowMs: tenant.nowMs,
    minutes,
    offsetHours: account.offsetHours,
  })
  const facts = generateFacts(
    { account, product, people, startMs: parseTime(times.startDate) },
    key.for('facts'),
  )
  const isOver = parseTime(times.endDate) <= tenant.nowMs
  const hasSummary = given.summary === undefined && isOver && key.for('summarised').chance(0.88)
  const stepCount = key.for('step count').weighted([
    [0, 1],
    [1, 3],
    [2, 4],
    [3, 2],
  ] as const)
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    topic: key.for('topic').pick(kind.topics)(facts),
    summary: hasSummary ? generateSummary(kind, facts, key.for('summary')) : null,
    url: key.for('remote').chance(0.88) ? `https://meet.example/${generateRoom(key.for('room'))}` : null,
    startDate: times.startDate,
    endDate: times.endDate,
    memberIds: people.members.map((member) => member.id),
    users: people.users,
    contacts: people.contacts.map(({ person }) => person),
    unmatchedParticipants: generateUnmatched(account, key.for('unmatched')),
    nextSteps: hasSummary
      ? key
          .for('steps')
          .sample(kind.steps, stepCount)
          .map((step) => step(facts))
      : [],
    hasTranscript: isOver && countPeople(people) > 1 && key.for('transcript').chance(0.55),
    createdDate: times.createdDate,
    updatedDate: times.updatedDate,
  }
}

function generateSummary(kind: MeetingKind, facts: MeetingFacts, random: Random): string {
  const summary = random.pick(kind.summaries)(facts)
  return random.chance(0.4) ? `${summary} ${random.pick(closingRemarks)(facts)}` : summary
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
  return products.length > 0 ? key.for('product').pick(products) : undefined
}

interface People {
  readonly members: readonly Row<'members'>[]
  readonly users: Meeting['users']
  readonly contacts: Account['contacts'][number][]
}

const countPeople = ({ members, users, contacts }: People): number =>
  members.length + users.length + contacts.length

function generatePeople(kind: MeetingKind, account: Account, key: RecordKey): People {
  const random = key.for('people')
  const isCommercial = kind.id === 'renewal' || kind.id === 'introduction'
  const host = isCommercial ? account.seller : account.owner
  const others = account.team.filter((member) => member !== host)
  const company = random.chance(0.4) ? random.sample(others, kind.id === 'executive' ? 2 : 1) : []
  const count = random.weighted([
    [1, 4],
    [2, 4],
    [3, 2],
  ] as const)
  const first = random.pick(account.contacts)
  const rest = account.contacts.filter((contact) => contact !== first)
  return {
    members: [host, ...company],
    users: random.chance(0.35) ? random.sample(account.catalog.colleagues, 1) : [],
    contacts: random.chance(0.03) ? [] : [first, ...random.sample(rest, count - 1)],
  }
}

/** Generates participants as a calendar shows them if they match no known person. */
function generateUnmatched(account: Account, random: Random): string[] {
  if (!random.chance(0.16)) return []
  const tail = String(random.int(1000, 9999))
  return random.sample(
    [
      `Meeting room ${account.customer.city} ${random.int(1, 9)}`,
      `+${random.int(30, 49)} *** *** ${tail}`,
      `consultant${random.int(1, 40)}@advisory.example`,
      'Guest',
    ],
    random.int(1, 2),
  )
}

const LETTERS = 'abcdefghijkmnopqrstuvwxyz'

function generateRoom(random: Random): string {
  let room = ''
  for (const mark of 'xxx-xxxx-xxx') room += mark === 'x' ? LETTERS.charAt(random.int(0, 24)) : mark
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

function generateFacts({ account, product, people, startMs }: FactSource, random: Random): MeetingFacts {
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
    wish: random.pick(plan.wishes),
    trouble: random.pick(plan.troubles),
    contact: contact.name,
    other: other.name,
    host: `${host.firstName} ${host.lastName}`,
    system: random.pick(systems),
    percent: random.int(31, 94),
    count: Math.min(random.int(4, 48), Math.max(2, account.customer.employeeCount - 1)),
    weeks: random.int(2, 9),
    day: random.pick(days),
    month: formatMonth(startMs + random.int(25, 75) * DAY),
    quarter: formatQuarter(startMs),
    lastQuarter: formatQuarter(startMs - 70 * DAY),
  }
}

function formatQuarter(timeMs: number): string {
  const at = new Date(timeMs)
  return `Q${Math.floor(at.getUTCMonth() / 3) + 1} ${at.getUTCFullYear()}`
}
