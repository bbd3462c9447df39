import type { SimpleFaker } from '@faker-js/faker'

import { formatInteger, pluralize } from '../../src/core/words.ts'
import type { Row } from '../../src/store/tables.ts'
import { isOver } from '../../src/store/tables/signals.ts'
import type { Reader } from '../../src/store/texts.ts'
import { toLocalTime } from '../calendar/calendar.ts'
import { DAY } from '../calendar/time.ts'
import { rewindCustomer } from '../customers/history.ts'
import { getStage, hasSigned, removeLegalForm, type Stage } from '../customers/stages.ts'
import { findDefinition, listCustomerRows, readText } from '../dataset/customer-rows.ts'
import { RecordKey } from '../random/record-key.ts'
import texts from '../texts/briefs.json' with { type: 'json' }
import { fitsSize } from '../texts/company-size.ts'
import { formatDay, formatMoney, formatName } from '../texts/format.ts'
import { canFill, fillTemplate, type Slot } from '../texts/templates.ts'

type Section = (facts: BriefFacts, faker: SimpleFaker) => readonly string[]

export function generateBrief(content: Row<'briefContents'>, data: Reader, seed: number): string {
  const facts = readBriefFacts(content, data, seed)
  if (!facts) return '# Nothing to report\n\nThe customer of this brief does not exist any more.\n'
  const key = new RecordKey(seed, 'briefContents', content.id)
  const sections = briefSections[facts.briefKey] ?? [introduction, products, openSignals]
  const body = sections.flatMap((section, index) => {
    const lines = section(facts, key.faker(`section ${index}`))
    return lines.length > 0 ? ['', ...lines] : []
  })
  const written = `*Written on ${formatLocalDay(facts.timeMs, facts)}.*`
  return [`# ${facts.name}: ${facts.briefName.toLowerCase()}`, '', written, ...body, ''].join('\n')
}

type BriefFacts = NonNullable<ReturnType<typeof readBriefFacts>>

/** Reads what a brief is about, as of its time; undefined without a customer. */
function readBriefFacts(
  { customerId, briefId, createdDate }: Row<'briefContents'>,
  data: Reader,
  seed: number,
) {
  const current = data.get('customers', customerId)
  if (!current) return undefined
  const brief = data.get('briefs', briefId)
  const timeMs = Date.parse(createdDate)
  const customer = rewindCustomer(current, timeMs, seed)
  const stage = getStage(customer)
  const meetings = listCustomerRows('meetings', customer, data)
  return {
    timeMs,
    briefKey: brief?.key ?? '',
    briefName: brief?.name ?? 'Brief',
    customer,
    name: removeLegalForm(customer.name),
    stage: stage === 'prospect' && hasSigned(customer, timeMs) ? 'onboarding' : stage,
    products: customer.products.map((entry) => ({
      name: findDefinition('products', entry.key, customer, data)?.name ?? entry.key,
      entry,
    })),
    total: customer.products.reduce((sum, { arr }) => sum + arr, 0),
    people: customer.memberRoles.map(({ key, memberIds }) => ({
      role: findDefinition('memberRoles', key, customer, data)?.name ?? key,
      names: memberIds.flatMap((id) => data.get('members', id) ?? []).map(formatName),
    })),
    /** Those that were open. Order: the most severe first. */
    signals: listCustomerRows('signals', customer, data)
      .filter((signal) => isOpenAt(signal, createdDate))
      .toSorted((a, b) => b.severity - a.severity || a.id - b.id),
    lastMeeting: meetings
      .filter(({ endDate }) => endDate <= createdDate)
      .toSorted((a, b) => (a.startDate > b.startDate ? -1 : 1))[0],
    nextMeeting: meetings
      .filter((meeting) => meeting.createdDate <= createdDate && meeting.startDate > createdDate)
      .toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))[0],
    goal: readText(customer, 'successGoal'),
  }
}

function isOpenAt({ isDraft, status, raisedDate, closedDate }: Row<'signals'>, time: string): boolean {
  if (isDraft || raisedDate === null || raisedDate > time) return false
  return !isOver({ status }) || (closedDate !== null && closedDate > time)
}

const formatLocalDay = (timeMs: number, { customer }: BriefFacts): string =>
  formatDay(toLocalTime(timeMs, customer.timezone))

function readTextFacts({
  customer,
  name,
  products: owned,
  briefKey,
  nextMeeting: next,
}: BriefFacts): Readonly<Record<Slot<'briefs'>, string | undefined>> {
  const met =
    briefKey === 'meetingPreparation' && next
      ? owned.find((product) => next.topic.endsWith(`: ${product.name}`))
      : undefined
  const isNew = owned.find(({ entry }) => entry.status === 'onboarding')
  const [main] = owned.toSorted((a, b) => b.entry.arr - a.entry.arr)
  return {
    customer: name,
    city: customer.city,
    country: customer.country,
    segment: customer.segment,
    employees: formatInteger(customer.employeeCount),
    // That of the meeting to prepare, a new one during the roll-out, or else the one with the highest price.
    product: (met ?? isNew ?? main)?.name,
    weak: owned.find(({ entry }) => entry.status === 'active' && entry.engagement.level === 'low')?.name,
  }
}

function write(sentences: readonly string[], count: number, facts: BriefFacts, faker: SimpleFaker): string[] {
  const slots = readTextFacts(facts)
  const possible = sentences.filter(
    (sentence) => canFill(sentence, slots) && fitsSize(sentence, facts.customer.employeeCount),
  )
  return faker.helpers.arrayElements(possible, count).map((sentence) => fillTemplate(sentence, slots))
}

const introduction: Section = (facts, faker) => {
  const { stage, total, goal } = facts
  const isCustomer = stage !== 'prospect' && stage !== 'churned'
  const sentences = [
    ...write([texts.introductions[isCustomer ? 'customer' : stage]], 1, facts, faker),
    ...write(texts.standings[isCustomer && facts.products.length === 0 ? 'signed' : stage], 1, facts, faker),
  ]
  return [
    sentences.join(' '),
    ...(total > 0 ? ['', `Recurring revenue: **${formatMoney(total)}** a year.`] : []),
    ...(stage === 'churned' ? ['', 'There is no recurring revenue any more.'] : []),
    ...(goal && isCustomer ? ['', `> Goal: ${goal}.`] : []),
  ]
}

/** Creates a section with a heading; without lines, it is left out. */
const titled =
  (title: string, writeLines: Section): Section =>
  (facts, faker) => {
    const lines = writeLines(facts, faker)
    return lines.length > 0 ? [`## ${title}`, '', ...lines] : []
  }

const products = titled('Products', ({ products: owned }) => {
  if (owned.length === 0) return []
  const rows = owned.map(({ name, entry }) => {
    const renewal = `${entry.status === 'churned' ? 'ended ' : ''}${formatRenewal(entry)}`
    return `| ${[name, entry.status, formatMoney(entry.arr), renewal, entry.engagement.level].join(' | ')} |`
  })
  return ['| Product | Status | ARR | Renewal | Engagement |', '| --- | --- | ---: | --- | --- |', ...rows]
})

const formatRenewal = ({ renewalDate }: BriefFacts['products'][number]['entry']): string =>
  formatDay(Date.parse(renewalDate))

const people = titled('People', ({ people: roles }) =>
  roles.length === 0
    ? ['No roles are assigned.']
    : roles.map(({ role, names }) => `- ${role}: ${names.join(', ') || 'open'}`),
)

const openSignals = titled('Open signals', ({ signals }) =>
  signals.length === 0
    ? ['None.']
    : signals.map(
        ({ category, severity, summary }) => `- **${category.name}**, severity ${severity}: ${summary}`,
      ),
)

const LISTED_DAYS = 365

const renewals = titled('Renewals', ({ products: owned, timeMs }) => {
  const due = owned
    .map((product) => ({
      ...product,
      days: Math.ceil((Date.parse(product.entry.renewalDate) - timeMs) / DAY),
    }))
    .filter(({ entry, days }) => entry.status !== 'churned' && days >= 0 && days <= LISTED_DAYS)
    .toSorted((a, b) => a.days - b.days)
  if (due.length === 0) return ['Nothing renews within a year.']
  const lines = due.map(
    ({ name, entry, days }, index) =>
      `${index + 1}. ${name} on ${formatRenewal(entry)}, in ${pluralize(days, 'day')}: ${formatMoney(entry.arr)} a year, engagement ${entry.engagement.level}`,
  )
  const total = due.reduce((sum, { entry }) => sum + entry.arr, 0)
  return due.length > 1 ? [...lines, '', `Together ${formatMoney(total)} a year.`] : lines
})

const obstacles = titled('What stands in the way', (facts, faker) => {
  const risks = facts.signals.filter(({ type }) => type.name === 'Risk')
  if (risks.length > 0) {
    return risks.map(({ summary, severityExplanation: more }) =>
      more ? `- ${summary.replace(/[.]$/, '')}. ${more}` : `- ${summary}`,
    )
  }
  const kind = facts.stage === 'atRisk' ? 'lowUse' : facts.stage === 'churned' ? 'churned' : 'none'
  return write(texts.obstacles[kind], 1, facts, faker)
})

const recommendation = titled('Recommendation', (facts, faker) =>
  write(texts.advice[facts.stage], 2, facts, faker).map((advice) => `- ${advice}`),
)

const lastMeeting = titled('Last meeting', (facts, faker) => {
  const last = facts.lastMeeting
  if (!last) return write(texts.noMeetings.past, 1, facts, faker)
  const [missing = ''] = write(texts.noMeetings.summary, 1, facts, faker)
  const steps = last.nextSteps.map((step) => `- [ ] ${step}`)
  return [
    `**${last.topic}**, ${formatLocalDay(Date.parse(last.startDate), facts)}. ${last.summary ?? missing}`,
    ...(steps.length > 0 ? ['', ...steps] : []),
  ]
})

const nextMeeting = titled('Next meeting', (facts) => {
  const { nextMeeting: next } = facts
  if (!next) return []
  const names = next.contacts.map(formatName)
  const company = names.length > 0 ? `, with ${names.join(', ')}` : ''
  return [`**${next.topic}**, ${formatLocalDay(Date.parse(next.startDate), facts)}${company}.`]
})

const questions = titled('Questions to ask', (facts, faker) => {
  const { stage } = facts
  const kind = stage === 'prospect' || stage === 'atRisk' || stage === 'churned' ? stage : 'customer'
  const chosen = [
    ...write(texts.questions[kind], 2, facts, faker),
    ...write(texts.questions.any, 1, facts, faker),
  ]
  return chosen.map((question) => `- ${question}`)
})

const risk: Section = ({ stage, signals }) => {
  const [worst, ...others] = signals
  const level = `Risk: **${findRiskLevel(stage, signals)}**.`
  if (!worst) return [`${level} No open signals.`]
  return [`${level} Open signals: ${others.length + 1}, the most severe at ${worst.severity} of 5.`]
}

function findRiskLevel(stage: Stage, signals: BriefFacts['signals']): string {
  if (stage === 'churned') return 'realized'
  const severities = signals.filter(({ type }) => type.name === 'Risk').map(({ severity }) => severity)
  if (stage === 'atRisk' || severities.some((severity) => severity >= 4)) return 'high'
  return stage === 'onboarding' || severities.length > 0 ? 'medium' : 'low'
}

const briefSections: Readonly<Record<string, readonly Section[]>> = {
  accountSummary: [introduction, products, people, openSignals],
  renewalPreparation: [introduction, renewals, obstacles, recommendation],
  meetingPreparation: [nextMeeting, lastMeeting, openSignals, questions],
  riskReview: [risk, products, obstacles, recommendation],
  onboardingHandover: [introduction, products, people, lastMeeting],
}
