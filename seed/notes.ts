import type { Row } from '../src/store/tables.ts'
import { type Account, dealFrom } from './account.ts'
import { getSlot } from './ids.ts'
import { afterthoughts, type NoteFacts, notePhrases, outsiderPhrases } from './note-phrases.ts'
import { type Random, recordKey } from './random.ts'
import { money, formatMonth } from './signal-facts.ts'
import type { Tenant } from './tenant.ts'
import { DAY, HOUR, instant, parseTime } from './time.ts'

type Note = Row<'notes'>

/** Generates a note by a member on a customer, with content that fits its category. */
export function generateNote(id: number, given: Partial<Note>, tenant: Tenant): Note {
  const account = tenant.accountFor(id, given.customerId)
  const key = recordKey(tenant.seed, 'notes', id)
  const outsider = outsiderPhrases[account.stage]
  const category = chooseCategory(given.categoryId, account, key.for('category'))
  const ageMs = key.for('age').skewed(HOUR, 330 * DAY)
  const latestMs = given.updatedDate ? parseTime(given.updatedDate) : tenant.nowMs
  const createdMs = given.createdDate
    ? parseTime(given.createdDate)
    : Math.min(tenant.nowMs - Math.floor(ageMs), latestMs)
  const changed = key.for('changed')
  const laterMs = changed.chance(0.25)
    ? Math.floor(Math.max(0, tenant.nowMs - createdMs) * changed.skewed(0, 0.6))
    : 0
  const authors = account.team.length > 0 ? account.team : [account.owner]
  const phrases = outsider ?? notePhrases[category?.name ?? ''] ?? notePhrases['Internal'] ?? []
  const phrase = dealFrom(account, phrases, getSlot(id) - 1)
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    categoryId: category?.id ?? 1,
    content: generateContent(
      phrase,
      generateFacts(account, createdMs, key.for('facts')),
      key.for('afterthought'),
    ),
    createdById: key.for('author').pick(authors).id,
    createdDate: instant(createdMs),
    updatedDate: instant(createdMs + laterMs),
  }
}

function generateContent(
  phrase: ((facts: NoteFacts) => string) | undefined,
  facts: NoteFacts,
  random: Random,
): string {
  const content = phrase?.(facts) ?? 'Nothing to add.'
  return random.chance(0.45) ? `${content} ${random.pick(afterthoughts)(facts)}` : content
}

/** Chooses a category; old notes may have one that is no longer in use. */
function chooseCategory(
  given: number | undefined,
  { catalog, stage }: Account,
  random: Random,
): Row<'noteCategories'> | undefined {
  const named = catalog.noteCategories.find((category) => category.id === given)
  const fit = outsiderPhrases[stage] ? catalog.noteCategories.slice(0, 2) : catalog.noteCategories
  const weights = fit.map((category) => [category, category.isActive ? 10 : 2] as const)
  return named ?? (weights.length > 0 ? random.weighted(weights) : undefined)
}

function generateFacts(account: Account, createdMs: number, random: Random): NoteFacts {
  const contact = random.pick(account.contacts)
  const other = account.contacts.find((candidate) => candidate !== contact) ?? contact
  const pool = [account.used, account.products, account.others, account.catalog.products].find(
    (list) => list.length > 0,
  )
  const product = pool ? random.pick(pool) : undefined
  const total = account.products.reduce((sum, { entry }) => sum + entry.arr, 0)
  return {
    customer: account.name,
    contact: contact.name,
    title: contact.title,
    other: other.name,
    product: product?.row.name ?? 'the platform',
    users: product?.plan.users ?? 'users',
    wish: random.pick(product?.plan.wishes ?? ['better exports']),
    total: total > 0 ? money(total) : 'nothing yet',
    percent: random.int(12, 88),
    weeks: random.int(2, 8),
    month: formatMonth(createdMs + random.int(20, 90) * DAY),
  }
}
