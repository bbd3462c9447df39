import type { Story } from './signal-story.ts'

/** Stories about competitors, invoices and feature requests. */
export const marketStories: readonly Story[] = [
  {
    category: 'competition',
    type: 'risk',
    subCategory: 'evaluation',
    stages: ['atRisk', 'steady', 'growing'],
    about: 'used',
    sources: ['meeting', 'crm', 'manual'],
    severity: [3, 5],
    namesCompetitor: true,
    summaries: [
      (f) => `${f.customer} looks at ${f.competitor} next to ${f.product}`,
      (f) => `${f.contact} mentioned a trial of ${f.competitor}`,
      (f) => `${f.competitor} offers ${f.customer} the first year for half the price`,
      (f) => `Request for comparison with ${f.competitor} from ${f.contact}`,
    ],
    explanations: [
      (f) => `The trial ends in ${f.weeks} weeks, and ${f.money} a year is at stake.`,
      (f) => `${f.competitor} has ${f.wish}, which the ${f.users} have asked us for.`,
      (f) => `Their new ${f.title} used ${f.competitor} in the last job.`,
    ],
    notes: [
      (f) => `Sent ${f.contact} the comparison; a session with product management is planned.`,
      (f) => `${f.other} says that the ${f.users} would rather stay.`,
    ],
    opportunity: (f) => `Keep ${f.product}, ${f.money} a year`,
    endings: [
      ['resolved', (f) => `Stays with us; the trial of ${f.competitor} ended without an order.`],
      ['lost', (f) => `Moves to ${f.competitor} when the contract ends.`],
      ['partly', (f) => `Uses ${f.competitor} at one site and ${f.product} at the others.`],
    ],
  },
  {
    category: 'competition',
    type: 'information',
    subCategory: 'evaluation',
    stages: ['churned'],
    about: 'churned',
    sources: ['crm', 'meeting', 'manual'],
    severity: [2, 4],
    namesCompetitor: true,
    summaries: [
      (f) => `${f.customer} left ${f.product} for ${f.competitor}`,
      (f) => `${f.contact} is not happy with ${f.competitor} either`,
      (f) => `One year after leaving: ${f.customer} asks what is new in ${f.product}`,
    ],
    explanations: [
      (f) => `The reasons were the price and the lack of ${f.wish}.`,
      (f) => `The contract with ${f.competitor} can be ended in ${f.coming}.`,
    ],
    notes: [
      (f) => `Invited ${f.contact} to the release webinar.`,
      (f) => `${f.contact} wants to hear from us again after the summer.`,
    ],
    opportunity: (f) => `Win ${f.customer} back, ${f.money} a year`,
    endings: [
      ['lost', () => 'Contract ended; the data has been handed over.'],
      ['noAction', () => 'No wish to come back this year.'],
    ],
  },
  {
    category: 'billing',
    type: 'risk',
    subCategory: 'latePayment',
    stages: ['atRisk', 'steady', 'growing', 'churned'],
    about: 'any',
    sources: ['crm'],
    severity: [1, 4],
    summaries: [
      (f) => `Invoice for ${f.product} is ${f.weeks * 7} days overdue`,
      (f) => `${f.customer} paid late for the third time this year`,
      (f) => `Second reminder for the ${f.month} invoice went out to ${f.customer}`,
    ],
    explanations: [
      (f) => `${f.money} is open; accounting at ${f.customer} waits for an order number.`,
      (f) => `${f.contact} approved the invoice, but the payment run was stopped.`,
    ],
    notes: [
      (f) => `${f.contact} forwards the order number today.`,
      () => 'Finance holds the next reminder until Friday.',
    ],
    endings: [
      ['resolved', () => 'Paid.'],
      ['resolved', (f) => `Paid after ${f.contact} corrected the order number.`],
    ],
  },
  {
    category: 'billing',
    type: 'information',
    subCategory: 'invoice',
    stages: ['growing', 'steady', 'onboarding'],
    about: 'used',
    sources: ['crm', 'support'],
    severity: [1, 2],
    summaries: [
      (f) => `${f.customer} wants one invoice for all sites`,
      (f) => `Billing address of ${f.customer} changes in ${f.coming}`,
      (f) => `${f.contact} asks for monthly invoices for ${f.product}`,
    ],
    explanations: [
      () => 'Harmless in itself, but the last change of this kind delayed a payment by two months.',
      (f) => `Needs an amendment to the contract before ${f.renewal}.`,
    ],
    notes: [() => 'Passed on to finance.', (f) => `Form sent to ${f.contact}.`],
    endings: [['resolved', () => 'Changed as asked.']],
  },
  {
    category: 'feedback',
    type: 'information',
    subCategory: 'missingFeature',
    stages: ['growing', 'steady', 'atRisk', 'onboarding'],
    about: 'used',
    sources: ['meeting', 'survey', 'support'],
    severity: [1, 3],
    summaries: [
      (f) => `${f.customer} asks for ${f.wish} in ${f.product}`,
      (f) => `${f.product}: ${f.contact} cannot do without ${f.wish}`,
      (f) => `Wish from ${f.customer}: ${f.wish}`,
    ],
    explanations: [
      (f) => `The ${f.users} do it by hand today, about ${f.weeks} hours a week.`,
      (f) => `${f.contact} (${f.title}) made it a condition for the roll-out to other sites.`,
      () => 'Five other customers have asked for the same this year.',
    ],
    notes: [
      (f) => `On the list for the next planning; ${f.contact} joins the interview.`,
      () => 'Shown how others do it in the meantime.',
    ],
    endings: [
      ['resolved', () => 'In the product since the last release; the customer uses it.'],
      ['noAction', () => 'Not planned; explained why.'],
    ],
  },
  {
    category: 'feedback',
    type: 'information',
    subCategory: 'usability',
    stages: ['onboarding', 'steady', 'growing'],
    about: 'used',
    sources: ['survey', 'meeting'],
    severity: [1, 3],
    summaries: [
      (f) => `New ${f.users} at ${f.customer} find ${f.product} hard to start with`,
      (f) => `Survey: "too many clicks", from ${f.extra} ${f.users}`,
      (f) => `${f.contact} suggests a shorter first page in ${f.product}`,
    ],
    explanations: [
      (f) => `It takes a new colleague about ${f.weeks} days to work alone.`,
      () => 'The people who were trained do not have the problem.',
    ],
    notes: [
      (f) => `Short guide sent to ${f.contact}.`,
      () => 'Design team watches two of their people at work.',
    ],
    endings: [
      ['resolved', () => 'New colleagues now start with the guide; no complaints since.'],
      ['partly', () => 'Better with the guide, the first page stays as it is for now.'],
    ],
  },
  {
    category: 'expansion',
    type: 'opportunity',
    subCategory: 'newProduct',
    stages: ['growing', 'steady', 'onboarding', 'prospect', 'churned'],
    about: 'other',
    sources: ['meeting', 'crm', 'manual'],
    severity: [1, 3],
    summaries: [
      (f) => `${f.customer} wants to see ${f.product}`,
      (f) => `${f.contact} asked what ${f.product} would cost`,
      (f) => `${f.product} could replace a tool that ${f.customer} gives up in ${f.coming}`,
      (f) => `Interest in ${f.product} from the ${f.title}`,
    ],
    explanations: [
      (f) => `They want ${f.purpose}, and ${f.contact} has a budget for it this year.`,
      (f) => `${f.seats} ${f.users} would work with it; about ${f.money} a year.`,
    ],
    notes: [
      (f) => `Demo agreed with ${f.contact} and two ${f.users}.`,
      (f) => `Offer over ${f.money} sent.`,
      (f) => `${f.contact} compares the offer with building it themselves.`,
    ],
    opportunity: (f) => `${f.product} for ${f.customer}, about ${f.money} a year`,
    endings: [
      ['lost', () => 'Decided to build it themselves.'],
      ['noAction', () => 'Not this year; asked us to come back in autumn.'],
    ],
  },
  {
    category: 'expansion',
    type: 'opportunity',
    subCategory: 'seats',
    stages: ['growing', 'steady'],
    about: 'used',
    sources: ['usage', 'meeting', 'crm'],
    severity: [1, 2],
    summaries: [
      (f) => `${f.customer} needs ${f.extra} more seats for ${f.product}`,
      (f) => `${f.product}: all ${f.seats} seats are taken`,
      (f) => `Second site of ${f.customer} wants to join ${f.product}`,
    ],
    explanations: [
      (f) => `${f.extra} people are on the waiting list that ${f.contact} keeps.`,
      (f) =>
        `${f.activity.charAt(0).toUpperCase()}${f.activity.slice(1)} rose from ${f.low} to ${f.high} a week.`,
    ],
    notes: [
      (f) => `Offer for ${f.extra} seats is with ${f.contact}.`,
      () => 'Waits for the new budget year.',
    ],
    opportunity: (f) => `${f.extra} more seats for ${f.product}`,
    endings: [
      ['expanded', (f) => `${f.extra} seats added.`],
      ['noAction', () => 'Seats of people who left were freed instead.'],
    ],
  },
  {
    category: 'adoption',
    type: 'milestone',
    subCategory: 'strongUse',
    stages: ['growing'],
    about: 'used',
    sources: ['usage', 'meeting'],
    severity: [1, 2],
    summaries: [
      (f) => `${f.customer}: ${f.high} ${f.activity} in one week, more than ever`,
      (f) => `All ${f.seats} ${f.users} worked with ${f.product} this month`,
      (f) => `${f.contact} presents ${f.product} to the other sites`,
      (f) => `First month with ${f.product} in full use`,
    ],
    explanations: [
      (f) => `${f.low} a week in ${f.month}, ${f.high} now.`,
      (f) => `A good moment to ask ${f.contact} for a reference.`,
    ],
    notes: [
      (f) => `Congratulated ${f.contact}; asked for a quote for the website.`,
      (f) => `${f.contact} speaks at the next user meeting.`,
    ],
    endings: [
      ['noAction', () => 'Noted for the next review.'],
      ['expanded', (f) => `Led to an order for ${f.extra} more seats.`],
    ],
  },
]
