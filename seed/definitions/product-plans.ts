import type { Row } from '../../src/store/tables.ts'
import texts from '../texts/products.json' with { type: 'json' }
import { splitWords } from '../texts/templates.ts'

export interface MetricPlan {
  readonly key: string
  readonly name: string
  readonly type: Row<'productMetrics'>['type']
  readonly range?: readonly number[]
  /** The values of a text, worst first. */
  readonly words?: readonly string[]
  readonly isLimitedByEmployees?: boolean
}

export interface ProductPlan {
  readonly key: string
  readonly name: string
  readonly activity: string
  readonly users: string
  readonly purpose: string
  readonly wishes: readonly string[]
  readonly troubles: readonly string[]
  readonly metrics: readonly MetricPlan[]
}

/** A metric in the file: the property with its values decides the type; a metric without one is boolean. */
interface MetricText extends Omit<MetricPlan, 'type' | 'range'> {
  readonly number?: readonly number[]
  readonly percent?: readonly number[]
}

function toMetric({ key, name, number, percent, words, ...limits }: MetricText): MetricPlan {
  if (number) return { key, name, type: 'number', range: number, ...limits }
  if (percent) return { key, name, type: 'percent', range: percent }
  return words ? { key, name, type: 'text', words } : { key, name, type: 'boolean' }
}

interface ProductText extends Omit<ProductPlan, 'metrics' | 'wishes' | 'troubles'> {
  readonly wishes: string
  readonly troubles: string
  readonly metrics: readonly MetricText[]
}

const toProduct = (product: ProductText): ProductPlan => ({
  ...product,
  wishes: splitWords(product.wishes),
  troubles: splitWords(product.troubles),
  metrics: product.metrics.map((metric) => toMetric(metric)),
})

const analyticsProducts = texts.analytics.map((product) => toProduct(product))
const contractProducts = texts.contracts.map((product) => toProduct(product))

export const getProductPlans = (ordinal: number): readonly ProductPlan[] =>
  ordinal === 0 ? analyticsProducts : contractProducts

const plans: readonly ProductPlan[] = [...analyticsProducts, ...contractProducts]
const plansByKey = new Map(plans.map((plan) => [plan.key, plan] as const))

export const findNamedPlan = (topic: string): ProductPlan | undefined =>
  plans.find(({ name }) => topic.includes(name))

export const getProductPlan = (key: string): ProductPlan =>
  plansByKey.get(key) ?? findProductPlan({ key, name: 'the platform' })

/** Finds the plan of a product; for one that is not in the catalog, a plan that fits any. */
export function findProductPlan(product: Pick<Row<'products'>, 'key' | 'name'>): ProductPlan {
  const plan = plansByKey.get(product.key)
  if (plan) return { ...plan, name: product.name }
  return {
    key: product.key,
    name: product.name,
    activity: 'sessions',
    users: 'users',
    purpose: 'to save time every week',
    wishes: ['better exports', 'finer permissions', 'an audit log'],
    troubles: ['slow pages', 'failed imports'],
    metrics: [],
  }
}
