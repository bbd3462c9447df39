import type { Row } from '../../src/store/tables.ts'
import { toLocalTime } from '../calendar/calendar.ts'
import { HOUR } from '../calendar/time.ts'
import type { Account } from '../customers/account.ts'
import { findPeriod } from '../customers/history.ts'
import type { RowContext, Tenant } from '../dataset/tenant.ts'
import { RecordKey } from '../random/record-key.ts'
import { fitsSize } from '../texts/company-size.ts'
import { fillTemplate } from '../texts/templates.ts'
import { generateCourse } from './signal-course.ts'
import { type SignalFacts, generateFacts } from './signal-facts.ts'
import {
  REPETITION,
  chooseRepeated,
  chooseStoryAndTime,
  categories,
  competitors,
  dismissalReasons,
  findSettlement,
  hasComeTrue,
  listEndings,
  repetitions,
  subCategories,
  types,
  type Story,
} from './signal-stories.ts'
import { namesCustomer, writeTexts } from './signal-texts.ts'

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
  const isAutomatic = source === 'usage' || source === 'crm' || source === 'survey'
  const move = (timeMs: number): number =>
    isAutomatic && !fields.createdDate ? moveAutomatic(timeMs, source, context, original) : timeMs
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
  const isTrue = hasComeTrue(story, subject, createdMs)
  const chooseReason = () =>
    repeated ? dismissalReasons.duplicate : chooseDismissalReason(fields, story, { account, key, isTrue })
  const dismissalReason = course.status === 'dismissed' ? chooseReason() : null
  const family = account.catalog.ordinal === 0 ? competitors.analytics : competitors.contracts
  const competitor = fields.competitor ?? original.faker('competitor').helpers.arrayElement(family)
  const factsMs = repeated ? move(repeated.originalMs) : createdMs
  const facts = generateFacts(subject, factsMs, competitor.name, { ...context, key: original })
  const texts = writeTexts({
    story,
    facts,
    employees: account.customer.employeeCount,
    key,
    original,
    isDraft: course.isDraft,
    dismissal: dismissalReason?.name,
    endings: course.status === 'closed' ? listEndings(story, subject, createdMs) : [],
    isGenerated: fields.summary === undefined,
  })
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    productId: subject.product.row.id,
    status: course.status,
    source,
    summary: repeated ? repeatSummary(texts.summary, facts, key) : texts.summary,
    severity,
    severityExplanation: texts.severityExplanation,
    createdById: author.id,
    updatedById: people.editor.id,
    ownerId: people.owner.id,
    latestNote: texts.latestNote,
    isDraft: course.isDraft,
    isPrimary: key.faker('primary').datatype.boolean(0.35),
    createdDate: course.createdDate,
    raisedDate: course.raisedDate,
    closedDate: course.closedDate,
    updatedDate: course.updatedDate,
    opportunity: texts.opportunity,
    category: categories[story.kind.category],
    dismissalReason,
    subCategory: key.faker('subcategory').datatype.boolean(0.88)
      ? subCategories[story.kind.subCategory]
      : null,
    outcome: texts.outcome,
    outcomeNotes: texts.outcomeNotes,
    competitor: story.namesCompetitor ? competitor : null,
    type: types[story.kind.type],
  }
}

/**
 * Moves an automatic signal to any hour of the days before, a survey to one at which customers are awake, after the
 * contract that it is about has begun.
 */
function moveAutomatic(
  timeMs: number,
  source: string,
  { account, tenant }: RowContext,
  original: RecordKey,
): number {
  const { fromMs } = findPeriod(account.customer, tenant.nowMs, tenant.seed)
  const begun = account.products.map(({ startMs }) => startMs).filter((startMs) => startMs <= timeMs)
  const earliestMs = Math.min(timeMs, Math.max(fromMs, ...begun))
  const faker = original.faker('hour')
  let movedMs = timeMs
  for (let tries = 0; tries < 12; tries += 1) {
    movedMs = Math.max(earliestMs, timeMs - faker.number.int({ max: 64 * HOUR }))
    const hour = new Date(toLocalTime(movedMs, account.customer.timezone)).getUTCHours()
    if (source !== 'survey' || (hour >= 7 && hour < 22)) break
  }
  return movedMs
}

const repeatSummary = (summary: string, { day }: SignalFacts, key: RecordKey): string =>
  fillTemplate(key.faker('repetition text').helpers.arrayElement(repetitions), { summary, day })

function choosePeople(account: Account, { kind: { category } }: Story, key: RecordKey) {
  const isCommercial = category === 'renewal' || category === 'expansion' || category === 'billing'
  const owner = isCommercial ? account.seller : account.owner
  const others = account.team.length > 0 ? account.team : [owner]
  const faker = key.faker('people')
  return { owner, editor: faker.datatype.boolean(0.7) ? owner : faker.helpers.arrayElement(others) }
}

/** Chooses why a signal was dismissed; "wrong customer" only if the summary need not name the customer. */
function chooseDismissalReason(
  fields: Partial<Signal>,
  { summaries }: Story,
  { account, key, isTrue }: { readonly account: Account; readonly key: RecordKey; readonly isTrue: boolean },
): Signal['dismissalReason'] {
  const fitting = summaries.filter((text) => fitsSize(text, account.customer.employeeCount))
  const reasons = Object.values(dismissalReasons).filter(({ name }) => {
    // Only signals that repeat another one are duplicates.
    if (name === 'Duplicate') return false
    if (isTrue) return name === 'Known already'
    return name !== 'Wrong customer' || !fitting.every(namesCustomer)
  })
  return fields.dismissalReason ?? key.faker('dismissal').helpers.arrayElement(reasons)
}
