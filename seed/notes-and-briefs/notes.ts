import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { chooseWorkingTime, previousWorkingTime, type Workplace } from '../calendar/calendar.ts'
import { DAY, MINUTE, formatInstant } from '../calendar/time.ts'
import { hasContract, pickForSlot, type Account, type AccountProduct } from '../customers/account.ts'
import { RENEWAL_DAYS, findPeriod, rewindCustomer } from '../customers/history.ts'
import { SIGNED, getStage, hasSigned } from '../customers/stages.ts'
import { getSlot } from '../dataset/ids.ts'
import type { RowContext, Tenant } from '../dataset/tenant.ts'
import { usualPlan } from '../definitions/product-plans.ts'
import { findWorkplace } from '../people/offices.ts'
import { RecordKey, mostlySmall } from '../random/record-key.ts'
import { fitsSize, keepFitting } from '../texts/company-size.ts'
import { formatDay, formatMoney, formatMonth, formatName, weekdays } from '../texts/format.ts'
import texts from '../texts/notes.json' with { type: 'json' }
import { canFill, fillTemplate, type Slot } from '../texts/templates.ts'

type Note = Row<'notes'>
type Situation = 'customer' | 'onboarding' | 'prospect' | 'churned'

const textsBySituation: Readonly<Record<Situation, Readonly<Record<string, readonly string[]>>>> = texts

export function generateNote(id: number, fields: Partial<Note>, tenant: Tenant): Note {
  const account = tenant.findAccount(id, fields.customerId)
  const key = new RecordKey(tenant.seed, 'notes', id)
  const context = { account, key, tenant }
  const author = findAuthor(fields, context)
  const workplace = findWorkplace(author)
  const createdMs = fields.createdDate
    ? Date.parse(fields.createdDate)
    : chooseCreation(id, fields, workplace, context)
  const moment = readMoment(account, createdMs, tenant)
  const category = chooseCategory(fields.categoryId, moment, tenant, key.faker('category'))
  const name = category?.name ?? ''
  const facts = generateFacts(moment, name, author, tenant, key.faker('facts'))
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    categoryId: category?.id ?? 1,
    content: generateContent(getSlot(id), name, moment, facts, key),
    createdById: author.id,
    createdDate: formatInstant(createdMs),
    updatedDate: formatInstant(chooseUpdate(createdMs, workplace, context)),
  }
}

function findAuthor({ createdById }: Partial<Note>, { account, key, tenant }: RowContext): Row<'members'> {
  const named = createdById === undefined ? undefined : tenant.data.get('members', createdById)
  return (
    named ??
    key.faker('author').helpers.arrayElement(account.team.length > 0 ? account.team : [account.owner])
  )
}

function chooseCreation(
  id: number,
  { updatedDate }: Partial<Note>,
  workplace: Workplace,
  { account, key, tenant }: RowContext,
): number {
  const latestMs = updatedDate ? Date.parse(updatedDate) : tenant.nowMs
  const { fromMs, toMs } = findPeriod(account.customer, tenant.nowMs, tenant.seed)
  const faker = key.faker('created')
  const minuteMs = chooseWorkingTime(faker, {
    fromMs: Math.min(fromMs, latestMs - 14 * DAY),
    toMs: Math.min(toMs, latestMs),
    workplace,
    part: account.spread(getSlot(id) + 0.67),
  })
  return Math.min(latestMs, minuteMs + faker.number.int({ min: 0, max: MINUTE - 1 }))
}

function chooseUpdate(createdMs: number, workplace: Workplace, { key, tenant }: RowContext): number {
  const faker = key.faker('changed')
  if (!faker.datatype.boolean(0.25)) return createdMs
  const distance = faker.datatype.boolean(0.8)
    ? faker.number.int({ min: 1, max: 50 }) * MINUTE
    : Math.round(faker.number.float({ min: 1, max: 30, distributor: mostlySmall }) * DAY)
  const latestMs = Math.max(createdMs, tenant.nowMs)
  return previousWorkingTime(Math.min(createdMs + distance, latestMs), workplace, createdMs)
}

type Moment = ReturnType<typeof readMoment>

const ONBOARDING_DAYS = 75

function readMoment(account: Account, timeMs: number, { seed }: Tenant) {
  const customer = rewindCustomer(account.customer, timeMs, seed)
  const isSigned = customer.products.length === 0 && hasSigned(customer, timeMs)
  const bought = account.products.filter(({ startMs }) => startMs <= (isSigned ? timeMs + SIGNED : timeMs))
  const owned = bought.filter((product) => hasContract(product, timeMs))
  const lists = [owned, bought, account.products, account.others, account.catalog.products]
  return {
    account,
    timeMs,
    customer,
    situation: findSituation(customer, bought, timeMs),
    /** The products that a note can be about, each with its entry of that time, if it was bought by then. */
    products: (lists.find((list) => list.length > 0) ?? []).map(({ row, plan }) => ({
      row,
      plan,
      entry: customer.products.find(({ key }) => key === row.key),
    })),
  }
}

function findSituation(
  customer: Row<'customers'>,
  bought: readonly AccountProduct[],
  timeMs: number,
): Situation {
  const stage = getStage(customer)
  if (stage === 'churned' || (stage === 'prospect' && bought.length === 0)) return stage
  const startMs = Math.min(...bought.map((product) => product.startMs))
  const isNew = stage === 'onboarding' || timeMs < startMs + ONBOARDING_DAYS * DAY
  return isNew ? 'onboarding' : 'customer'
}

const listRenewing = ({ products, timeMs }: Moment): Moment['products'] =>
  products.filter(({ entry }) => {
    const renewalMs = entry && entry.status !== 'churned' ? Date.parse(entry.renewalDate) : 0
    return renewalMs > timeMs && renewalMs < timeMs + RENEWAL_DAYS * DAY
  })

const RETIRED_CATEGORY = 400 * DAY

function chooseCategory(
  fields: number | undefined,
  moment: Moment,
  { nowMs }: Tenant,
  faker: SimpleFaker,
): Row<'noteCategories'> | undefined {
  const categories = moment.account.catalog.noteCategories
  const named = categories.find(({ id }) => id === fields)
  if (named) return named
  const suited = categories.filter(({ name, isActive }) => {
    if (!textsBySituation[moment.situation][name]) return false
    if (name === 'Renewal') return listRenewing(moment).length > 0
    return isActive || moment.timeMs < nowMs - RETIRED_CATEGORY
  })
  const choices = [suited, categories].find((list) => list.length > 0)
  // A category with more texts is chosen more often, so that all texts are equally frequent.
  const weights = choices?.map((category) => ({
    weight: textsBySituation[moment.situation][category.name]?.length ?? 1,
    value: category,
  }))
  return weights && faker.helpers.weightedArrayElement(weights)
}

/** The slots of a note; texts that need an undefined one are not used. */
type NoteFacts = Readonly<Record<Slot<'notes'>, string | number | undefined>>

function generateFacts(
  moment: Moment,
  category: string,
  author: Row<'members'>,
  tenant: Tenant,
  faker: SimpleFaker,
): NoteFacts {
  const { account, customer, timeMs } = moment
  const contact = faker.helpers.arrayElement(account.contacts)
  const others = account.contacts.filter((candidate) => candidate !== contact)
  const other = others.length > 0 ? faker.helpers.arrayElement(others) : contact
  const renewing = category === 'Renewal' ? listRenewing(moment) : []
  const products = renewing.length > 0 ? renewing : moment.products
  const product = products.length > 0 ? faker.helpers.arrayElement(products) : undefined
  const entry = product?.entry
  const plan = product?.plan ?? usualPlan
  const total = customer.products.reduce((sum, { arr }) => sum + arr, 0)
  return {
    customer: account.name,
    city: customer.city,
    contact: contact.name,
    contactFirst: contact.person.firstName,
    title: contact.title,
    other: other.name,
    otherFirst: other.person.firstName,
    colleague: findColleague(account, author, tenant, faker),
    product: plan.name,
    users: plan.users,
    purpose: plan.purpose,
    activity: plan.activity,
    wish: faker.helpers.arrayElement(keepFitting(plan.wishes, customer.employeeCount)),
    trouble: faker.helpers.arrayElement(keepFitting(plan.troubles, customer.employeeCount)),
    price: entry && entry.arr > 0 ? formatMoney(entry.arr) : undefined,
    renewal:
      entry && Date.parse(entry.renewalDate) > timeMs ? formatDay(Date.parse(entry.renewalDate)) : undefined,
    total: total > 0 ? formatMoney(total) : undefined,
    percent: faker.number.int({ min: 30, max: 85, multipleOf: 5 }),
    discount: faker.number.int({ min: 5, max: 15 }),
    uplift: faker.number.int({ min: 3, max: 8 }),
    score: faker.number.int({ min: 5, max: 8 }),
    count: faker.number.int({
      min: 2,
      max: Math.max(2, Math.min(40, Math.floor(customer.employeeCount / 8))),
    }),
    weeks: faker.number.int({ min: 2, max: 8 }),
    weekday: faker.helpers.arrayElement(weekdays),
    month: formatMonth(timeMs + faker.number.int({ min: 32, max: 90 }) * DAY),
    lastMonth: formatMonth(timeMs - 31 * DAY),
  }
}

function findColleague(
  { team }: Account,
  author: Row<'members'>,
  { data }: Tenant,
  faker: SimpleFaker,
): string | undefined {
  const others = team.filter(({ id }) => id !== author.id)
  const manager = author.managerId === author.id ? undefined : data.get('members', author.managerId)
  const colleague = others.length > 0 ? faker.helpers.arrayElement(others) : manager
  return colleague && formatName(colleague)
}

const conversations: ReadonlySet<string> = new Set(['Call', 'Renewal', 'Success plan', 'Feedback'])

function generateContent(
  slot: number,
  category: string,
  { account, situation }: Moment,
  facts: NoteFacts,
  key: RecordKey,
): string {
  const { employeeCount } = account.customer
  const keepPossible = (list: readonly string[]) =>
    list.filter((text) => canFill(text, facts) && fitsSize(text, employeeCount))
  const bySituation = textsBySituation[situation]
  const contents = keepPossible(bySituation[category] ?? bySituation['Internal'] ?? [])
  const content = pickForSlot(account, contents, slot - 1) ?? 'No news from {{customer}}.'
  const faker = key.faker('afterthought')
  const hasMore = conversations.has(category) && situation !== 'churned' && faker.datatype.boolean(0.22)
  const afterthought = hasMore ? faker.helpers.arrayElement(keepPossible(texts.afterthoughts)) : ''
  return fillTemplate(`${content} ${afterthought}`.trim(), facts)
}
