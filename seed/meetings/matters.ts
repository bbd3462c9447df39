import type { SimpleFaker } from '@faker-js/faker'

import { formatInteger } from '../../src/contract/fields.ts'
import type { Row } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { DAY, YEAR, parseTime } from '../calendar/time.ts'
import { computeFirstStart } from '../customers/contracts.ts'
import { rewindMetric } from '../customers/history.ts'
import { removeLegalForm } from '../customers/stages.ts'
import { listCustomerRows } from '../dataset/customer-rows.ts'
import {
  findNamedPlan,
  findProductPlan,
  getProductPlan,
  type ProductPlan,
} from '../definitions/product-plans.ts'
import { RecordKey } from '../random/record-key.ts'
import { keepFitting } from '../texts/company-size.ts'
import { formatDay, formatMonth, formatName, formatYearDay, weekdays } from '../texts/format.ts'
import { canFill, fillTemplate, type Facts } from '../texts/templates.ts'
import texts from '../texts/transcripts.json' with { type: 'json' }
import { mattersByKind, related, rounds, type MatterId } from './matters-by-kind.ts'
import type { MeetingKindId } from './meeting-texts.ts'
import { connect } from './turns.ts'

type Customer = Row<'customers'>
/** The subject of a conversation: a customer at a time, with a product, among people who are named or absent. */
export interface Talk {
  readonly meeting: Row<'meetings'>
  readonly kind: MeetingKindId
  readonly customer: Customer
  readonly host: string
  readonly guest: string
  readonly present: readonly string[]
  readonly data: Reader
  readonly seed: number
}

/**
 * Composes what is said about the matters that records know until there are enough lines. Each matter draws from its own
 * sequence, so that a changed record changes only what is said about it.
 * Shape: exchanges of lines that begin with their speaker.
 */
export function composeMatters(talk: Talk, count: number, key: RecordKey): string[][] {
  const source = readSource(talk)
  const matters = groupRelated(key.faker('matters').helpers.shuffle(mattersByKind[talk.kind]))
  const exchanges: string[][] = []
  const labels: string[] = []
  const asked = new Set<string>()
  let lines = 0
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (const matter of matters) {
      if (lines >= count) return exchanges
      if (round >= (rounds[matter] ?? 1)) continue
      const exchange = speak({ matter, round }, labels, source, talk, key)
      const questions = exchange.filter((line) => line.endsWith('?'))
      if (questions.some((line) => asked.has(line))) {
        labels.shift()
        continue
      }
      for (const line of questions) asked.add(line)
      lines += exchange.length
      if (exchange.length > 0) exchanges.push(exchange)
    }
  }
  return exchanges
}

const MAX_ROUNDS = 9

interface Topic {
  readonly matter: MatterId
  readonly round: number
}

/** Moves matters next to the first one that they are related to. */
const groupRelated = (matters: readonly MatterId[]): MatterId[] =>
  [...new Set(matters.flatMap((matter) => related.find((group) => group.includes(matter)) ?? matter))].filter(
    (matter) => matters.includes(matter),
  )

/** Speaks about a matter, and adds its label to those of the matters before. */
function speak(
  { matter, round }: Topic,
  labels: string[],
  source: Source,
  talk: Talk,
  key: RecordKey,
): string[] {
  const faker = key.faker(`${matter} ${round}`)
  const facts = gatherFacts(source, talk, { matter, round }, faker)
  if (!facts) return []
  const isSoon = matter === 'renewal' && source.isRenewalSoon
  const threads = keepFitting(texts.matters[isSoon ? 'renewalSoon' : matter], talk.customer.employeeCount)
  const start = key.faker(matter).number.int({ max: threads.length - 1 })
  const thread = threads[(start + round) % threads.length] ?? []
  const label = fillTemplate(texts.labels[matter], facts)
  const words = {
    ...facts,
    label,
    before: labels[0],
    earlier: labels[3],
    other: talk.present[3]?.split(' ')[0],
  }
  labels.unshift(label)
  return connect(thread, key.faker(`${matter} ${round} turns`), words)
    .filter((line) => canFill(line, words))
    .map((line) => fillTemplate(chooseAlternatives(line, faker), words))
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
  readonly isRenewalSoon: boolean
  readonly metrics: readonly Metric[]
  readonly signals: readonly Row<'signals'>[]
  readonly colleagues: readonly string[]
  readonly members: readonly string[]
  readonly goal: string | undefined
  /** The percentage of the way to the goal. */
  readonly progress: number
  /** How often people use the product in a week, if its metrics tell. */
  readonly weekly: Facts | undefined
  /** The wishes and troubles that nothing else in the meeting is about. */
  readonly wishes: readonly string[]
  readonly troubles: readonly string[]
}

/** The categories of signals that a customer may hear of. */
const shared: ReadonlySet<string> = new Set(['Support', 'Product feedback'])

/** The time before a renewal in which it is soon. */
const SOON = 75 * DAY

function readSource({ meeting, customer, present, data, seed }: Talk): Source {
  const timeMs = parseTime(meeting.startDate)
  const { employeeCount } = customer
  const owned = customer.products.map((entry) => ({ entry, plan: getProductPlan(entry.key) }))
  const plan = findNamedPlan(meeting.topic) ?? owned[0]?.plan ?? usualPlan
  const named = owned.find((product) => product.plan === plan)
  const goal = customer.customFields.find(({ key }) => key === 'successGoal')?.value
  const meetings = listCustomerRows('meetings', customer, data)
  // Those of earlier meetings stay the same when somebody leaves.
  const earlier = meetings.filter(({ startDate }) => startDate <= meeting.startDate)
  const members = [...new Set(earlier.flatMap(({ memberIds }) => memberIds))]
  const renewalMs = named && named.entry.status !== 'churned' ? parseTime(named.entry.renewalDate) : 0
  const said = [meeting.topic, meeting.summary, ...meeting.nextSteps].join(' ')
  return {
    plan,
    renewal: renewalMs > timeMs && renewalMs < timeMs + 365 * DAY ? formatDay(renewalMs) : undefined,
    isRenewalSoon: renewalMs < timeMs + SOON,
    metrics: owned.flatMap((product) => readMetrics(product, timeMs)),
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
    progress: measureProgress(customer, timeMs, seed),
    weekly: named && estimateWeekly(named.entry, timeMs),
    wishes: keepFitting(plan.wishes, employeeCount).filter((wish) => !said.includes(wish)),
    troubles: keepFitting(plan.troubles, employeeCount).filter((trouble) => !said.includes(trouble)),
  }
}

const usualPlan = findProductPlan({ key: '', name: 'the platform' })

/** Measures how far a customer is on the way to its goal, which rises over the years. Units: percent. */
function measureProgress(customer: Customer, timeMs: number, seed: number): number {
  const { number } = new RecordKey(seed, 'goals', customer.id).faker('progress')
  const years = Math.max(0, (timeMs - computeFirstStart(customer, seed)) / YEAR)
  return Math.min(
    90,
    number.int({ min: 1, max: 4 }) * 10 + Math.floor(years * number.int({ min: 1, max: 3 })) * 10,
  )
}

interface OwnedProduct {
  readonly entry: Customer['products'][number]
  readonly plan: ProductPlan
}

/** The weeks that a metric covers, by its key. */
const weeksByMetric = {
  questionsPerWeek: 1,
  alertsPerWeek: 1,
  documentsPerMonth: 4,
  envelopesPerMonth: 4,
  embeddedViews: 4,
}

function estimateWeekly(entry: OwnedProduct['entry'], timeMs: number): Facts | undefined {
  for (const [key, weeks] of Object.entries(weeksByMetric)) {
    const value = rewindMetric(entry, key, timeMs)
    if (value === undefined) continue
    const format = (share: number) => formatInteger(Math.max(2, Math.round((value * share) / weeks)))
    return { count: format(0.8), more: format(1), evenMore: format(1.2) }
  }
  return undefined
}

/** Reads the metrics of a product as they were, about, at a time. */
function readMetrics({ entry, plan }: OwnedProduct, timeMs: number): Metric[] {
  return entry.metrics.flatMap(({ key }): Metric[] => {
    const metric = plan.metrics.find((one) => one.key === key)
    const value = rewindMetric(entry, key, timeMs)
    if (!metric || value === undefined) return []
    const name = metric.name.toLowerCase()
    return [
      { name, value: metric.type === 'percent' ? `${Math.min(99, value)} percent` : formatInteger(value) },
    ]
  })
}

/** Begins a sentence in lower case, unless its first word is an abbreviation. */
const decapitalize = (text: string): string =>
  text.charAt(1) === text.charAt(1).toLowerCase() ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** Gathers the facts of a matter; undefined if the records know nothing more about it. */
function gatherFacts(
  source: Source,
  { meeting, customer, host, guest }: Talk,
  { matter, round }: Topic,
  faker: SimpleFaker,
): Facts | undefined {
  const timeMs = parseTime(meeting.startDate)
  const { plan, colleagues, members } = source
  const employees = customer.employeeCount
  const count = faker.number.int({ min: 3, max: Math.max(4, Math.min(60, Math.floor(employees * 0.4))) })
  const few = faker.number.int({ min: 4, max: 6 })
  const metric = source.metrics[round]
  const signal = source.signals[round]
  const wish = source.wishes[round]
  const trouble = source.troubles[round]
  const needs: Partial<Record<MatterId, unknown>> = {
    metric,
    signal,
    wish,
    want: wish,
    trouble,
    renewal: source.renewal,
    goal: source.goal,
  }
  if (matter in needs && needs[matter] === undefined) return undefined
  return {
    customer: removeLegalForm(customer.name),
    city: customer.city,
    host,
    guest,
    colleague: colleagues.length > 0 ? faker.helpers.arrayElement(colleagues) : 'a colleague',
    colleague2: members.length > 0 ? faker.helpers.arrayElement(members) : 'our team',
    product: plan.name,
    users: plan.users,
    activity: plan.activity,
    wish: wish ?? plan.wishes[0],
    trouble: trouble ?? plan.troubles[0],
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
    ...(matter === 'work' || matter === 'exercise' ? source.weekly : {}),
    few,
    tens: source.progress,
    hour: `${faker.number.int({ min: 8, max: 11 })}:${faker.helpers.arrayElement(['00', '15', '30', '45'])}`,
  }
}
