import { invalidRequest } from '../src/contract/errors.ts'
import type { Row } from '../src/store/tables.ts'
import { type Account, dealFrom } from './account.ts'
import type { CatalogProduct } from './catalog.ts'
import { getSlot } from './ids.ts'
import { RecordKey } from './record-key.ts'
import { generateCourse } from './signal-course.ts'
import { generateFacts } from './signal-facts.ts'
import {
  categories,
  getCompetitors,
  dismissalReasons,
  outcomes,
  subCategories,
  types,
} from './signal-lookups.ts'
import { marketStories } from './signal-stories-market.ts'
import { riskStories } from './signal-stories-risk.ts'
import type { Story } from './signal-story.ts'
import type { Tenant } from './tenant.ts'
import { DAY } from './time.ts'

type Signal = Row<'signals'>

const stories: readonly Story[] = [...riskStories, ...marketStories]

/** Generates a signal whose texts, severity, lookups and dates all follow one story. */
export function generateSignal(id: number, given: Partial<Signal>, tenant: Tenant): Signal {
  const account = tenant.accountFor(id, given.customerId)
  const key = new RecordKey(tenant.seed, 'signals', id)
  const course = generateCourse(given, key, tenant.nowMs)
  const { createdMs } = course
  const { story, product } = chooseStory(getSlot(id), given, { account, createdMs, key })
  const competitor =
    given.competitor ?? key.faker('competitor').helpers.arrayElement(getCompetitors(account.catalog.ordinal))
  const facts = generateFacts(
    { account, product, competitor: competitor.name, createdMs },
    key.faker('facts'),
  )
  const ending = key.faker('ending').helpers.arrayElement(story.endings)
  const isClosed = course.status === 'closed'
  /** A given summary tells its own story, so no other texts are generated. */
  const isTold = given.summary === undefined
  const told = (purpose: string, likelihood: number, texts: Story['notes']): string | null =>
    isTold && key.faker(purpose).datatype.boolean(likelihood)
      ? key.faker(`${purpose} text`).helpers.arrayElement(texts)(facts)
      : null
  const hasOutcome = isClosed && isTold && key.faker('outcome').datatype.boolean(0.9)
  return {
    id,
    organizationId: account.customer.organizationId,
    customerId: account.customer.id,
    productId: product.row.id,
    status: course.status,
    source: key.faker('source').helpers.arrayElement(story.sources),
    summary: key.faker('summary').helpers.arrayElement(story.summaries)(facts),
    severity: key.faker('severity').number.int({ min: story.severity[0], max: story.severity[1] }),
    severityExplanation: told('explanation', 0.86, story.explanations),
    ...choosePeople(account, story, key),
    latestNote: told('note', course.isDraft ? 0.15 : 0.65, story.notes),
    isDraft: course.isDraft,
    isPrimary: key.faker('primary').datatype.boolean(0.35),
    createdDate: course.createdDate,
    raisedDate: course.raisedDate,
    closedDate: course.closedDate,
    updatedDate: course.updatedDate,
    opportunity: isTold ? (story.opportunity?.(facts) ?? null) : null,
    category: categories[story.category],
    dismissalReason:
      course.status === 'dismissed' ? key.faker('dismissal').helpers.arrayElement(dismissalReasons) : null,
    subCategory: key.faker('subcategory').datatype.boolean(0.88) ? subCategories[story.subCategory] : null,
    outcome: hasOutcome ? outcomes[ending[0]] : null,
    outcomeNotes: hasOutcome && key.faker('outcome notes').datatype.boolean(0.7) ? ending[1](facts) : null,
    competitor: story.namesCompetitor ? competitor : null,
    type: types[story.type],
  }
}

interface Occasion {
  readonly account: Account
  /** Units: milliseconds since 1970. */
  readonly createdMs: number
  readonly key: RecordKey
}

interface Choice {
  readonly story: Story
  readonly product: CatalogProduct
}

/** Chooses a story that fits the customer's stage and the given fields, and the product that it is about. */
function chooseStory(slot: number, given: Partial<Signal>, occasion: Occasion): Choice {
  const { account, key } = occasion
  const productsIn = (story: Story) => {
    const products = candidates(story, occasion)
    return given.productId === undefined ? products : products.filter(({ row }) => row.id === given.productId)
  }
  const isAlike = ({ category, type }: Story) =>
    (given.category === undefined || categories[category].id === given.category.id) &&
    (given.type === undefined || types[type].id === given.type.id)
  const isPossible = (story: Story) => isAlike(story) && productsIn(story).length > 0
  const isSuited = (story: Story) => story.stages.includes(account.stage) && isPossible(story)
  const [anyProduct] = account.catalog.products
  for (const test of [isSuited, isPossible, isAlike, () => true]) {
    const story = dealFrom(account, stories.filter(test), slot - 1)
    if (!story || !anyProduct) continue
    const products = productsIn(story)
    const named = account.catalog.products.find(({ row }) => row.id === given.productId)
    return {
      story,
      product:
        products.length > 0 ? key.faker('product').helpers.arrayElement(products) : (named ?? anyProduct),
    }
  }
  throw invalidRequest([{ in: 'body', name: 'productId', message: 'there is no product' }])
}

/** The number of days before a renewal in which stories mention it. */
const RENEWAL_DAYS = 170

/** Lists the products that a story can be about. */
function candidates({ about }: Story, { account, createdMs }: Occasion): readonly CatalogProduct[] {
  const { used, churned, others, products } = account
  if (about === 'used') return used
  if (about === 'churned') return churned
  if (about === 'other') return others
  if (about === 'any') return products.length > 0 ? products : others
  return used.filter(({ entry, renewalMs }) =>
    about === 'onboarding'
      ? entry.status === about
      : renewalMs > createdMs && renewalMs < createdMs + RENEWAL_DAYS * DAY,
  )
}

function choosePeople(
  account: Account,
  { category }: Story,
  key: RecordKey,
): Pick<Signal, 'createdById' | 'updatedById' | 'ownerId'> {
  const isCommercial = category === 'renewal' || category === 'expansion' || category === 'billing'
  const owner = isCommercial ? account.seller : account.owner
  const others = account.team.length > 0 ? account.team : [owner]
  const faker = key.faker('people')
  const someone = () => (faker.datatype.boolean(0.7) ? owner : faker.helpers.arrayElement(others)).id
  return { createdById: someone(), updatedById: someone(), ownerId: owner.id }
}
