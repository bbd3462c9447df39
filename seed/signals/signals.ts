import { invalidRequest } from '../../src/core/errors.ts'
import type { Row } from '../../src/store/tables.ts'
import type { Account } from '../customers/account.ts'
import { findPeriod } from '../customers/history.ts'
import { getSlot } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { findLocale, generatePerson } from '../people/people.ts'
import { RecordKey } from '../random/record-key.ts'
import { formatName } from '../texts/format.ts'
import type { Story } from '../texts/signals.schema.ts'
import { fillTemplate } from '../texts/templates.ts'
import { chooseCreation, generateCourse, moveToAnyHour } from './signal-course.ts'
import { generateFacts } from './signal-facts.ts'
import {
  categories,
  dismissalReasons,
  getCompetitors,
  outcomes,
  subCategories,
  types,
} from './signal-lookups.ts'
import {
  dismissalNotes,
  findSettlement,
  findSubject,
  fitsMoment,
  hasComeTrue,
  hasDetails,
  hasLookups,
  listEndings,
  listSubjects,
  rewindAccount,
  stories,
  type Moment,
  type Subject,
} from './signal-stories.ts'

type Signal = Row<'signals'>

/** Generates a signal whose texts, severity, lookups and dates all follow one story. */
export function generateSignal(id: number, fields: Partial<Signal>, tenant: Tenant): Signal {
  const { seed, nowMs } = tenant
  const account = tenant.findAccount(id, fields.customerId)
  const key = new RecordKey(seed, 'signals', id)
  const { moment, story, subject, author } = chooseStoryAndTime(id, fields, { account, key, tenant })
  const source = key.faker('source').helpers.arrayElement(story.sources)
  const isAutomatic = source === 'usage' || source === 'crm' || source === 'survey'
  const createdMs =
    isAutomatic && !fields.createdDate
      ? moveToAnyHour(moment.timeMs, findPeriod(account.customer, nowMs, seed).fromMs, key.faker('hour'))
      : moment.timeMs
  const people = choosePeople(account, story, key)
  const course = generateCourse(fields, {
    createdMs,
    nowMs,
    settlement: findSettlement(story, subject, createdMs, nowMs),
    isAutomatic,
    editor: people.editor,
    key,
  })
  const competitor =
    fields.competitor ?? key.faker('competitor').helpers.arrayElement(getCompetitors(account.catalog.ordinal))
  const dismissalReason =
    course.status === 'dismissed'
      ? chooseDismissalReason(fields, story, hasComeTrue(story, subject, createdMs), key)
      : null
  const isMisplaced = dismissalReason?.name === 'Wrong customer'
  const nameLeaver = () => generateLeaver(account, key)
  const facts = generateFacts(
    { account, timeMs: createdMs, subject, competitor: competitor.name, seed, nameLeaver },
    key.faker('facts'),
  )
  // A signal about another customer names neither this one nor its people.
  const write = (purpose: string, texts: readonly string[]): string | null => {
    const fitting = isMisplaced ? texts.filter((text) => !namesCustomer(text)) : texts
    return fitting.length > 0 ? fillTemplate(key.faker(purpose).helpers.arrayElement(fitting), facts) : null
  }
  // A given summary may not fit the story, so that no other texts are generated.
  const writeSometimes = (purpose: string, likelihood: number, texts: readonly string[]): string | null =>
    fields.summary === undefined && key.faker(purpose).datatype.boolean(likelihood)
      ? write(`${purpose} text`, texts)
      : null
  const endings = listEndings(story, subject, createdMs)
  const hasOutcome =
    course.status === 'closed' &&
    fields.summary === undefined &&
    endings.length > 0 &&
    key.faker('outcome').datatype.boolean(0.9)
  const ending = hasOutcome ? key.faker('ending').helpers.arrayElement(endings) : undefined
  const notes = dismissalReason ? (dismissalNotes[dismissalReason.name] ?? story.notes) : story.notes
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    productId: subject.product.row.id,
    status: course.status,
    source,
    summary: write('summary', story.summaries) ?? fillTemplate(story.summaries[0] ?? '', facts),
    severity: key.faker('severity').number.int(story.severity),
    severityExplanation: writeSometimes('explanation', 0.86, story.explanations),
    createdById: author.id,
    updatedById: people.editor.id,
    ownerId: people.owner.id,
    latestNote: writeSometimes('note', course.isDraft ? 0.15 : 0.65, notes),
    isDraft: course.isDraft,
    isPrimary: key.faker('primary').datatype.boolean(0.35),
    createdDate: course.createdDate,
    raisedDate: course.raisedDate,
    closedDate: course.closedDate,
    updatedDate: course.updatedDate,
    opportunity: writeSometimes('opportunity', 1, story.opportunity ?? []),
    category: categories[story.category],
    dismissalReason,
    subCategory: key.faker('subcategory').datatype.boolean(0.88) ? subCategories[story.subCategory] : null,
    outcome: ending ? outcomes[ending.outcome] : null,
    outcomeNotes: ending ? writeSometimes('outcome notes', 0.7, [ending.notes]) : null,
    competitor: story.namesCompetitor ? competitor : null,
    type: types[story.type],
  }
}

interface SignalContext {
  readonly account: Account
  readonly key: RecordKey
  readonly tenant: Tenant
}

interface StoryChoice {
  readonly moment: Moment
  readonly story: Story
  readonly subject: Subject
  readonly author: Row<'members'>
}

const ATTEMPTS = 6

function chooseStoryAndTime(id: number, fields: Partial<Signal>, context: SignalContext): StoryChoice {
  const { account, key, tenant } = context
  const author = chooseAuthor(fields, context)
  const period = findPeriod(account.customer, tenant.nowMs, tenant.seed)
  let moment: Moment | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const timeMs = chooseCreation(
      fields,
      { period, nowMs: tenant.nowMs, author },
      key.faker(`created ${attempt}`),
    )
    moment = rewindAccount(account, timeMs, tenant.seed)
    const choice = chooseStory(id, fields, moment, context)
    if (choice) return { moment, author, ...choice }
  }
  const story = stories.find((candidate) => hasLookups(candidate, fields)) ?? stories[0]
  const product =
    account.catalog.products.find(({ row }) => row.id === fields.productId) ?? account.catalog.products[0]
  if (moment && story && product) return { moment, author, story, subject: findSubject(product, moment) }
  throw invalidRequest([{ in: 'body', name: 'productId', message: 'there is no product' }])
}

function chooseAuthor(fields: Partial<Signal>, { account, key, tenant }: SignalContext): Row<'members'> {
  const { owner, seller, team } = account
  const named = fields.createdById === undefined ? undefined : tenant.data.get('members', fields.createdById)
  return named ?? key.faker('author').helpers.arrayElement([owner, owner, seller, ...team])
}

const storiesByAccount = new WeakMap<Account, readonly Story[]>()

function shuffleStories(account: Account, seed: number): readonly Story[] {
  const cached = storiesByAccount.get(account)
  if (cached) return cached
  const key = new RecordKey(seed, 'signal stories', account.customer.id)
  const shuffled = key.faker('order').helpers.shuffle(stories)
  storiesByAccount.set(account, shuffled)
  return shuffled
}

/** Chooses a story that fits the customer at a time and the given fields: a different one for each of its signals. */
function chooseStory(
  id: number,
  fields: Partial<Signal>,
  moment: Moment,
  { account, key, tenant }: SignalContext,
): Pick<StoryChoice, 'story' | 'subject'> | undefined {
  const products = account.catalog.products.filter(
    ({ row }) => fields.productId === undefined || row.id === fields.productId,
  )
  const subjects = products.map((product) => findSubject(product, moment))
  const options = shuffleStories(account, tenant.seed).filter(
    (story) => hasLookups(story, fields) && fitsMoment(story, moment, subjects),
  )
  const detailed = options.filter((story) => hasDetails(story, fields))
  const best = detailed.length > 0 ? detailed : options
  const story = best[(getSlot(id) - 1) % best.length]
  return (
    story && {
      story,
      subject: key.faker('product').helpers.arrayElement(listSubjects(story, moment, subjects)),
    }
  )
}

function choosePeople(
  account: Account,
  { category }: Story,
  key: RecordKey,
): { readonly owner: Row<'members'>; readonly editor: Row<'members'> } {
  const isCommercial = category === 'renewal' || category === 'expansion' || category === 'billing'
  const owner = isCommercial ? account.seller : account.owner
  const others = account.team.length > 0 ? account.team : [owner]
  const faker = key.faker('people')
  return { owner, editor: faker.datatype.boolean(0.7) ? owner : faker.helpers.arrayElement(others) }
}

const namesCustomer = (text: string): boolean => /\{\{(?:customer|contact|title|other|leaver)\}\}/.test(text)

/** Chooses why a signal was dismissed; "wrong customer" only if the summary need not name the customer. */
function chooseDismissalReason(
  fields: Partial<Signal>,
  { summaries }: Story,
  isTrue: boolean,
  key: RecordKey,
): Signal['dismissalReason'] {
  const reasons = dismissalReasons.filter(({ name }) => {
    if (isTrue) return name === 'Duplicate' || name === 'Known already'
    return name !== 'Wrong customer' || !summaries.every(namesCustomer)
  })
  return fields.dismissalReason ?? key.faker('dismissal').helpers.arrayElement(reasons)
}

/** Generates the name of a former employee: none of the contacts, who come to later meetings. */
function generateLeaver({ customer, contacts }: Account, key: RecordKey): string {
  const faker = key.faker('leaver', findLocale(customer.country))
  const isContact = (name: string) =>
    contacts.some(({ person }) => person.firstName === name || person.lastName === name)
  let leaver = generatePerson(faker)
  for (let tries = 0; tries < 20 && (isContact(leaver.firstName) || isContact(leaver.lastName)); tries += 1)
    leaver = generatePerson(faker)
  return formatName(leaver)
}
