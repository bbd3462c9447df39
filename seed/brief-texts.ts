import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../src/store/tables.ts'
import type { Reader } from '../src/store/texts.ts'
import { type BriefFacts, type BriefProduct, readBriefFacts } from './brief-facts.ts'
import { RecordKey } from './record-key.ts'
import { formatDay, formatInteger, money } from './signal-facts.ts'
import type { Stage } from './stages.ts'
import { parseTime } from './time.ts'

type Section = (facts: BriefFacts, faker: SimpleFaker) => readonly string[]

/**
 * Generates a brief in Markdown about a customer: its products, figures and people as they are now, and the signals
 * and meetings that existed when it was written.
 */
export function generateBrief(content: Row<'briefContents'>, data: Reader, seed: number): string {
  const facts = readBriefFacts(content, data)
  if (!facts) return '# Nothing to report\n\nThe customer of this brief does not exist any more.\n'
  const key = new RecordKey(seed, 'briefContents', content.id)
  const sections = briefSections[facts.briefKey] ?? [introduction, products, openSignals]
  const written = `*Written on ${formatDay(parseTime(content.createdDate))}.*`
  const body = sections.flatMap((section, index) => {
    const lines = section(facts, key.faker(`section ${index}`))
    return lines.length > 0 ? ['', ...lines] : []
  })
  return [`# ${facts.name}: ${facts.briefName.toLowerCase()}`, '', written, ...body, ''].join('\n')
}

const standing: Readonly<Record<Stage, readonly string[]>> = {
  prospect: [
    'Nothing is bought yet; the talks are at their beginning.',
    'A prospect: interested, not yet decided.',
  ],
  onboarding: ['The roll-out is under way.', 'A new customer, on the way to the first go-live.'],
  growing: ['Use is high and growing.', 'A healthy customer that uses more from month to month.'],
  steady: ['Use is steady, without large swings.', 'A calm customer: the daily work runs, little changes.'],
  atRisk: [
    'Use is low, and the renewal is not safe.',
    'The customer needs attention: use has fallen behind the plan.',
  ],
  churned: ['The contract has ended.', 'A former customer; everything that it had has run out.'],
}

const introduction: Section = ({ customer, name, stage, total, goal }, faker) => [
  `${name} is a customer in ${customer.city}, ${customer.country} (${customer.segment}, ${formatInteger(customer.employeeCount)} employees). ${faker.helpers.arrayElement(standing[stage])}`,
  '',
  total > 0
    ? `Recurring revenue: **${money(total)}** a year.`
    : 'There is no recurring revenue at the moment.',
  ...(goal ? ['', `> Goal: ${goal}.`] : []),
]

const products: Section = ({ products: owned }) =>
  owned.length === 0
    ? []
    : [
        '## Products',
        '',
        '| Product | Status | ARR | Renewal | Engagement |',
        '| --- | --- | ---: | --- | --- |',
        ...owned.map(
          ({ name, entry }) =>
            `| ${[name, entry.status, money(entry.arr), day(entry), entry.engagement.level].join(' | ')} |`,
        ),
      ]

const day = (entry: BriefProduct['entry']): string => formatDay(parseTime(entry.renewalDate))

const people: Section = ({ people: roles }) =>
  roles.length === 0
    ? ['## People', '', 'Nobody looks after the customer at the moment.']
    : ['## People', '', ...roles.map(({ role, names }) => `- ${role}: ${names.join(', ') || 'open'}`)]

const openSignals: Section = ({ signals }) => [
  '## Open signals',
  '',
  ...(signals.length === 0
    ? ['None.']
    : signals.map(
        (signal) => `- **${signal.category.name}**, severity ${signal.severity}: ${signal.summary}`,
      )),
]

const renewals: Section = ({ products: owned, total }) => {
  const due = owned.filter(({ entry }) => entry.status !== 'churned')
  const sorted = due.toSorted((a, b) => (a.entry.renewalDate < b.entry.renewalDate ? -1 : 1))
  if (sorted.length === 0) return ['## Renewals', '', 'Nothing renews.']
  const lines = sorted.map(
    ({ name, entry }) =>
      `1. ${name} on ${day(entry)}, ${money(entry.arr)} a year (engagement ${entry.engagement.level})`,
  )
  return ['## Renewals', '', ...lines, '', `Together ${money(total)} a year.`]
}

const obstacles: Section = ({ signals }) => {
  const risks = signals.filter((signal) => signal.type.name === 'Risk')
  if (risks.length === 0) return ['## What stands in the way', '', 'Nothing that we know of.']
  return [
    '## What stands in the way',
    '',
    ...risks.map(
      (risk) => `- ${risk.summary}${risk.severityExplanation ? `. ${risk.severityExplanation}` : ''}`,
    ),
  ]
}

const advice: Readonly<Record<Stage, readonly string[]>> = {
  prospect: [
    'Show one product with their own data, not all of them.',
    'Find out who decides before the next demo.',
  ],
  onboarding: [
    'Keep to the date of the first go-live, even with fewer people.',
    'Name an owner for the time after go-live.',
  ],
  growing: [
    'Ask for a reference while the figures are fresh.',
    'Offer the next product to the people who use the first one most.',
  ],
  steady: [
    'Plan the next review before the renewal comes up.',
    'Show one thing that the users do not know yet.',
  ],
  atRisk: ['Agree on one goal that is reached within a month.', 'Bring both sponsors to one table.'],
  churned: ['Hand over the data without delay.', 'Ask again in a year, and not before.'],
}

const recommendation: Section = ({ stage }, faker) => [
  '## Recommendation',
  '',
  faker.helpers.arrayElement(advice[stage]),
]

const lastMeeting: Section = ({ meetings: [last] }) => {
  if (!last) return ['## Last meeting', '', 'There was none yet.']
  const steps = last.nextSteps.map((step) => `- [ ] ${step}`)
  return [
    '## Last meeting',
    '',
    `**${last.topic}**, ${formatDay(parseTime(last.startDate))}. ${last.summary ?? 'Nobody wrote a summary.'}`,
    ...(steps.length > 0 ? ['', ...steps] : []),
  ]
}

const questions: Section = ({ name, products: owned, stage }, faker) => {
  const product = owned[0]?.name ?? 'the platform'
  const pool = [
    `Who at ${name} would notice first if ${product} were gone?`,
    'What has changed on their side since the last meeting?',
    'Which decision do they have to take this quarter, and with which figures?',
    `What keeps the next ten people from using ${product}?`,
    stage === 'atRisk'
      ? 'What would have to happen for them to renew gladly?'
      : 'Who else should hear about the results?',
  ]
  return [
    '## Questions to ask',
    '',
    ...faker.helpers.arrayElements(pool, 3).map((question) => `- ${question}`),
  ]
}

const riskLevel: Readonly<Record<Stage, string>> = {
  prospect: 'low',
  onboarding: 'medium',
  growing: 'low',
  steady: 'low',
  atRisk: 'high',
  churned: 'realised',
}

const risk: Section = ({ stage, signals: [worst, ...others] }) => [
  worst
    ? `Risk: **${riskLevel[stage]}**. Open signals: ${others.length + 1}, the most severe at ${worst.severity}.`
    : `Risk: **${riskLevel[stage]}**. No open signals.`,
]

/** The sections of each brief. */
const briefSections: Readonly<Record<string, readonly Section[]>> = {
  accountSummary: [introduction, products, people, openSignals],
  renewalPreparation: [introduction, renewals, obstacles, recommendation],
  meetingPreparation: [lastMeeting, openSignals, questions],
  riskReview: [risk, products, obstacles, recommendation],
  onboardingHandover: [introduction, people, lastMeeting],
}
