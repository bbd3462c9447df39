import { invalidField } from '../../src/core/errors.ts'
import type { Row } from '../../src/store/tables.ts'
import { type Period, chooseWorkingTime } from '../calendar/calendar.ts'
import { DAY, HOUR } from '../calendar/time.ts'
import { hasContract, type Account, type AccountProduct } from '../customers/account.ts'
import { rewindCustomer, findPeriod } from '../customers/history.ts'
import { SIGNED, getStage, type Stage } from '../customers/stages.ts'
import { getSlot } from '../dataset/ids.ts'
import type { RowContext } from '../dataset/tenant.ts'
import type { CatalogProduct } from '../definitions/catalog.ts'
import { findWorkplace } from '../people/offices.ts'
import { RecordKey } from '../random/record-key.ts'
import { fitsSize } from '../texts/company-size.ts'
import texts from '../texts/signals.json' with { type: 'json' }
import { createAgreement } from '../texts/templates.ts'
import { chooseCreation } from './signal-course.ts'

type Signal = Row<'signals'>

/** The ids of optional lookups start at 2; 1 is the entry for "none". */
export const { categories, types, subCategories, outcomes, dismissalReasons, competitors } = texts.lookups

type StoryText = (typeof texts.stories)[number]

export interface Story extends Omit<StoryText, 'kind' | 'when'> {
  readonly kind: {
    readonly category: keyof typeof categories
    readonly type: keyof typeof types
    readonly subCategory: keyof typeof subCategories
    /**
     * The product: in use, being rolled out, just rolled out, soon to renew, soon to end, given up lately, or not bought
     * yet.
     */
    readonly about: 'used' | 'onboarding' | 'launched' | 'renewing' | 'ending' | 'left' | 'other'
  }
  readonly when: Omit<StoryText['when'], 'stages'> & { readonly stages: readonly Stage[] }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `test/guards/texts.test.ts` checks the file
const stories = texts.stories as readonly Story[]

type Moment = ReturnType<typeof rewindAccount>

function rewindAccount(account: Account, timeMs: number, seed: number) {
  const customer = rewindCustomer(account.customer, timeMs, seed)
  const stage = getStage(customer)
  const returns = stage === 'churned' && account.products.some(({ startMs }) => startMs > timeMs)
  // A customer that had left and came back later is a prospect in between.
  return { account, timeMs, customer, stage: returns ? ('prospect' as const) : stage }
}

export type Subject = ReturnType<typeof findSubject>

function findSubject(product: CatalogProduct, { account, customer }: Moment) {
  const contract = account.products.find(({ row }) => row.id === product.row.id)
  const entry = customer.products.find(({ key }) => key === product.row.key)
  // The end of the contract that ran at the time.
  const renewalMs = entry && Date.parse(entry.renewalDate)
  return { product, contract, entry, renewalMs }
}

const fitsMoment = (story: Story, moment: Moment, subjects: readonly Subject[]): boolean =>
  story.when.stages.includes(moment.stage) &&
  !isSigned(moment) &&
  moment.customer.employeeCount >= (story.when.minEmployees ?? 0) &&
  story.summaries.some((text) => fitsSize(text, moment.customer.employeeCount)) &&
  subjects.some((subject) => isAbout(story, subject, moment.timeMs))

/** Lists the products that a story can be about; for a prospect, those that it buys later. */
function listSubjects(story: Story, { stage, timeMs }: Moment, subjects: readonly Subject[]): Subject[] {
  const fitting = subjects.filter((subject) => isAbout(story, subject, timeMs))
  const bought = stage === 'prospect' ? fitting.filter(({ contract }) => contract) : []
  return bought.length > 0 ? bought : fitting
}

const isSigned = ({ stage, timeMs, account }: Moment): boolean =>
  stage === 'prospect' &&
  account.products.some(({ startMs }) => startMs > timeMs && startMs - timeMs <= SIGNED)

const FAREWELL_DAYS = 180
const SALE_DAYS = 150
const SILENT_DAYS = 60
const AFTERMATH_DAYS = 75

const countDays = (fromMs: number, toMs: number): number => (toMs - fromMs) / DAY

function isAbout(story: Story, { contract, entry, renewalMs }: Subject, timeMs: number): boolean {
  const { about, type, subCategory } = story.kind
  const { minDays = 0, levels } = story.when
  if (!contract) return about === 'other'
  if (about === 'other') {
    const left = countDays(timeMs, contract.startMs)
    return left * DAY > SIGNED && left < (subCategory === 'silence' ? SILENT_DAYS : SALE_DAYS)
  }
  if (!hasContract(contract, timeMs) || !entry || renewalMs === undefined) {
    const since = countDays(contract.renewalMs, timeMs)
    return about === 'left' && contract.startMs < timeMs && since >= minDays && since <= AFTERMATH_DAYS
  }
  const age = countDays(contract.startMs, timeMs)
  const left = countDays(timeMs, renewalMs)
  const isPleasant = type === 'opportunity' || type === 'milestone'
  if (age < minDays || (isPleasant && isEnding(contract, timeMs))) return false
  if (levels && !levels.some((level) => level === entry.engagement.level)) return false
  const isNew = contract.entry.status === 'onboarding'
  if (about === 'onboarding') return isNew || age < 100
  if (about === 'launched') return !isNew && age > 40 && age < 140
  if (about === 'renewing') return left > 9 && left < 120
  if (about === 'ending') return isEnding(contract, timeMs) && left > 7 && left < 90
  return about === 'used'
}

/** Reports whether a customer gives up a product within half a year of a time. Units: milliseconds since 1970. */
const isEnding = ({ entry, renewalMs }: AccountProduct, timeMs: number): boolean =>
  entry.status === 'churned' && renewalMs - timeMs < FAREWELL_DAYS * DAY

/** Finds when a signal ends, at the earliest and at the latest. */
export function findSettlement(story: Story, subject: Subject, createdMs: number, nowMs: number): Period {
  const { contract, renewalMs = Number.POSITIVE_INFINITY } = subject
  const [fromMs, never] = [createdMs, Number.POSITIVE_INFINITY]
  const { about, subCategory } = story.kind
  const restMs = subCategory === 'silence' ? createdMs + SILENT_DAYS * DAY : never
  if (!contract) return { fromMs, toMs: restMs }
  if (about === 'other')
    return { fromMs: Math.max(fromMs, contract.startMs + 7 * DAY), toMs: contract.startMs + 14 * DAY }
  if (about === 'left') {
    const isChance = subCategory === 'winBack'
    return { fromMs, toMs: isChance ? contract.renewalMs + 120 * DAY : Math.min(createdMs + 30 * DAY, nowMs) }
  }
  if (isEnding(contract, createdMs)) {
    return { fromMs: contract.renewalMs + 4 * DAY, toMs: Math.min(contract.renewalMs + 10 * DAY, nowMs) }
  }
  if (about === 'renewing') return { fromMs, toMs: renewalMs }
  const isLive = about === 'onboarding' && contract.entry.status !== 'onboarding'
  const leftMs = contract.entry.status === 'churned' ? contract.renewalMs : never
  return { fromMs, toMs: Math.min(leftMs, restMs, isLive ? contract.startMs + 150 * DAY : never) }
}

export const hasComeTrue = ({ kind: { about } }: Story, { contract }: Subject, createdMs: number): boolean =>
  contract !== undefined && (about === 'other' || about === 'left' || isEnding(contract, createdMs))

export interface Ending {
  readonly outcome: keyof typeof outcomes
  readonly notes: string
}

export function listEndings(story: Story, { contract }: Subject, timeMs: number): Ending[] {
  const { about } = story.kind
  return story.endings.map(readEnding).filter(({ outcome }) => {
    if (about === 'other') return (outcome === 'expanded') === (contract !== undefined)
    if (about === 'left' || about === 'ending') return true
    return (outcome === 'lost') === (contract !== undefined && isEnding(contract, timeMs))
  })
}

function readEnding(ending: string): Ending {
  const end = ending.indexOf(': ')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as for the stories
  return { outcome: ending.slice(0, end) as keyof typeof outcomes, notes: ending.slice(end + 2) }
}

const hasLookups = ({ kind: { category, type } }: Story, fields: Partial<Signal>): boolean =>
  (fields.category === undefined || categories[category].id === fields.category.id) &&
  (fields.type === undefined || types[type].id === fields.type.id)

const hasDetails = (story: Story, { source, subCategory, competitor }: Partial<Signal>): boolean =>
  (source === undefined || story.sources.some((name) => name === source)) &&
  (!subCategory || subCategories[story.kind.subCategory].id === subCategory.id) &&
  (!competitor || story.namesCompetitor === true)

export const { additions, repetitions } = texts

export const agrees = createAgreement(texts.contradictions)

export const dismissalNotes: Readonly<Record<string, readonly string[]>> = texts.dismissals

/** The times that are tried until one fits a story: near a renewal, in the slot's part of the period, and anywhere. */
const ATTEMPTS = { notice: 3, part: 4, all: 12 } as const

/** How often a signal repeats the one before, how much later at most, and when it is dismissed at the latest. */
export const REPETITION = { likelihood: 0.05, within: 6 * DAY, until: 7 * DAY } as const

export function chooseRepeated(id: number, fields: Partial<Signal>, { account, key, tenant }: RowContext) {
  const isRepeated = (of: RecordKey, slot: number): boolean =>
    slot > 1 && of.faker('repeated').datatype.boolean(REPETITION.likelihood)
  if (Object.keys(fields).length > 0 || !isRepeated(key, getSlot(id))) return undefined
  const originalKey = new RecordKey(tenant.seed, 'signals', id - 1)
  if (isRepeated(originalKey, getSlot(id - 1))) return undefined
  const original = chooseStoryAndTime(id - 1, fields, { account, key: originalKey, tenant })
  // The number of days to a renewal is out of date some days later.
  if (original.story.kind.about === 'renewing') return undefined
  const author = chooseAuthor(fields, { account, key, tenant })
  const timeMs = chooseWorkingTime(key.faker('repetition'), {
    fromMs: original.moment.timeMs + HOUR,
    toMs: original.moment.timeMs + REPETITION.within,
    workplace: findWorkplace(author),
  })
  if (timeMs <= original.moment.timeMs || timeMs > tenant.nowMs - REPETITION.until) return undefined
  return { ...original, moment: { ...original.moment, timeMs }, author, originalMs: original.moment.timeMs }
}

/** The days before a renewal in which somebody raises it, and those within which a renewal is near. */
const NOTICE = { first: 110 * DAY, last: 12 * DAY, near: 62 * DAY } as const

/** Finds the period in which the first signal of a customer must be about a renewal that is near; undefined without one. */
function findNotice(id: number, { account, tenant: { nowMs } }: RowContext): Period | undefined {
  if (getSlot(id) !== 1) return undefined
  const renewals = account.products.filter(
    ({ entry, renewalMs }) => entry.status === 'active' && renewalMs < nowMs + NOTICE.near,
  )
  const [renewalMs] = renewals.map((product) => product.renewalMs).toSorted((a, b) => a - b)
  if (renewalMs === undefined) return undefined
  return { fromMs: renewalMs - NOTICE.first, toMs: Math.min(nowMs - HOUR, renewalMs - NOTICE.last) }
}

export function chooseStoryAndTime(id: number, fields: Partial<Signal>, context: RowContext) {
  const { account, key, tenant } = context
  const author = chooseAuthor(fields, context)
  const period = findPeriod(account.customer, tenant.nowMs, tenant.seed)
  const notice = Object.keys(fields).length === 0 ? findNotice(id, context) : undefined
  // A given time is the same in each attempt.
  const attempts = fields.createdDate === undefined ? ATTEMPTS.all : 1
  let moment: Moment | undefined
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isNotice = notice !== undefined && attempt < ATTEMPTS.notice
    const timeMs = chooseCreation(
      fields,
      {
        ...(isNotice ? notice : period),
        nowMs: tenant.nowMs,
        author,
        part: isNotice || attempt >= ATTEMPTS.part ? undefined : account.spread(getSlot(id) + 0.33),
      },
      key.faker(`created ${attempt}`),
    )
    moment = rewindAccount(account, timeMs, tenant.seed)
    const choice = chooseStory(id, fields, moment, context, isNotice)
    if (choice) return { moment, author, ...choice }
  }
  const story = stories.find((candidate) => hasLookups(candidate, fields)) ?? stories[0]
  const product =
    account.catalog.products.find(({ row }) => row.id === fields.productId) ?? account.catalog.products[0]
  if (moment && story && product) return { moment, author, story, subject: findSubject(product, moment) }
  throw invalidField('productId', 'is required, because there is no product')
}

function chooseAuthor(fields: Partial<Signal>, { account, key, tenant }: RowContext): Row<'members'> {
  const { owner, seller, team } = account
  const named = fields.createdById === undefined ? undefined : tenant.data.get('members', fields.createdById)
  return named ?? key.faker('author').helpers.arrayElement([owner, owner, seller, ...team])
}

function chooseStory(
  id: number,
  fields: Partial<Signal>,
  moment: Moment,
  { account, key, tenant }: RowContext,
  isNotice = false,
) {
  const products = account.catalog.products.filter(
    ({ row }) => fields.productId === undefined || row.id === fields.productId,
  )
  const subjects = products.map((product) => findSubject(product, moment))
  const order = new RecordKey(tenant.seed, 'signal stories', account.customer.id).faker('order')
  const options = order.helpers
    .shuffle(stories)
    .filter(
      (story) =>
        hasLookups(story, fields) &&
        (!isNotice || story.kind.about === 'renewing') &&
        fitsMoment(story, moment, subjects),
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
