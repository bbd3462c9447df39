import type { Stage } from './stages.ts'

/** The people, things and figures of one note. */
export interface NoteFacts {
  readonly customer: string
  readonly contact: string
  readonly title: string
  readonly other: string
  readonly product: string
  readonly users: string
  readonly wish: string
  /** The yearly spending of the customer, in words. */
  readonly total: string
  readonly percent: number
  readonly weeks: number
  readonly month: string
}

type Told = (facts: NoteFacts) => string

/** Phrases for the notes of each category. */
export const notePhrases: Readonly<Record<string, readonly Told[]>> = {
  Call: [
    (f) =>
      `Spoke with ${f.contact} (${f.title}). ${f.product} runs, the ${f.users} are content. Wants to hear about ${f.wish} next time.`,
    (f) => `Short call with ${f.contact}: away until ${f.month}, ${f.other} stands in. No open questions.`,
    (f) => `${f.contact} called about access for two new ${f.users}. Sent the guide; they can start today.`,
    (f) =>
      `Talked to ${f.other} instead of ${f.contact}. They reorganise, and nobody owns ${f.product} for ${f.weeks} weeks.`,
    (f) =>
      `${f.contact} asked how other customers use ${f.product}. Promised two examples and an introduction.`,
    (f) => `Voicemail left for ${f.contact}; the second one this week.`,
    (f) =>
      `Good call. ${f.contact} read out a mail from the board that names ${f.product} as the tool of the year.`,
  ],
  Internal: [
    (f) => `Please copy me on every mail to ${f.contact}. Two of us wrote on the same day, and it showed.`,
    (f) => `Discount above ${f.percent % 20}% needs approval; ${f.customer} will ask for it.`,
    (f) => `${f.customer} belongs to a group since ${f.month}. Check who signs before the next order.`,
    (f) =>
      `For whoever stands in: ${f.contact} decides, ${f.other} does the work. Call before noon, their time.`,
    (f) => `The health score is too good: it does not see that ${f.product} is used by one person only.`,
    (f) => `Handover done; ${f.contact} and ${f.other} know. All documents are in the shared folder.`,
    (f) => `Support knows about ${f.customer}; tickets go to the senior team until the end of ${f.month}.`,
  ],
  Renewal: [
    (f) => `${f.contact} confirms that ${f.product} is in next year's budget. The total stays at ${f.total}.`,
    (f) => `Procurement wants an offer for one and for three years. ${f.contact} prefers three.`,
    (f) => `Not before ${f.month}: their budget round is late this year. Asked for a letter of intent.`,
    (f) => `They pay ${f.total} today. ${f.contact} sees room for more if ${f.wish} comes.`,
    (f) => `Terms agreed by phone, paper follows. ${f.other} signs.`,
    (f) => `${f.contact} wants the notice period shortened to ${f.weeks} weeks. Legal looks at it.`,
  ],
  'Success plan': [
    (f) =>
      `Goal for the half year: ${f.percent}% of the ${f.users} work with ${f.product} every week. ${f.contact} reports monthly.`,
    (f) => `Three steps agreed with ${f.contact}: clean data, one training a month, review in ${f.month}.`,
    (f) => `First goal reached ${f.weeks} weeks early. ${f.contact} wants to go on with the second site.`,
    (f) =>
      `The plan is ${f.weeks} weeks behind, because ${f.other} left the project. New dates with ${f.contact} on Thursday.`,
    (f) => `Measure of success: no more spreadsheets in the weekly meeting of the ${f.users}.`,
    (f) => `${f.customer} wants to be a reference once ${f.product} has run for a full quarter.`,
  ],
  Feedback: [
    (f) =>
      `${f.contact}: "${f.product} is the first tool that I did not have to push." May be quoted without the name.`,
    (f) => `Asked for ${f.wish} again. Without it the ${f.users} keep their own lists.`,
    (f) => `The ${f.users} like the new start page; ${f.other} misses the old search.`,
    (f) => `${f.contact} finds our mails too long and would rather have a call a month.`,
    (f) =>
      `Rated the last training ${5 + (f.weeks % 5)} of 10: too many slides, too little of their own data.`,
    (f) => `"Works, but nobody knows that it can do this", says ${f.contact} about ${f.product}.`,
  ],
  'Legacy import': [
    (f) => `Imported from the old system: contact ${f.contact}, ${f.title}.`,
    (f) => `Imported from the old system: first contract signed, ${f.product}.`,
    (f) => `Imported from the old system: "visited, friendly, wants ${f.wish}".`,
  ],
}

/** Phrases for notes on customers without products, whom the other phrases do not fit. */
export const outsiderPhrases: Readonly<Partial<Record<Stage, readonly Told[]>>> = {
  prospect: [
    (f) =>
      `First call with ${f.contact} (${f.title}). Interested in ${f.product}, no budget before ${f.month}.`,
    (f) => `${f.contact} knows ${f.product} from the last job and wants it here as well.`,
    (f) => `${f.other} has to agree before there can be a trial. Offered to explain it in person.`,
    (f) => `They compare three suppliers; we are the only one with ${f.wish} on the list, says ${f.contact}.`,
    (f) => `Security questionnaire sent to ${f.other}; answers are due in ${f.weeks} weeks.`,
    () => 'No decision before their new budget year. Stay friendly, do not push.',
  ],
  churned: [
    (f) => `${f.contact} confirmed the end of the contract. The tone was friendly.`,
    (f) => `Data handed over to ${f.other}. Confirmation is in the shared folder.`,
    (f) => `The reason, in the words of ${f.contact}: too few ${f.users} used ${f.product}.`,
    (f) => `Met ${f.contact} at a conference. They would look at ${f.product} again in ${f.month}.`,
    () => 'Please no newsletters. They asked for it, and it is noted.',
    (f) => `${f.contact} changed to another company and wants to introduce us there.`,
  ],
}

/** Sentences that can be added to a note of any category. */
export const afterthoughts: readonly Told[] = [
  (f) => `Next call in ${f.weeks} weeks.`,
  (f) => `Best reached in the morning, says ${f.contact}.`,
  () => 'Nothing urgent.',
  (f) => `${f.other} was on the line as well.`,
  (f) => `To be looked at again in ${f.month}.`,
  () => 'The documents are in the shared folder.',
  (f) => `Written to ${f.contact} right after.`,
  (f) => `Ask about ${f.wish} when the occasion comes.`,
  () => 'I keep an eye on it.',
  (f) => `${f.contact} prefers to be called, not written to.`,
  (f) => `They are ${f.percent}% of the way, by their own count.`,
  () => 'Please do not forward outside the team.',
]
