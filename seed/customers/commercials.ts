import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { DAY, formatDate } from '../calendar/time.ts'
import type { CatalogProduct } from '../definitions/catalog.ts'
import { type RecordKey, mostlySmall, weigh } from '../random/record-key.ts'
import { countMostUsers } from '../texts/company-size.ts'
import { countYears } from './contracts.ts'
import type { Segment } from './segments.ts'
import type { Stage } from './stages.ts'

type Entry = Row<'customers'>['products'][number]
type Level = 'none' | 'low' | 'medium' | 'high'

interface LevelPlan {
  /** One object, which rows share. */
  readonly shared: { readonly level: Level }
  readonly upsells: ReturnType<typeof weigh<Level>>
  /** The part of a metric's range in which a customer with this engagement is. */
  readonly use: readonly [least: number, most: number]
}

const levels: Readonly<Record<Level, LevelPlan>> = {
  none: { shared: { level: 'none' }, upsells: weigh({ none: 1 }), use: [0, 0.05] },
  low: { shared: { level: 'low' }, upsells: weigh({ none: 3, low: 1 }), use: [0.03, 0.28] },
  medium: { shared: { level: 'medium' }, upsells: weigh({ low: 2, medium: 2, none: 1 }), use: [0.32, 0.64] },
  high: { shared: { level: 'high' }, upsells: weigh({ high: 3, medium: 2, low: 1 }), use: [0.66, 0.97] },
}

const engagements: Readonly<Record<Stage, ReturnType<typeof weigh<Level>>>> = {
  prospect: weigh({ none: 1 }),
  onboarding: weigh({ low: 4, medium: 3 }),
  growing: weigh({ high: 3, medium: 1 }),
  steady: weigh({ medium: 1 }),
  atRisk: weigh({ low: 2, medium: 3 }),
  churned: weigh({ none: 1 }),
}

/** The engagement with the first active product, which decides the stage. */
const leading: Partial<Record<Stage, Level>> = { growing: 'high', steady: 'medium', atRisk: 'low' }

const statuses = weigh({ active: 8, onboarding: 1, churned: 1 })

export interface Buyer {
  readonly id: number
  readonly seed: number
  readonly key: RecordKey
  readonly stage: Stage
  readonly segment: Segment
  readonly employees: number
  readonly nowMs: number
}

export function generateEntries(products: readonly CatalogProduct[], buyer: Buyer): Entry[] {
  if (buyer.stage === 'prospect') return []
  const faker = buyer.key.faker('products')
  const count =
    buyer.stage === 'onboarding'
      ? faker.number.int({ min: 1, max: 2 })
      : faker.helpers.arrayElement(buyer.segment.products)
  const chosen = new Set<CatalogProduct>()
  const weights = products.map((product, index) => ({ weight: products.length - index + 2, value: product }))
  while (chosen.size < Math.min(count, products.length))
    chosen.add(faker.helpers.weightedArrayElement(weights))
  return products
    .filter((product) => chosen.has(product))
    .map((product, index) => generateEntry(product, index === 0, buyer))
}

function generateEntry(product: CatalogProduct, isFirst: boolean, buyer: Buyer): Entry {
  const faker = buyer.key.faker('product', product.row.key)
  const status = chooseStatus(buyer.stage, isFirst, faker)
  const isOver = status === 'churned'
  const { shared, upsells, use } = levels[isOver ? 'none' : chooseEngagement(buyer.stage, isFirst, faker)]
  return {
    key: product.row.key,
    status,
    arr: isOver ? 0 : generateArr(buyer, faker),
    renewalDate: formatDate(buyer.nowMs + countRenewalDays(product.row.key, status, buyer) * DAY),
    engagement: shared,
    upsell: levels[faker.helpers.weightedArrayElement(upsells)].shared,
    metrics: isOver ? [] : generateMetrics(product, use, status, buyer),
  }
}

function chooseStatus(stage: Stage, isFirst: boolean, faker: SimpleFaker): Entry['status'] {
  if (stage === 'onboarding' || stage === 'churned') return stage
  const other = faker.helpers.weightedArrayElement(statuses)
  return isFirst ? 'active' : other
}

function chooseEngagement(stage: Stage, isFirst: boolean, faker: SimpleFaker): Level {
  const chosen = faker.helpers.weightedArrayElement(engagements[stage])
  return (isFirst ? leading[stage] : undefined) ?? chosen
}

/** Generates a yearly price; larger customers of a segment pay more. Units: US dollars, in hundreds. */
function generateArr({ segment, employees }: Buyer, faker: SimpleFaker): number {
  const { min: fewest, max: most } = segment.employees
  const { min: lowest, max: highest } = segment.arr
  const size = Math.min(1, Math.max(0, (employees - fewest) / (most - fewest)))
  const share = size * 0.55 + faker.number.float({ min: 0, max: 0.45, distributor: mostlySmall })
  return Math.round((lowest + (highest - lowest) * share) / 100) * 100
}

/** Chooses the days until a product renews; negative for the days since it ended. */
function countRenewalDays(key: string, status: Entry['status'], buyer: Buyer): number {
  const faker = buyer.key.faker('renewal', key)
  if (status === 'churned') return -faker.number.int({ min: 5, max: 540 })
  if (status === 'onboarding') return faker.number.int({ min: 270, max: 355 })
  if (buyer.stage === 'atRisk') return faker.number.int({ min: 9, max: 170 })
  // In the first year, a product that is active has been in use for three months.
  const isFirstYear = countYears(buyer.id, { key, status }, buyer.seed) === 1
  return faker.number.int({ min: 12, max: isFirstYear ? 275 : 364 })
}

function generateMetrics(
  product: CatalogProduct,
  [least, most]: LevelPlan['use'],
  status: Entry['status'],
  buyer: Buyer,
): Entry['metrics'] {
  const purpose = `metric ${product.row.key}`
  return product.metrics.flatMap((metric) => {
    const faker = buyer.key.faker(purpose, metric.key)
    if (faker.datatype.boolean(0.08)) return []
    const isMissing = faker.datatype.boolean(status === 'onboarding' ? 0.4 : 0.04)
    const share = least + (most - least) * faker.number.float()
    return [{ key: metric.key, value: isMissing ? null : generateMetricValue(metric, share, product, buyer) }]
  })
}

function generateMetricValue(
  metric: CatalogProduct['metrics'][number],
  share: number,
  product: CatalogProduct,
  buyer: Buyer,
): number | string | boolean {
  const plan = product.plan.metrics.find(({ key, type }) => key === metric.key && type === metric.type)
  const [min = 0, max = 100] = plan?.range ?? []
  if (metric.type === 'boolean') return share > 0.35
  if (metric.type === 'percent') return Math.round((min + (max - min) * share) * 10) / 10
  if (metric.type === 'text') {
    const words = plan?.words ?? ['low', 'medium', 'high']
    return words[Math.floor(share * words.length)] ?? 'unknown'
  }
  const value = Math.round(min + (max - min) * share * buyer.segment.use)
  return plan?.isLimitedByEmployees ? Math.min(value, countMostUsers(buyer.employees)) : value
}
