import type { SimpleFaker } from '@faker-js/faker'

import { getOrCreate } from '../../src/core/maps.ts'
import type { Row } from '../../src/store/tables.ts'
import { DAY, YEAR } from '../calendar/time.ts'
import { pickForSlot, type Account } from '../customers/account.ts'
import { rewindMetric } from '../customers/history.ts'
import { listCustomerRows } from '../dataset/customer-rows.ts'
import { getSlot } from '../dataset/ids.ts'
import type { RowContext, Tenant } from '../dataset/tenant.ts'
import { usualPlan } from '../definitions/product-plans.ts'
import { canMeet, findWorkplace, isInReach } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'
import { countMostUsers, fitsSize, keepFitting } from '../texts/company-size.ts'
import { formatMonth, formatName, formatQuarter } from '../texts/format.ts'
import meetingTexts from '../texts/meetings.json' with { type: 'json' }
import { createAgreement, fillTemplate, splitWords } from '../texts/templates.ts'
import type { Slot } from './meeting-calendar.ts'
import { createPlan, listPlans, type MeetingPlan } from './meeting-kinds.ts'
import { detectKind, kindTexts } from './meeting-texts.ts'
import { chooseDeadline, generateMeetingTimes } from './meeting-times.ts'
import { choosePeople, generateUnmatched, type People } from './participants.ts'

type Meeting = Row<'meetings'>

export function generateMeeting(id: number, fields: Partial<Meeting>, tenant: Tenant): Meeting {
  const { calendar } = tenant
  const account = tenant.findAccount(id, fields.customerId)
  const key = new RecordKey(tenant.seed, 'meetings', id)
  const plan = choosePlan(id, fields, account, tenant)
  const host = plan.host === 'seller' ? account.seller : account.owner
  const required = fields.memberIds ?? [host.id]
  // The others are too far away to meet the customer at a time that suits both.
  const awake = required.filter((memberId) => canMeet({ id: memberId }, account.customer.timezone))
  const minutes = key.faker('minutes').helpers.arrayElement(plan.minutes)
  const times = generateMeetingTimes(fields, {
    key,
    nowMs: tenant.nowMs,
    minutes,
    period: plan,
    workplace: account.customer,
    isFree: (startMs, endMs) => {
      const slot = { id, startMs, endMs }
      return (
        calendar.isFree('customer', account.customer.id, slot) &&
        awake.every((memberId) => isInReach(startMs, endMs, findWorkplace({ id: memberId }))) &&
        required.every((memberId) => calendar.isFree('member', memberId, slot))
      )
    },
  })
  const slot = { id, startMs: Date.parse(times.startDate), endMs: Date.parse(times.endDate) }
  const context = { account, key, tenant }
  const people = choosePeople(
    plan.kind,
    host,
    context,
    (attendee, attendeeId) =>
      isInReach(slot.startMs, slot.endMs, findWorkplace({ id: attendeeId })) &&
      calendar.isFree(attendee, attendeeId, slot),
  )
  const texts = generateTexts(plan, people, slot, context)
  const isOver = slot.endMs <= tenant.nowMs
  const hasSummary =
    fields.summary === undefined &&
    isOver &&
    people.contacts.length > 0 &&
    key.faker('summarized').datatype.boolean(0.9)
  const meeting: Meeting = {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    topic: texts.topic,
    summary: hasSummary ? texts.summary : null,
    url: key.faker('remote').datatype.boolean(0.88) ? generateUrl(key.faker('room')) : null,
    startDate: times.startDate,
    endDate: times.endDate,
    memberIds: people.members.map((member) => member.id),
    users: people.users,
    contacts: people.contacts.map(({ person }) => person),
    unmatchedParticipants: generateUnmatched(account, people, key.faker('unmatched')),
    nextSteps: hasSummary ? texts.nextSteps : [],
    hasTranscript: isOver && people.contacts.length > 0 && key.faker('transcript').datatype.boolean(0.57),
    createdDate: times.createdDate,
    updatedDate: times.updatedDate,
  }
  calendar.book({ ...meeting, ...fields })
  return meeting
}

const plansByAccount = new WeakMap<Account, readonly MeetingPlan[]>()

function choosePlan(id: number, fields: Partial<Meeting>, account: Account, tenant: Tenant): MeetingPlan {
  const { topic, startDate } = fields
  const kind = topic === undefined ? undefined : detectKind(topic)
  const named = account.catalog.products.find(({ row }) => row.name !== '' && topic?.includes(row.name))
  const startMs = startDate === undefined ? undefined : Date.parse(startDate)
  const spread = getOrCreate(plansByAccount, account, () => spreadPlans(account, tenant.nowMs))
  const plans = spread.filter(
    (plan) =>
      !isRepeated(plan, id, startMs, account, tenant) &&
      (kind === undefined || plan.kind === kind) &&
      (named === undefined || plan.product?.row.id === named.row.id) &&
      (startMs === undefined || (plan.fromMs <= startMs && startMs <= plan.toMs)),
  )
  const slot = getSlot(id) - 1
  const choices = slot < plans.length ? plans : plans.filter(isRepeatable)
  const plan = choices[slot % choices.length]
  if (plan) return plan
  const [product] = [named, ...account.used, ...account.products, ...account.others]
  return createPlan(kind ?? (account.stage === 'prospect' ? 'discovery' : 'demo'), product, tenant.nowMs)
}

const unique: ReadonlySet<MeetingPlan['kind']> = new Set(['kickoff', 'offboarding', 'review', 'executive'])

const isRepeatable = ({ kind }: MeetingPlan): boolean => !unique.has(kind)

/** The time in which a meeting of a unique kind about a product is not held once more. */
const APART = 40 * DAY

function isRepeated(
  { kind, product }: MeetingPlan,
  id: number,
  startMs: number | undefined,
  { customer }: Account,
  { data }: Tenant,
): boolean {
  if (startMs === undefined || !unique.has(kind) || !('listRows' in data)) return false
  return listCustomerRows('meetings', customer, data).some(
    (meeting) =>
      meeting.id !== id &&
      detectKind(meeting.topic) === kind &&
      meeting.topic.endsWith(`: ${product?.row.name}`) &&
      Math.abs(Date.parse(meeting.startDate) - startMs) < APART,
  )
}

/** Lists the plans of a customer so that the first ones, however many, spread evenly over time. */
function spreadPlans(account: Account, nowMs: number): readonly MeetingPlan[] {
  const byTime = listPlans(account, nowMs).toSorted((a, b) => a.fromMs + a.toMs - b.fromMs - b.toMs)
  const spread = new Set<MeetingPlan | undefined>()
  for (let step = 0; spread.size < byTime.length; step += 1) {
    spread.add(byTime[Math.floor(account.spread(step) * byTime.length)])
  }
  return [...spread].flatMap((plan) => plan ?? [])
}

function generateUrl({ string }: SimpleFaker): string {
  const parts = [3, 4, 3].map((length) => string.fromCharacters('abcdefghijkmnopqrstuvwxyz', length))
  return `https://meet.example/${parts.join('-')}`
}

const agrees = createAgreement(meetingTexts.contradictions)

function generateTexts(plan: MeetingPlan, people: People, slot: Slot, context: RowContext) {
  const { account, key } = context
  const { topics, accounts, steps } = kindTexts[plan.kind]
  const facts = generateFacts(plan, people, slot.startMs, context)
  const { employeeCount } = account.customer
  const isPossible = (template: string) =>
    (people.contacts.length > 1 || !template.includes('{{other}}')) && fitsSize(template, employeeCount)
  const faker = key.faker('texts')
  const topic = faker.helpers.arrayElement(keepFitting(topics, employeeCount))
  const summaries = Object.entries(accounts)
  const possible = summaries.filter(
    ([summary, talk]) => isPossible(summary) && fitsSize(talk, employeeCount) && agrees(summary, [topic]),
  )
  // A different one for each meeting of a customer, as long as there are others.
  const [summary] = pickForSlot(account, possible, getSlot(slot.id)) ?? faker.helpers.arrayElement(summaries)
  const closing = faker.helpers.arrayElement(meetingTexts.closings.filter(isPossible))
  const hasClosing = faker.datatype.boolean(0.35)
  const count = faker.helpers.arrayElement([0, 1, 1, 1, 2, 2, 2, 2, 3, 3])
  const tasks = Object.keys(steps).filter((task) => isPossible(task) && agrees(task, [summary]))
  return {
    topic: fillTemplate(topic, facts),
    summary: fillTemplate(hasClosing ? `${summary} ${closing}` : summary, facts),
    nextSteps: faker.helpers
      .shuffle(tasks)
      .slice(0, count)
      .map((task) => fillTemplate(task, facts)),
  }
}

const systems = splitWords(meetingTexts.systems)

const shares: Readonly<Record<string, number>> = { none: 30, low: 26, medium: 48, high: 73 }

function measureUse(
  { customer }: Account,
  product: MeetingPlan['product'],
  timeMs: number,
  seed: number,
): number {
  const entry = product?.entry
  const measured = entry && rewindMetric(entry, 'adoptionRate', timeMs)
  if (measured !== undefined) return Math.min(99, measured)
  const faker = new RecordKey(seed, 'use', customer.id).faker(product?.row.key ?? '')
  return (shares[entry?.engagement.level ?? 'medium'] ?? 48) + faker.number.int({ min: 0, max: 18 })
}

/** Measures the time until a product renews next; endless for one without a contract. Units: milliseconds. */
function measureTerm(product: MeetingPlan['product'], startMs: number): number {
  return product?.renewalMs === undefined ? Infinity : (product.renewalMs - startMs + 10 * YEAR) % YEAR
}

function generateFacts(
  { kind, product }: MeetingPlan,
  people: People,
  startMs: number,
  { account, key, tenant }: RowContext,
) {
  const faker = key.faker('facts')
  const { employeeCount } = account.customer
  const plan = product?.plan ?? usualPlan
  const [host = account.owner] = people.members
  const [contact = account.contacts[0], other = contact] = people.contacts
  const weeks = faker.number.int({ min: 2, max: 9 })
  const count = Math.min(faker.number.int({ min: 4, max: 48 }), Math.max(2, Math.floor(employeeCount * 0.4)))
  const active = product?.entry && rewindMetric(product.entry, 'activeUsers', startMs)
  // Nobody decides about a renewal after it.
  const latestMs = kind === 'renewal' ? measureTerm(product, startMs) - 3 * DAY : Infinity
  const runsMs = startMs - (product?.startMs ?? startMs)
  return {
    customer: account.name,
    product: product?.row.name ?? 'the platform',
    users: plan.users,
    purpose: plan.purpose,
    wish: faker.helpers.arrayElement(keepFitting(plan.wishes, employeeCount)),
    trouble: faker.helpers.arrayElement(keepFitting(plan.troubles, employeeCount)),
    contact: contact.name,
    other: other.name,
    host: formatName(host),
    system: faker.helpers.arrayElement(systems),
    percent: measureUse(account, product, startMs, tenant.seed),
    discount: faker.number.int({ min: 4, max: 15 }),
    count,
    testers: Math.min(count, 15, Math.max(2, Math.floor(employeeCount * 0.12))),
    active: Math.min(active || count, countMostUsers(employeeCount)),
    hours: faker.number.int({ min: 3, max: 24 }) * 5,
    weeks,
    day: chooseDeadline(faker, startMs),
    /** After the weeks, so that both can be in one sentence. */
    month: formatMonth(
      startMs + Math.min(latestMs, weeks * 7 * DAY + faker.number.int({ min: 21, max: 50 }) * DAY),
    ),
    quarter: formatQuarter(startMs),
    /** The quarter that a review covers: in its last weeks, the current one. */
    lastQuarter: formatQuarter(startMs + 20 * DAY, -1),
    session: Math.min(6, 1 + Math.floor(runsMs / (14 * DAY))),
  }
}
