import type { MeetingFacts, MeetingKind } from './meeting-kinds.ts'

/** The kinds of meetings with customers. */
export const meetingKinds: readonly MeetingKind[] = [
  {
    id: 'kickoff',
    stages: ['onboarding'],
    about: 'own',
    minutes: [45, 60],
    topics: [(f) => `Kickoff: ${f.product}`, (f) => `Kickoff with ${f.customer}: ${f.product}`],
    summaries: [
      (f) =>
        `${f.customer} starts with ${f.product} at one site. ${f.contact} leads the project on their side.`,
      (f) => `Goals and dates agreed: first ${f.users} in ${f.weeks} weeks, all sites by ${f.month}.`,
    ],
    steps: [
      (f) => `${f.host}: send the project plan by ${f.day}`,
      (f) => `${f.contact}: name the first ${f.count} ${f.users}`,
      () => 'IT opens the firewall for the connector',
    ],
  },
  {
    id: 'onboarding',
    stages: ['onboarding'],
    about: 'own',
    minutes: [30, 45],
    topics: [
      (f) => `Onboarding session ${(f.weeks % 5) + 1}: ${f.product}`,
      (f) => `Go-live preparation: ${f.product}`,
    ],
    summaries: [
      (f) => `First data is in, ${f.percent}% of it checked. ${f.contact} tests with ${f.count} colleagues.`,
      (f) => `Single sign-on works. Open: ${f.wish}, and who looks after ${f.product} during holidays.`,
      (f) => `Go-live moved by ${f.weeks} weeks, because the figures of ${f.month} are still missing.`,
    ],
    steps: [
      (f) => `${f.contact}: check the figures until ${f.day}`,
      (f) => `${f.host}: set up the test users`,
      (f) => `${f.other}: book the training room`,
    ],
  },
  {
    id: 'training',
    stages: ['onboarding', 'growing', 'steady', 'atRisk'],
    about: 'own',
    minutes: [60, 90],
    topics: [(f) => `Training for ${f.users}: ${f.product}`, (f) => `Refresher: ${f.product}`],
    summaries: [
      (f) => `${f.count} ${f.users} took part. The second half went to questions about ${f.trouble}.`,
      (f) => `Good session; ${f.contact} wants the same for the other site. Asked for twice: ${f.wish}.`,
    ],
    steps: [
      (f) => `${f.host}: send the recording and the exercises`,
      (f) => `${f.contact}: collect questions until ${f.day}`,
    ],
  },
  {
    id: 'checkIn',
    stages: ['growing', 'steady', 'atRisk'],
    about: 'own',
    minutes: [25, 30],
    topics: [
      (f) => `Monthly check-in: ${f.product}`,
      (f) => `Check-in with ${f.contact}: ${f.product}`,
      (f) => `Check-in: ${f.product}`,
    ],
    summaries: [
      (f) => `${f.product} is used by ${f.count} people, ${f.percent}% of them every week. No open tickets.`,
      (f) => `${f.contact} reports ${f.trouble}; otherwise quiet. Next topic is ${f.wish}.`,
      (f) => `Short one: ${f.contact} prepares the budget for ${f.month} and needs the usage figures.`,
      (f) => `${f.other} becomes the new owner of ${f.product}. Access and training are arranged.`,
    ],
    steps: [
      (f) => `${f.host}: send the usage figures by ${f.day}`,
      (f) => `${f.contact}: open a ticket with two examples`,
      (f) => `${f.contact}: invite ${f.other} to the next check-in`,
      (f) => `${f.host}: ask product management about ${f.wish}`,
    ],
  },
  {
    id: 'review',
    stages: ['growing', 'steady', 'atRisk'],
    about: 'own',
    minutes: [60],
    topics: [
      (f) => `Quarterly business review ${f.lastQuarter}: ${f.product}`,
      (f) => `Business review with ${f.customer}: ${f.product}`,
    ],
    summaries: [
      (f) =>
        `Goal of the quarter reached: ${f.percent}% of the ${f.users} work with ${f.product}. Next goal: ${f.purpose}.`,
      (f) =>
        `Mixed quarter. Value is seen by the ${f.users}, not yet by the board. ${f.contact} wants a figure.`,
      (f) =>
        `${f.customer} saved about ${f.count} hours a month with ${f.product}. Still on the list: ${f.wish}.`,
    ],
    steps: [
      (f) => `${f.host}: write the value calculation until ${f.day}`,
      (f) => `${f.contact}: present the result to the board in ${f.month}`,
      () => 'Both sides agree on three goals for the next quarter',
    ],
  },
  {
    id: 'renewal',
    stages: ['steady', 'atRisk', 'growing'],
    about: 'own',
    minutes: [30, 45],
    topics: [(f) => `Renewal: ${f.product}`, (f) => `Renewal terms: ${f.product}`],
    summaries: [
      (f) =>
        `${f.contact} wants to renew ${f.product} for one year and asks for ${5 + (f.percent % 11)}% off.`,
      (f) =>
        `No objection to the renewal itself. Procurement at ${f.customer} needs the order form ${f.weeks} weeks ahead.`,
      (f) => `${f.contact} must show what ${f.product} saves before the budget round in ${f.month}.`,
    ],
    steps: [
      (f) => `${f.host}: send the order form by ${f.day}`,
      (f) => `${f.contact}: confirm the number of seats`,
      (f) => `${f.other}: check the terms with legal`,
    ],
  },
  {
    id: 'escalation',
    stages: ['atRisk', 'steady'],
    about: 'own',
    minutes: [30],
    topics: [(f) => `Escalation: ${f.trouble}`, (f) => `Incident call: ${f.trouble}`],
    summaries: [
      (f) =>
        `${f.count} ${f.users} are held up by ${f.trouble}. ${f.contact} needs a date for the fix; daily updates agreed.`,
      (f) => `Cause found: a setting from the migration in ${f.month}. Fix within ${f.weeks} days.`,
    ],
    steps: [
      (f) => `${f.host}: write a daily update to ${f.contact}`,
      () => 'Engineering sends the root cause in writing',
      (f) => `${f.contact}: test the fix on ${f.day}`,
    ],
  },
  {
    id: 'roadmap',
    stages: ['growing', 'steady'],
    about: 'own',
    minutes: [45],
    topics: [(f) => `Roadmap session: ${f.product}`],
    summaries: [
      (f) => `Planned for ${f.month}: ${f.wish}. ${f.customer} joins the trial with ${f.count} ${f.users}.`,
      (f) => `${f.contact} ranked the plans: first ${f.wish}, then everything else.`,
    ],
    steps: [
      (f) => `${f.host}: add ${f.customer} to the trial`,
      (f) => `${f.contact}: send three examples from daily work`,
    ],
  },
  {
    id: 'executive',
    stages: ['growing', 'atRisk'],
    about: 'own',
    minutes: [45, 60],
    topics: [(f) => `Executive meeting ${f.quarter}: ${f.customer} and ${f.organization}`],
    summaries: [
      (f) => `The board of ${f.customer} wants ${f.purpose}. ${f.product} is seen as a part of that.`,
      (f) =>
        `Open talk about the last half year: results are good, answers take too long. ${f.contact} stays sponsor.`,
    ],
    steps: [
      (f) => `${f.host}: propose a date in ${f.month}`,
      (f) => `${f.contact}: share the strategy paper`,
    ],
  },
  {
    id: 'introduction',
    stages: ['growing', 'steady', 'churned'],
    about: 'other',
    minutes: [30, 45],
    topics: [(f) => `Introduction: ${f.product}`, (f) => `Demo: ${f.product}`],
    summaries: [
      (f) => `${f.contact} is looking for a way ${f.purpose}. ${f.count} ${f.users} would use ${f.product}.`,
      (f) => `Demo with their own data went well. Question left open: ${f.wish}.`,
    ],
    steps: [
      (f) => `${f.host}: send an offer by ${f.day}`,
      (f) => `${f.contact}: show the recording to the ${f.users}`,
      () => 'Second demo with the IT department',
    ],
  },
  {
    id: 'introduction',
    stages: ['prospect'],
    about: 'other',
    minutes: [30, 45],
    topics: [(f) => `Discovery call: ${f.product}`, (f) => `Demo for ${f.customer}: ${f.product}`],
    summaries: [
      (f) => `${f.contact} is looking for a way ${f.purpose}. Decision planned for ${f.month}.`,
      (f) => `${f.customer} compares three suppliers. What counts for ${f.contact}: ${f.wish}.`,
    ],
    steps: [
      (f) => `${f.host}: send two variants of an offer by ${f.day}`,
      (f) => `${f.contact}: provide a file with sample data`,
      (f) => `${f.other}: fill in the security questionnaire`,
    ],
  },
  {
    id: 'integration',
    stages: ['onboarding', 'growing', 'steady'],
    about: 'own',
    minutes: [60, 90],
    topics: [
      (f) => `Integration workshop: ${f.system} and ${f.product}`,
      (f) => `Connecting ${f.system}: ${f.product}`,
    ],
    summaries: [
      (f) =>
        `${f.system} is connected to ${f.product} in the test workspace. Volumes are fine, two fields are missing.`,
      (f) => `${f.other} needs a service account for ${f.system}; then the rest takes ${f.weeks} days.`,
    ],
    steps: [
      (f) => `${f.other}: create the service account for ${f.system}`,
      (f) => `${f.host}: map the two missing fields`,
      (f) => `Test with real data on ${f.day}`,
    ],
  },
  {
    id: 'offboarding',
    stages: ['churned'],
    about: 'own',
    minutes: [30],
    topics: [(f) => `Offboarding: ${f.product}`, (f) => `Data handover: ${f.product}`],
    summaries: [
      (f) =>
        `${f.customer} takes its data along as CSV. ${f.contact} names the lack of ${f.wish} as the main reason.`,
      (f) => `Access ends in ${f.month}. ${f.contact} would talk again once we offer ${f.wish}.`,
    ],
    steps: [
      (f) => `${f.host}: hand over the export by ${f.day}`,
      (f) => `${f.contact}: confirm that the data is complete`,
    ],
  },
]

/** Sentences that can end a summary of any kind. */
export const closingRemarks: readonly ((facts: MeetingFacts) => string)[] = [
  (f) => `Next meeting on a ${f.day}.`,
  (f) => `${f.contact} asked for the recording.`,
  (f) => `Open until then: ${f.wish}.`,
  (f) => `${f.other} gets the notes.`,
  () => 'Good mood on both sides.',
  () => 'Ten minutes shorter than planned.',
  (f) => `The next talk is due in ${f.weeks} weeks.`,
  (f) => `${f.contact} is away in ${f.month}.`,
  () => 'Everything else stays as agreed.',
  (f) => `${f.customer} decides on it by ${f.day}.`,
]
