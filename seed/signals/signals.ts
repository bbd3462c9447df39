import type { Row } from '../../src/store/tables.ts'
import type { Account } from '../customers/account.ts'
import { findPeriod } from '../customers/history.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { findLocale, generateOther } from '../people/people.ts'
import { RecordKey } from '../random/record-key.ts'
import { fitsSize, keepFitting } from '../texts/company-size.ts'
import { formatName } from '../texts/format.ts'
import type { Story } from '../texts/signals.schema.ts'
import { fillTemplate, listSlots } from '../texts/templates.ts'
import { REPETITION, chooseRepeated, chooseStoryAndTime } from './signal-choice.ts'
import { generateCourse, moveToAnyHour, moveToWakingHour } from './signal-course.ts'
import { generateFacts } from './signal-facts.ts'
import {
  categories,
  dismissalReasons,
  duplicate,
  getCompetitors,
  outcomes,
  subCategories,
  types,
} from './signal-lookups.ts'
import {
  additions,
  agrees,
  dismissalNotes,
  findSettlement,
  hasComeTrue,
  listEndings,
  repetitions,
} from './signal-stories.ts'

type Signal = Row<'signals'>

export function generateSignal(id: number, fields: Partial<Signal>, tenant: Tenant): Signal {
  const { seed, nowMs } = tenant
  const account = tenant.findAccount(id, fields.customerId)
  const key = new RecordKey(seed, 'signals', id)
  const context = { account, key, tenant }
  const repeated = chooseRepeated(id, fields, context)
  const { moment, story, subject, author } = repeated ?? chooseStoryAndTime(id, fields, context)
  // A signal that repeats another one is about the same facts.
  const original = repeated ? new RecordKey(seed, 'signals', id - 1) : key
  const source = original.faker('source').helpers.arrayElement(story.sources)
  const isAutomatic = isAutomaticSource(source)
  const starts = account.products.map(({ startMs }) => startMs)
  const move = (timeMs: number): number => {
    if (!isAutomatic || fields.createdDate) return timeMs
    const { fromMs } = findPeriod(account.customer, nowMs, seed)
    // A contract that the signal is about has begun.
    const earliestMs = Math.max(fromMs, ...starts.filter((startMs) => startMs <= timeMs))
    const faker = original.faker('hour')
    return source === 'survey'
      ? moveToWakingHour(timeMs, earliestMs, { timezone: account.customer.timezone, faker })
      : moveToAnyHour(timeMs, earliestMs, faker)
  }
  const createdMs = repeated ? moment.timeMs : move(moment.timeMs)
  const people = choosePeople(account, story, key)
  const [min = 1, max = min] = story.severity
  const severity = key.faker('severity').number.int({ min, max })
  const course = generateCourse(repeated ? { ...fields, status: 'dismissed' } : fields, {
    createdMs,
    nowMs,
    severity: fields.severity ?? severity,
    settlement: repeated
      ? { fromMs: createdMs, toMs: Math.min(createdMs + REPETITION.until, nowMs) }
      : findSettlement(story, subject, createdMs, nowMs),
    isAutomatic,
    editor: people.editor,
    key,
  })
  const competitor =
    fields.competitor ??
    original.faker('competitor').helpers.arrayElement(getCompetitors(account.catalog.ordinal))
  const dismissalReason =
    course.status === 'dismissed'
      ? repeated
        ? duplicate
        : chooseDismissalReason(fields, story, {
            account,
            key,
            isTrue: hasComeTrue(story, subject, createdMs),
          })
      : null
  const employees = account.customer.employeeCount
  const isMisplaced = dismissalReason?.name === 'Wrong customer'
  const nameLeaver = () => generateLeaver(account, original)
  const facts = generateFacts(
    {
      account,
      timeMs: repeated ? move(repeated.originalMs) : createdMs,
      subject,
      competitor: competitor.name,
      seed,
      nameLeaver,
    },
    original.faker('facts'),
  )
  const chosen: string[] = []
  // A signal about another customer names neither this one nor its people. No text contradicts the ones before it.
  const choose = (from: RecordKey, purpose: string, texts: readonly string[]): string | undefined => {
    const named = isMisplaced ? texts.filter((text) => !namesCustomer(text)) : texts
    const fitting = named.filter((text) => fitsSize(text, employees) && agrees(text, chosen))
    if (fitting.length === 0) return undefined
    const text = from.faker(purpose).helpers.arrayElement(fitting)
    chosen.push(text)
    return text
  }
  // A given summary may not fit the story, so that no other texts are generated.
  const isWritten = (purpose: string, likelihood: number): boolean =>
    fields.summary === undefined && key.faker(purpose).datatype.boolean(likelihood)
  const writeSometimes = (
    purpose: string,
    likelihood: number,
    texts: readonly string[],
    more?: keyof typeof additions,
  ): string | null => {
    const text = isWritten(purpose, likelihood) ? choose(key, `${purpose} text`, texts) : undefined
    return text === undefined ? null : fillTemplate(more ? add(more, text) : text, facts)
  }
  // A text without names gets a sentence with some, so that it is not word for word in many records.
  const add = (purpose: keyof typeof additions, text: string): string =>
    namesPeople(text)
      ? text
      : `${text} ${key.faker('more', purpose).helpers.arrayElement(additions[isMisplaced ? 'misplaced' : purpose])}`
  const summary = fillTemplate(
    choose(original, 'summary', story.summaries) ?? keepFitting(story.summaries, employees)[0] ?? '',
    facts,
  )
  const severityExplanation = writeSometimes('explanation', 0.86, story.explanations, 'explanations')
  const notes = dismissalReason ? (dismissalNotes[dismissalReason.name] ?? story.notes) : story.notes
  const latestNote = writeSometimes('note', course.isDraft ? 0.15 : 0.65, notes, 'notes')
  const possible = listEndings(story, subject, createdMs)
  const suitable = possible.filter(
    (ending) => fitsSize(ending.notes, employees) && agrees(ending.notes, chosen),
  )
  const endings = suitable.length > 0 ? suitable : possible
  const hasOutcome =
    course.status === 'closed' &&
    fields.summary === undefined &&
    endings.length > 0 &&
    key.faker('outcome').datatype.boolean(0.9)
  const ending = hasOutcome ? key.faker('ending').helpers.arrayElement(endings) : undefined
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    productId: subject.product.row.id,
    status: course.status,
    source,
    summary: repeated
      ? fillTemplate(key.faker('repetition text').helpers.arrayElement(repetitions), {
          summary,
          day: facts.day,
        })
      : summary,
    severity,
    severityExplanation,
    createdById: author.id,
    updatedById: people.editor.id,
    ownerId: people.owner.id,
    latestNote,
    isDraft: course.isDraft,
    isPrimary: key.faker('primary').datatype.boolean(0.35),
    createdDate: course.createdDate,
    raisedDate: course.raisedDate,
    closedDate: course.closedDate,
    updatedDate: course.updatedDate,
    opportunity: writeSometimes('opportunity', 1, story.opportunity ?? []),
    category: categories[story.kind.category],
    dismissalReason,
    subCategory: key.faker('subcategory').datatype.boolean(0.88)
      ? subCategories[story.kind.subCategory]
      : null,
    outcome: ending ? outcomes[ending.outcome] : null,
    outcomeNotes: ending ? writeSometimes('outcome notes', 0.7, [ending.notes], 'outcomes') : null,
    competitor: story.namesCompetitor ? competitor : null,
    type: types[story.kind.type],
  }
}

const isAutomaticSource = (source: string): boolean =>
  source === 'usage' || source === 'crm' || source === 'survey'

function choosePeople(
  account: Account,
  { kind: { category } }: Story,
  key: RecordKey,
): { readonly owner: Row<'members'>; readonly editor: Row<'members'> } {
  const isCommercial = category === 'renewal' || category === 'expansion' || category === 'billing'
  const owner = isCommercial ? account.seller : account.owner
  const others = account.team.length > 0 ? account.team : [owner]
  const faker = key.faker('people')
  return { owner, editor: faker.datatype.boolean(0.7) ? owner : faker.helpers.arrayElement(others) }
}

const namesCustomer = (text: string): boolean => /\{\{(?:customer|contact|title|other|leaver)\}\}/.test(text)

const people: ReadonlySet<string> = new Set(['contact', 'other', 'leaver'])

const namesPeople = (text: string): boolean => listSlots(text).some((slot) => people.has(slot))

/** Chooses why a signal was dismissed; "wrong customer" only if the summary need not name the customer. */
function chooseDismissalReason(
  fields: Partial<Signal>,
  { summaries }: Story,
  { account, key, isTrue }: { readonly account: Account; readonly key: RecordKey; readonly isTrue: boolean },
): Signal['dismissalReason'] {
  const fitting = summaries.filter((text) => fitsSize(text, account.customer.employeeCount))
  const reasons = dismissalReasons.filter(({ name }) => {
    // Only signals that repeat another one are duplicates.
    if (name === 'Duplicate') return false
    if (isTrue) return name === 'Known already'
    return name !== 'Wrong customer' || !fitting.every(namesCustomer)
  })
  return fields.dismissalReason ?? key.faker('dismissal').helpers.arrayElement(reasons)
}

/** Generates the name of a former employee: none of the contacts, who come to later meetings. */
const generateLeaver = ({ customer, contacts }: Account, key: RecordKey): string =>
  formatName(
    generateOther(key.faker('leaver', findLocale(customer.country)), (name) =>
      contacts.some(({ person }) => person.firstName === name || person.lastName === name),
    ),
  )
