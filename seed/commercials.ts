import type { Row } from '../src/store/tables.ts'
import type { CatalogProduct } from './catalog.ts'
import type { Random, RecordKey } from './random.ts'
import type { Segment } from './segments.ts'
import type { Stage } from './stages.ts'
import { DAY, date } from './time.ts'

type Entry = Row<'customers'>['products'][number]
type Level = 'none' | 'low' | 'medium' | 'high'

/** One object per level, which rows share. */
const levels = {
  none: { level: 'none' },
  low: { level: 'low' },
  medium: { level: 'medium' },
  high: { level: 'high' },
}

const engagements: Readonly<Record<Stage, readonly (readonly [Level, number])[]>> = {
  prospect: [['none', 1]],
  onboarding: [
    ['low', 4],
    ['medium', 3],
  ],
  growing: [
    ['high', 3],
    ['medium', 1],
  ],
  steady: [['medium', 1]],
  atRisk: [
    ['low', 2],
    ['medium', 3],
  ],
  churned: [['none', 1]],
}

/** The engagement with the first active product, which decides the stage. */
const leading: Partial<Record<Stage, Level>> = { growing: 'high', steady: 'medium', atRisk: 'low' }

const upsells: Readonly<Record<Level, readonly (readonly [Level, number])[]>> = {
  none: [['none', 1]],
  low: [
    ['none', 3],
    ['low', 1],
  ],
  medium: [
    ['low', 2],
    ['medium', 2],
    ['none', 1],
  ],
  high: [
    ['high', 3],
    ['medium', 2],
    ['low', 1],
  ],
}

/** The part of its range in which the value of a metric lies. */
const intensities: Readonly<Record<Level, readonly [number, number]>> = {
  none: [0, 0.05],
  low: [0.03, 0.28],
  medium: [0.32, 0.64],
  high: [0.66, 0.97],
}

/** The customer that product entries are generated for. */
export interface Buyer {
  readonly key: RecordKey
  readonly stage: Stage
  readonly segment: Segment
  readonly employees: number
  readonly nowMs: number
}

/** Generates the products of a customer: how many, in which status, at which price. Order: as in the catalog. */
export function generateEntries(products: readonly CatalogProduct[], buyer: Buyer): Entry[] {
  if (buyer.stage === 'prospect') return []
  const random = buyer.key.for('products')
  const count = buyer.stage === 'onboarding' ? random.int(1, 2) : random.weighted(buyer.segment.products)
  return choosePreferred(products, count, random).map((product, index) =>
    generateEntry(product, index === 0, buyer),
  )
}

/** Chooses some products, the first ones more often. */
function choosePreferred(
  products: readonly CatalogProduct[],
  count: number,
  random: Random,
): CatalogProduct[] {
  const chosen = new Set<CatalogProduct>()
  const weights = products.map((product, index) => [product, products.length - index + 2] as const)
  while (chosen.size < Math.min(count, products.length)) chosen.add(random.weighted(weights))
  return products.filter((product) => chosen.has(product))
}

function generateEntry(product: CatalogProduct, isFirst: boolean, buyer: Buyer): Entry {
  const random = buyer.key.for(`product ${product.row.key}`)
  const status = chooseStatus(buyer.stage, isFirst, random)
  const engagement = status === 'churned' ? 'none' : chooseEngagement(buyer.stage, isFirst, random)
  return {
    key: product.row.key,
    status,
    arr: status === 'churned' ? 0 : generateArr(buyer, random),
    renewalDate: date(buyer.nowMs + renewalDays(status, buyer.stage, random) * DAY),
    engagement: levels[engagement],
    upsell: levels[random.weighted(upsells[engagement])],
    metrics: status === 'churned' ? [] : generateMetrics(product, { engagement, status, buyer }),
  }
}

function chooseStatus(stage: Stage, isFirst: boolean, random: Random): Entry['status'] {
  if (stage === 'onboarding' || stage === 'churned') return stage
  const other = random.weighted([
    ['active', 8],
    ['onboarding', 1],
    ['churned', 1],
  ] as const)
  return isFirst ? 'active' : other
}

function chooseEngagement(stage: Stage, isFirst: boolean, random: Random): Level {
  const chosen = random.weighted(engagements[stage])
  return (isFirst ? leading[stage] : undefined) ?? chosen
}

/** Generates a yearly price; larger customers of a segment pay more. Units: US dollars, in hundreds. */
function generateArr({ segment, employees }: Buyer, random: Random): number {
  const [fewest, most] = segment.employees
  const [lowest, highest] = segment.arr
  const size = Math.min(1, Math.max(0, (employees - fewest) / (most - fewest)))
  const share = size * 0.55 + random.skewed(0, 0.45)
  return Math.round((lowest + (highest - lowest) * share) / 100) * 100
}

function renewalDays(status: Entry['status'], stage: Stage, random: Random): number {
  if (status === 'churned') return -random.int(5, 540)
  if (status === 'onboarding') return random.int(270, 365)
  return stage === 'atRisk' ? random.int(9, 170) : random.int(12, 364)
}

interface Use {
  readonly engagement: Level
  readonly status: Entry['status']
  readonly buyer: Buyer
}

function generateMetrics(product: CatalogProduct, use: Use): Entry['metrics'] {
  return product.metrics.flatMap((metric) => {
    const random = use.buyer.key.for(`metric ${product.row.key} ${metric.key}`)
    if (random.chance(0.08)) return []
    const isMissing = random.chance(use.status === 'onboarding' ? 0.4 : 0.04)
    const [least, most] = intensities[use.engagement]
    const share = least + (most - least) * random.next()
    return [{ key: metric.key, value: isMissing ? null : metricValue(metric, share, product, use.buyer) }]
  })
}

const sizes: Readonly<Record<string, number>> = { Startup: 0.05, SMB: 0.14, 'Mid-Market': 0.4 }

function metricValue(
  metric: CatalogProduct['metrics'][number],
  share: number,
  product: CatalogProduct,
  buyer: Buyer,
): number | string | boolean {
  const plan = product.plan.metrics.find(({ key, type }) => key === metric.key && type === metric.type)
  const [min, max] = plan?.range ?? [0, 100]
  if (metric.type === 'boolean') return share > 0.35
  if (metric.type === 'percent') return Math.round((min + (max - min) * share) * 10) / 10
  if (metric.type === 'text') {
    const words = plan?.words ?? ['low', 'medium', 'high']
    return words[Math.floor(share * words.length)] ?? 'unknown'
  }
  const value = Math.round(min + (max - min) * share * (sizes[buyer.segment.name] ?? 1))
  return plan?.ofEmployees ? Math.min(value, buyer.employees) : value
}
