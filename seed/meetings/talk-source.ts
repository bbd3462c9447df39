import { formatInteger } from '../../src/core/words.ts'
import type { Row } from '../../src/store/tables.ts'
import type { Reader } from '../../src/store/texts.ts'
import { DAY, YEAR } from '../calendar/time.ts'
import { computeFirstStart } from '../customers/contracts.ts'
import { rewindMetric } from '../customers/history.ts'
import { listCustomerRows, readText } from '../dataset/customer-rows.ts'
import { findNamedPlan, getProductPlan, usualPlan, type ProductPlan } from '../definitions/product-plans.ts'
import { RecordKey } from '../random/record-key.ts'
import { keepFitting } from '../texts/company-size.ts'
import { formatDay } from '../texts/format.ts'
import { splitWords, type Facts } from '../texts/templates.ts'
import texts from '../texts/transcripts.json' with { type: 'json' }
import type { MeetingKindId } from './meeting-texts.ts'

type Customer = Row<'customers'>

export interface Talk {
  readonly meeting: Row<'meetings'>
  readonly kind: MeetingKindId
  readonly customer: Customer
  /** The slots of every line, such as the first names of those who speak. */
  readonly words: Facts
  readonly data: Reader
  readonly seed: number
}

export type Source = ReturnType<typeof readSource>

const shared: ReadonlySet<string> = new Set(['Support', 'Product feedback'])

const SOON = 75 * DAY

const RECENT = 60 * DAY

/** Reads what the records know about the customer of a talk. */
export function readSource({ meeting, customer, data, seed }: Talk) {
  const timeMs = Date.parse(meeting.startDate)
  const { employeeCount } = customer
  const owned = customer.products.map((entry) => ({ entry, plan: getProductPlan(entry.key) }))
  const plan = findNamedPlan(meeting.topic) ?? owned[0]?.plan ?? usualPlan
  const named = owned.find((product) => product.plan === plan)
  const meetings = listCustomerRows('meetings', customer, data)
  const present = new Set(meeting.contacts.map(({ id }) => id))
  const colleagues = new Set(
    meetings.flatMap(({ contacts }) =>
      contacts.filter(({ id }) => !present.has(id)).map(({ firstName }) => firstName),
    ),
  )
  // Those of earlier meetings stay the same when somebody leaves.
  const earlier = meetings.filter(({ startDate }) => startDate <= meeting.startDate)
  const members = new Set(earlier.flatMap(({ memberIds }) => memberIds))
  for (const memberId of meeting.memberIds) members.delete(memberId)
  const renewalMs = named && named.entry.status !== 'churned' ? Date.parse(named.entry.renewalDate) : 0
  const said = [meeting.topic, meeting.summary, ...meeting.nextSteps].join(' ')
  return {
    plan,
    renewal: renewalMs > timeMs && renewalMs < timeMs + 365 * DAY ? formatDay(renewalMs) : undefined,
    isRenewalSoon: renewalMs < timeMs + SOON,
    metrics: (named ? [named] : owned).flatMap((product) => readMetrics(product, timeMs)),
    /** Whether the meeting's texts leave open how many people begin, and what they aim at. */
    isOpen: {
      scope: !/\b(?:[Aa]bout|ask|if|first) \d/.test(said),
      target: !said.includes('call the project a success'),
    },
    signals: listCustomerRows('signals', customer, data).filter(
      ({ category, raisedDate, closedDate, source }) =>
        shared.has(category.name) &&
        source !== 'survey' &&
        raisedDate !== null &&
        raisedDate < meeting.startDate &&
        Date.parse(raisedDate) > timeMs - RECENT &&
        (closedDate === null || closedDate > meeting.startDate),
    ),
    colleagues: colleagues.size > 0 ? [...colleagues] : [nameColleague(customer, meeting, seed)],
    members: [...members].flatMap((id) => data.get('members', id)?.firstName ?? []),
    goal: readText(customer, 'successGoal'),
    progress: measureProgress(customer, timeMs, seed),
    weekly: estimateWeekly(named?.entry, customer, plan, timeMs, seed),
    wishes: keepFitting(plan.wishes, employeeCount).filter((wish) => !said.includes(wish)),
    troubles: keepFitting(plan.troubles, employeeCount).filter((trouble) => !said.includes(trouble)),
  }
}

/** A few names by country, because the lists of names load slowly; the last ones are common nearly everywhere. */
const names: Readonly<Record<string, string>> = texts.colleagues

function nameColleague({ id, country }: Customer, { contacts }: Row<'meetings'>, seed: number): string {
  const taken = new Set(contacts.map(({ firstName }) => firstName))
  const free = splitWords(names[country] ?? texts.colleagues.other).filter((name) => !taken.has(name))
  return new RecordKey(seed, 'colleagues', id).faker('name').helpers.arrayElement(free)
}

/** Measures how far a customer is on the way to its goal, which rises over the years. Units: percent. */
function measureProgress(customer: Customer, timeMs: number, seed: number): number {
  const { number } = new RecordKey(seed, 'goals', customer.id).faker('progress')
  const years = Math.max(0, (timeMs - computeFirstStart(customer, seed)) / YEAR)
  const tens = number.int({ min: 1, max: 4 }) + Math.floor(years * number.int({ min: 1, max: 3 }))
  return 10 * Math.min(9, tens)
}

interface OwnedProduct {
  readonly entry: Customer['products'][number]
  readonly plan: ProductPlan
}

const weeksByMetric = {
  questionsPerWeek: 1,
  alertsPerWeek: 1,
  documentsPerMonth: 4,
  envelopesPerMonth: 4,
  embeddedViews: 4,
}

function estimateWeekly(
  entry: OwnedProduct['entry'] | undefined,
  { id, employeeCount }: Customer,
  { activity }: ProductPlan,
  timeMs: number,
  seed: number,
): Facts {
  const measured = Object.entries(weeksByMetric).flatMap(([name, weeks]) => {
    const value = entry && rewindMetric(entry, name, timeMs)
    return value === undefined ? [] : [value / weeks]
  })
  const { number } = new RecordKey(seed, 'weekly', id).faker(activity)
  const [value = number.int({ min: 8, max: 20 + Math.min(100, employeeCount) })] = measured
  const format = (share: number) => formatInteger(Math.max(2, Math.round(value * share)))
  return { count: format(0.8), more: format(1), evenMore: format(1.2) }
}

function readMetrics({ entry, plan }: OwnedProduct, timeMs: number) {
  return entry.metrics.flatMap(({ key }) => {
    const metric = plan.metrics.find((one) => one.key === key)
    const value = rewindMetric(entry, key, timeMs)
    if (!metric || value === undefined) return []
    const text = metric.type === 'percent' ? `${Math.min(99, value)} percent` : formatInteger(value)
    return [{ name: metric.name.toLowerCase(), value: text }]
  })
}
