import type { Row } from '../../src/store/tables.ts'
import texts from '../texts/products.json' with { type: 'json' }
import { splitWords } from '../texts/templates.ts'

interface MetricText {
  readonly key: string
  readonly name: string
  readonly number?: readonly number[]
  readonly percent?: readonly number[]
  /** Order: worst first. */
  readonly words?: readonly string[]
  readonly isLimitedByEmployees?: boolean
}

interface ProductText extends Omit<(typeof texts)['analytics' | 'contracts'][number], 'metrics'> {
  readonly metrics: readonly MetricText[]
}

/** Finds the type of a metric, which follows from the property with its values. */
function detectType({ number, percent, words }: MetricText): Row<'productMetrics'>['type'] {
  if (number) return 'number'
  if (percent) return 'percent'
  return words ? 'text' : 'boolean'
}

const readProduct = (product: ProductText) => ({
  ...product,
  wishes: splitWords(product.wishes),
  troubles: splitWords(product.troubles),
  metrics: product.metrics.map((metric) => ({
    ...metric,
    type: detectType(metric),
    range: metric.number ?? metric.percent,
  })),
})

export type ProductPlan = ReturnType<typeof readProduct>

const analyticsProducts = texts.analytics.map((product) => readProduct(product))
const contractProducts = texts.contracts.map((product) => readProduct(product))

export const getProductPlans = (ordinal: number): readonly ProductPlan[] =>
  ordinal === 0 ? analyticsProducts : contractProducts

/** The plan of products that are not in the catalog: it fits any. */
export const usualPlan: ProductPlan = {
  key: '',
  name: 'the platform',
  activity: 'sessions',
  users: 'users',
  purpose: 'to save time every week',
  wishes: ['better exports', 'finer permissions', 'an audit log'],
  troubles: ['slow pages', 'failed imports'],
  metrics: [],
}

const plans = [...analyticsProducts, ...contractProducts]
const plansByKey = new Map(plans.map((plan) => [plan.key, plan] as const))

export const findNamedPlan = (topic: string): ProductPlan | undefined =>
  plans.find(({ name }) => topic.includes(name))

export const getProductPlan = (key: string): ProductPlan => plansByKey.get(key) ?? usualPlan
