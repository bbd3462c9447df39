import type { Story } from './signal-story.ts'

const few = (seats: number, percent: number): number => Math.max(1, Math.round(seats * (1 - percent / 100)))

/** Stories about risks. */
export const riskStories: readonly Story[] = [
  {
    category: 'adoption',
    type: 'risk',
    subCategory: 'usageDecline',
    stages: ['atRisk', 'steady'],
    about: 'used',
    sources: ['usage'],
    severity: [3, 5],
    summaries: [
      (f) => `Weekly ${f.activity} in ${f.product} fell ${f.percent}% within ${f.weeks} weeks`,
      (f) => `${f.product}: ${f.activity} down from ${f.high} to ${f.low} a week`,
      (f) => `Only ${few(f.seats, f.percent)} of ${f.seats} ${f.users} still open ${f.product}`,
      (f) => `${f.customer} uses ${f.product} ${f.percent}% less than in ${f.month}`,
    ],
    explanations: [
      (f) =>
        `${f.high} ${f.activity} a week before, ${f.low} now, and no holiday in between that would explain it.`,
      (f) => `Usage has been falling for ${f.weeks} weeks in a row; ${f.money} a year depends on it.`,
      (f) => `The drop began in ${f.month}, when ${f.contact} moved to another project.`,
    ],
    notes: [
      (f) => `Called ${f.contact}: the team went back to spreadsheets during the audit. Offered a refresher.`,
      (f) => `${f.contact} confirms the drop; two ${f.users} left and nobody trained the new ones.`,
      (f) => `Wrote to ${f.contact} with the usage chart. No answer yet.`,
    ],
    endings: [
      ['resolved', (f) => `After two trainings for ${f.users} the figures are back above ${f.low}.`],
      ['partly', (f) => `Half of the ${f.users} came back; the rest waits for the reorganisation.`],
      ['noAction', () => 'Seasonal: the same dip happened last year.'],
    ],
  },
  {
    category: 'adoption',
    type: 'risk',
    subCategory: 'slowRollout',
    stages: ['onboarding'],
    about: 'onboarding',
    sources: ['usage', 'meeting', 'manual'],
    severity: [2, 4],
    summaries: [
      (f) => `Roll-out of ${f.product} is ${f.weeks} weeks behind the plan`,
      (f) => `${f.product}: only ${few(f.seats, f.percent)} of ${f.seats} ${f.users} have signed in so far`,
      (f) => `No owner for ${f.product} at ${f.customer} since ${f.contact} went on leave`,
      (f) => `Go-live of ${f.product} postponed for the second time`,
    ],
    explanations: [
      (f) => `IT at ${f.customer} has not released single sign-on; without it the ${f.users} cannot start.`,
      (f) => `The data of ${f.month} is still missing, so the first report cannot be checked.`,
      (f) => `${f.contact} (${f.title}) has one day a week for the project; the plan assumed three.`,
    ],
    notes: [
      (f) => `Agreed with ${f.contact} on a smaller first step: one site, ${few(f.seats, 70)} people.`,
      (f) => `${f.owner} takes part in their project meeting until go-live.`,
    ],
    endings: [
      ['resolved', (f) => `Live with ${f.seats} ${f.users} after the sign-on was released.`],
      ['partly', () => 'First site is live, the others follow next quarter.'],
    ],
  },
  {
    category: 'renewal',
    type: 'risk',
    subCategory: 'terms',
    stages: ['atRisk', 'steady'],
    about: 'renewing',
    sources: ['crm', 'meeting', 'manual'],
    severity: [3, 5],
    summaries: [
      (f) => `Renewal of ${f.product} on ${f.renewal} is not confirmed`,
      (f) => `${f.customer} asks for a shorter term when ${f.product} renews in ${f.days} days`,
      (f) => `Procurement wants ${Math.min(25, f.percent)}% off ${f.product} before ${f.renewal}`,
      (f) => `${f.days} days to the renewal of ${f.product}, and no meeting planned`,
    ],
    explanations: [
      (f) => `${f.money} a year is up for renewal on ${f.renewal}; ${f.contact} has not answered two mails.`,
      (f) => `${f.contact} (${f.title}) compares prices and wants an answer before the quarter ends.`,
      (f) =>
        `The contract renews only if ${f.customer} agrees in writing, and their budget round closes earlier.`,
    ],
    notes: [
      (f) => `Sent the usage report and the order form to ${f.contact}.`,
      (f) => `${f.contact} wants to keep ${f.product}, but needs a figure for the board.`,
      () => 'Legal has the redlines; we answer by the end of the week.',
    ],
    opportunity: (f) => `Renewal of ${f.product}, ${f.money} a year`,
    endings: [
      ['renewed', (f) => `Renewed for two years at ${f.money} a year.`],
      ['renewed', () => 'Renewed for one year at the same price, with quarterly reviews.'],
      ['partly', (f) => `Renewed for one year with ${f.extra} seats fewer.`],
    ],
  },
  {
    category: 'renewal',
    type: 'risk',
    subCategory: 'budget',
    stages: ['atRisk', 'steady'],
    about: 'used',
    sources: ['meeting', 'manual'],
    severity: [3, 5],
    summaries: [
      (f) => `${f.customer} freezes spending; ${f.product} is on the list`,
      (f) => `${f.contact} must cut ${Math.min(30, f.percent)}% of the tool budget`,
      (f) => `${f.customer} moves the budget for ${f.product} to a department that we do not know`,
    ],
    explanations: [
      (f) => `A weak ${f.month} led to a review of every contract above $10,000.`,
      (f) => `${f.contact} would give up seats first, then ${f.product} as a whole.`,
    ],
    notes: [
      (f) => `Prepared a calculation for ${f.contact}: what ${f.product} saves against what it costs.`,
      (f) => `${f.contact} introduces us to the new budget holder next week.`,
    ],
    endings: [
      ['partly', (f) => `${f.customer} keeps ${f.product} with ${f.extra} seats fewer.`],
      ['resolved', () => 'The new budget holder signed the plan for this year.'],
    ],
  },
  {
    category: 'support',
    type: 'risk',
    subCategory: 'incident',
    stages: ['atRisk', 'steady', 'growing', 'onboarding'],
    about: 'used',
    sources: ['support'],
    severity: [2, 5],
    summaries: [
      (f) => `${f.customer} reports ${f.trouble} in ${f.product}`,
      (f) => `Escalated by ${f.contact}: ${f.trouble} (${f.product})`,
      (f) => `Third ticket in ${f.weeks} weeks about ${f.trouble}`,
    ],
    explanations: [
      (f) => `${f.seats} ${f.users} are affected; ${f.contact} asks for a date.`,
      (f) => `There is a workaround, but the ${f.users} lose about an hour a week with it.`,
      () => 'Engineering can reproduce it and has a fix in review.',
    ],
    notes: [
      (f) => `Told ${f.contact} when the fix will be out. Calls again after the release.`,
      () => 'Fix is in staging; the customer tests it tomorrow.',
      (f) => `${f.other} sent a recording that shows the problem.`,
    ],
    endings: [
      ['resolved', () => 'Fixed in the last release; confirmed by the customer.'],
      ['resolved', (f) => `A setting was wrong; ${f.owner} changed it together with ${f.contact}.`],
      ['partly', () => 'The workaround stays until the new version is out.'],
    ],
  },
  {
    category: 'support',
    type: 'risk',
    subCategory: 'responseTime',
    stages: ['atRisk', 'steady', 'onboarding'],
    about: 'used',
    sources: ['survey', 'support', 'meeting'],
    severity: [2, 4],
    summaries: [
      (f) => `${f.contact} waited ${f.weeks + 1} days for an answer about ${f.product}`,
      (f) => `Survey: "help takes too long", ${2 + (f.weeks % 4)} of 10 from ${f.contact}`,
      (f) => `${f.customer} asks for a named contact in support`,
    ],
    explanations: [
      (f) => `Two of the last ${f.weeks + 2} tickets were answered after the agreed time.`,
      (f) => `${f.contact} (${f.title}) brought it up in front of the management.`,
    ],
    notes: [
      () => 'Support lead informed; tickets of this customer are looked at every morning.',
      (f) => `Apologised to ${f.contact}. The last ticket is answered.`,
    ],
    endings: [
      ['resolved', () => 'All answers within a day for four weeks now.'],
      ['noAction', (f) => `The ticket lay with ${f.contact}, not with us.`],
    ],
  },
  {
    category: 'relationship',
    type: 'risk',
    subCategory: 'sponsorChange',
    stages: ['atRisk', 'steady', 'growing'],
    about: 'used',
    sources: ['meeting', 'crm', 'manual'],
    severity: [2, 5],
    summaries: [
      (f) => `${f.contact}, our sponsor at ${f.customer}, leaves at the end of ${f.coming}`,
      (f) => `New ${f.title} at ${f.customer} questions ${f.product}`,
      (f) => `${f.customer} reorganises: the ${f.users} get a new head`,
      (f) => `${f.contact}, who championed ${f.product}, moved to another department`,
    ],
    explanations: [
      (f) => `Without ${f.contact} nobody speaks for ${f.product} when the budget is made.`,
      () => 'The new head worked with another tool before and wants to see figures first.',
    ],
    notes: [
      (f) => `${f.other} agreed to an introduction in the first week.`,
      (f) => `Executive meeting requested; ${f.owner} prepares the figures.`,
    ],
    endings: [
      ['resolved', (f) => `${f.other} is the new sponsor and joined the last review.`],
      ['partly', () => 'Introduced, but no decision about the next year yet.'],
    ],
  },
  {
    category: 'relationship',
    type: 'risk',
    subCategory: 'silence',
    stages: ['atRisk', 'steady', 'onboarding', 'churned', 'prospect'],
    about: 'any',
    sources: ['crm', 'manual'],
    severity: [1, 3],
    summaries: [
      (f) => `No contact with ${f.customer} for ${f.weeks * 2} weeks`,
      (f) => `${f.contact} cancelled the last ${Math.min(4, f.weeks)} meetings`,
      (f) => `${f.customer} has not opened the last three mails`,
    ],
    explanations: [
      (f) => `${f.contact} used to answer within a day; the last answer is ${f.weeks * 2} weeks old.`,
      () => 'It may be the season, but it was not like this last year.',
    ],
    notes: [
      (f) => `Tried ${f.other} instead of ${f.contact}.`,
      (f) => `${f.owner} visits them on the way to a neighbouring customer.`,
    ],
    endings: [
      ['resolved', (f) => `${f.contact} was on leave; the meetings are back in the calendar.`],
      ['noAction', () => 'A quiet phase, nothing behind it.'],
    ],
  },
]
