import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../src/store/tables.ts'
import { type Account, dealFrom } from './account.ts'
import { mostlySmall } from './fakers.ts'
import { getSlot } from './ids.ts'
import { afterthoughts, type NoteFacts, notePhrases, outsiderPhrases } from './note-phrases.ts'
import { RecordKey } from './record-key.ts'
import { money, formatMonth } from './signal-facts.ts'
import type { Tenant } from './tenant.ts'
import { DAY, HOUR, instant, parseTime } from './time.ts'

type Note = Row<'notes'>

/** Generates a note by a member on a customer, with content that fits its category. */
export function generateNote(id: number, given: Partial<Note>, tenant: Tenant): Note {
  const account = tenant.accountFor(id, given.customerId)
  const key = new RecordKey(tenant.seed, 'notes', id)
  const outsider = outsiderPhrases[account.stage]
  const category = chooseCategory(given.categoryId, account, key.faker('category'))
  const ageMs = key.faker('age').number.float({ min: HOUR, max: 330 * DAY, distributor: mostlySmall })
  const latestMs = given.updatedDate ? parseTime(given.updatedDate) : tenant.nowMs
  const createdMs = given.createdDate
    ? parseTime(given.createdDate)
    : Math.min(tenant.nowMs - Math.floor(ageMs), latestMs)
  const changed = key.faker('changed')
  const laterMs = changed.datatype.boolean(0.25)
    ? Math.floor(
        Math.max(0, tenant.nowMs - createdMs) *
          changed.number.float({ min: 0, max: 0.6, distributor: mostlySmall }),
      )
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
      generateFacts(account, createdMs, key.faker('facts')),
      key.faker('afterthought'),
    ),
    createdById: key.faker('author').helpers.arrayElement(authors).id,
    createdDate: instant(createdMs),
    updatedDate: instant(createdMs + laterMs),
  }
}

function generateContent(
  phrase: ((facts: NoteFacts) => string) | undefined,
  facts: NoteFacts,
  faker: SimpleFaker,
): string {
  const content = phrase?.(facts) ?? 'Nothing to add.'
  return faker.datatype.boolean(0.45)
    ? `${content} ${faker.helpers.arrayElement(afterthoughts)(facts)}`
    : content
}

/** Chooses a category; old notes may have one that is no longer in use. */
function chooseCategory(
  given: number | undefined,
  { catalog, stage }: Account,
  faker: SimpleFaker,
): Row<'noteCategories'> | undefined {
  const named = catalog.noteCategories.find((category) => category.id === given)
  const fit = outsiderPhrases[stage] ? catalog.noteCategories.slice(0, 2) : catalog.noteCategories
  const weights = fit.map((category) => ({ weight: category.isActive ? 10 : 2, value: category }))
  return named ?? (weights.length > 0 ? faker.helpers.weightedArrayElement(weights) : undefined)
}

function generateFacts(account: Account, createdMs: number, faker: SimpleFaker): NoteFacts {
  const contact = faker.helpers.arrayElement(account.contacts)
  const other = account.contacts.find((candidate) => candidate !== contact) ?? contact
  const pool = [account.used, account.products, account.others, account.catalog.products].find(
    (list) => list.length > 0,
  )
  const product = pool ? faker.helpers.arrayElement(pool) : undefined
  const total = account.products.reduce((sum, { entry }) => sum + entry.arr, 0)
  return {
    customer: account.name,
    contact: contact.name,
    title: contact.title,
    other: other.name,
    product: product?.row.name ?? 'the platform',
    users: product?.plan.users ?? 'users',
    wish: faker.helpers.arrayElement(product?.plan.wishes ?? ['better exports']),
    total: total > 0 ? money(total) : 'nothing yet',
    percent: faker.number.int({ min: 12, max: 88 }),
    weeks: faker.number.int({ min: 2, max: 8 }),
    month: formatMonth(createdMs + faker.number.int({ min: 20, max: 90 }) * DAY),
  }
}
