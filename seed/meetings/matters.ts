import type { SimpleFaker } from '@faker-js/faker'

import { formatInteger } from '../../src/contract/fields.ts'
import type { Row } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { DAY, parseTime } from '../calendar/time.ts'
import { listCustomerRows } from '../dataset/customer-rows.ts'
import { findProductPlan, getProductPlan, type ProductPlan } from '../definitions/product-plans.ts'
import { keepFitting } from '../texts/company-size.ts'
import { formatDay, formatMonth, formatName, formatYearDay, weekdays } from '../texts/format.ts'
import { canFill, fillTemplate, type Facts } from '../texts/templates.ts'
import texts from '../texts/transcripts.json' with { type: 'json' }
import type { MeetingKindId } from './meeting-texts.ts'

type Customer = Row<'customers'>
type MatterId = keyof typeof texts.matters

const running: readonly MatterId[] = [
  'metric',
  'signal',
  'wish',
  'trouble',
  'people',
  'plans',
  'work',
  'renewal',
  'how',
  'goal',
]
const sales: readonly MatterId[] = ['today', 'decision', 'scope', 'wish', 'plans']
const starting: readonly MatterId[] = ['scope', 'plans', 'how', 'wish', 'people', 'goal']

/** The matters that people talk about, by kind of meeting. */
const mattersByKind: Readonly<Partial<Record<MeetingKindId, readonly MatterId[]>>> = {
  discovery: sales,
  demo: sales,
  kickoff: starting,
  onboarding: starting,
  escalation: ['trouble', 'signal', 'people', 'plans', 'work'],
  offboarding: ['handover', 'plans'],
}

/** The subject of a conversation: a customer at a time, with a product, among people who are named or absent. */
export interface Talk {
  readonly meeting: Row<'meetings'>
  readonly kind: MeetingKindId
  readonly customer: Customer
  readonly host: string
  readonly guest: string
  readonly present: readonly string[]
  readonly data: Reader
}

/**
 * Composes what is said about the matters that records know, turn by turn, until there are enough lines.
 * Shape: exchanges of lines that begin with their speaker.
 */
export function composeMatters(talk: Talk, count: number, faker: SimpleFaker): string[][] {
  const source = readSource(talk)
  const exchanges: string[][] = []
  const matters = mattersByKind[talk.kind] ?? running
  let lines = 0
  for (let round = 0; round < 6 && lines < count; round += 1) {
    for (const matter of faker.helpers.shuffle(matters)) {
      if (lines >= count) break
      const facts = gatherFacts(source, talk, { matter, round }, faker)
      const exchange = facts ? sayTurns(matter, facts, faker) : []
      lines += exchange.length
      if (exchange.length > 0) exchanges.push(exchange)
    }
  }
  return exchanges
}

function sayTurns(matter: MatterId, facts: Facts, faker: SimpleFaker): string[] {
  const turns = texts.matters[matter].map(({ speaker, said }) => {
    const possible = said.filter((template) => canFill(template, facts))
    const template = possible.length > 0 ? faker.helpers.arrayElement(possible) : ''
    return `${speaker}: ${fillTemplate(chooseAlternatives(template, faker), facts)}`
  })
  // Some conversations end early.
  return turns.slice(0, Math.max(2, turns.length - (faker.datatype.boolean(0.3) ? 1 : 0)))
}

/** Chooses one of the alternatives in each pair of brackets. */
const chooseAlternatives = (template: string, faker: SimpleFaker): string =>
  template.replace(/\[([^\]]*)\]/g, (_, list: string) => faker.helpers.arrayElement(list.split('|')))

interface Metric {
  readonly name: string
  readonly value: string
}

interface Source {
  readonly plan: ProductPlan
  readonly renewal: string | undefined
  readonly metrics: readonly Metric[]
  readonly signals: readonly Row<'signals'>[]
  readonly colleagues: readonly string[]
  readonly members: readonly string[]
  readonly goal: string | undefined
}

/** The categories of signals that a customer may hear of. */
const shared: ReadonlySet<string> = new Set(['Support', 'Product feedback'])

function readSource({ meeting, customer, present, data }: Talk): Source {
  const timeMs = parseTime(meeting.startDate)
  const plans = customer.products.map((entry) => ({ entry, plan: getProductPlan(entry.key) }))
  const named = plans.find(({ plan }) => meeting.topic.includes(plan.name)) ?? plans[0]
  const goal = customer.customFields.find(({ key }) => key === 'successGoal')?.value
  // The people of past meetings, who stay the same when somebody leaves.
  const meetings = listCustomerRows('meetings', customer, data)
  const members = [...new Set(meetings.flatMap(({ memberIds }) => memberIds))]
  const renewalMs = named && named.entry.status !== 'churned' ? parseTime(named.entry.renewalDate) : 0
  return {
    plan:
      named?.plan ?? findProductPlan({ key: '', name: meeting.topic.split(': ').at(-1) ?? 'the platform' }),
    renewal: renewalMs > timeMs && renewalMs < timeMs + 365 * DAY ? formatDay(renewalMs) : undefined,
    metrics: plans.flatMap(({ entry, plan }) => readMetrics(entry, plan, timeMs)),
    signals: listCustomerRows('signals', customer, data).filter(
      ({ category, raisedDate, closedDate, source }) =>
        shared.has(category.name) &&
        source !== 'survey' &&
        raisedDate !== null &&
        raisedDate < meeting.startDate &&
        (closedDate === null || closedDate > meeting.startDate),
    ),
    colleagues: [
      ...new Set(
        meetings
          .flatMap(({ contacts }) => contacts)
          .filter((person) => !present.includes(formatName(person)))
          .map(({ firstName }) => firstName),
      ),
    ],
    members: members
      .flatMap((id) => data.get('members', id) ?? [])
      .filter(({ firstName, lastName }) => !present.includes(formatName({ firstName, lastName })))
      .map(({ firstName }) => firstName),
    goal: typeof goal === 'string' ? goal : undefined,
  }
}

type Entry = Customer['products'][number]

/** The months before its renewal in which a product's metrics are about those that are known. */
const USUAL_MONTHS = 6

/** Reads the metrics of a product as they were, about, at a time. */
function readMetrics(entry: Entry, plan: ProductPlan, timeMs: number): Metric[] {
  const months = (parseTime(entry.renewalDate) - timeMs) / (30 * DAY) - USUAL_MONTHS
  const change = entry.engagement.level === 'low' ? 0.03 : -0.015
  const factor = Math.min(1.3, Math.max(0.6, 1 + change * months))
  return entry.metrics.flatMap(({ key, value }): Metric[] => {
    const metric = plan.metrics.find((one) => one.key === key)
    if (!metric || typeof value !== 'number') return []
    const name = metric.name.toLowerCase()
    if (metric.type !== 'percent') return [{ name, value: formatInteger(Math.round(value * factor)) }]
    return [{ name, value: `${Math.min(99, Math.round(value * factor))} percent` }]
  })
}

/** Begins a sentence in lower case, unless its first word is an abbreviation. */
const decapitalize = (text: string): string =>
  text.charAt(1) === text.charAt(1).toLowerCase() ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** Gathers the facts of a matter; undefined if the records know nothing more about it. */
function gatherFacts(
  source: Source,
  { meeting, customer, host, guest }: Talk,
  { matter, round }: { readonly matter: MatterId; readonly round: number },
  faker: SimpleFaker,
): Facts | undefined {
  const timeMs = parseTime(meeting.startDate)
  const { plan, colleagues, members } = source
  const employees = customer.employeeCount
  const count = faker.number.int({ min: 3, max: Math.max(4, Math.min(60, Math.floor(employees * 0.4))) })
  const few = faker.number.int({ min: 2, max: 5 })
  const metric = source.metrics[round]
  const signal = source.signals[round]
  const isMissing: Partial<Record<MatterId, boolean>> = {
    metric: metric === undefined,
    signal: signal === undefined,
    renewal: source.renewal === undefined || round > 0,
    goal: source.goal === undefined || round > 0,
    people: round > 0,
    decision: round > 0,
    scope: round > 0,
    work: round > 0,
    today: round > 0,
    plans: round > 1,
    handover: round > 2,
  }
  if (isMissing[matter]) return undefined
  const wishes = keepFitting(plan.wishes, employees)
  const troubles = keepFitting(plan.troubles, employees)
  if ((matter === 'wish' && round >= wishes.length) || (matter === 'trouble' && round >= troubles.length)) {
    return undefined
  }
  return {
    customer: customer.name,
    city: customer.city,
    host,
    guest,
    colleague: colleagues.length > 0 ? faker.helpers.arrayElement(colleagues) : 'a colleague',
    colleague2: members.length > 0 ? faker.helpers.arrayElement(members) : 'our team',
    product: plan.name,
    users: plan.users,
    activity: plan.activity,
    wish: wishes[round % wishes.length],
    trouble: troubles[round % troubles.length],
    metric: metric?.name,
    value: metric?.value,
    signal: signal?.summary,
    date: signal && formatYearDay(parseTime(signal.raisedDate ?? signal.createdDate)),
    renewal: source.renewal,
    goal: source.goal && decapitalize(source.goal),
    month: formatMonth(timeMs + faker.number.int({ min: 33, max: 100 }) * DAY),
    lastMonth: formatMonth(timeMs - faker.number.int({ min: 31, max: 70 }) * DAY),
    weekday: faker.helpers.arrayElement(weekdays),
    weeks: faker.number.int({ min: 2, max: 9 }),
    count,
    more: count + faker.number.int({ min: 3, max: 40 }),
    evenMore: count + faker.number.int({ min: 45, max: 80 }),
    few,
    tens: faker.number.int({ min: 3, max: 9 }) * 10,
    hour: `${faker.number.int({ min: 8, max: 11 })}:${faker.helpers.arrayElement(['00', '15', '30', '45'])}`,
  }
}
