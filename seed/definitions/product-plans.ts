import type { Row } from '../../src/store/tables.ts'
import texts from '../texts/products.json' with { type: 'json' }

/** A metric in the catalog, and the range of its values. */
export interface MetricPlan {
  readonly key: string
  readonly name: string
  readonly type: Row<'productMetrics'>['type']
  /** The lowest and the highest value of a number or percentage. */
  readonly range?: readonly number[]
  /** The values of a text, worst first. */
  readonly words?: readonly string[]
  /** Whether the number of the customer's employees is the upper limit. */
  readonly isLimitedByEmployees?: boolean
}

/** A product in the catalog, with the words people use about it. */
export interface ProductPlan {
  readonly key: string
  readonly name: string
  /** The countable results of using the product. */
  readonly activity: string
  /** The people who use it. */
  readonly users: string
  /** Its purpose: "to …". */
  readonly purpose: string
  /** Features that customers ask for. */
  readonly wishes: readonly string[]
  /** Problems with it. */
  readonly troubles: readonly string[]
  readonly metrics: readonly MetricPlan[]
}

/** A metric in the file: the property with its values tells the type; a metric without one is boolean. */
interface MetricText {
  readonly key: string
  readonly name: string
  readonly number?: readonly number[]
  readonly percent?: readonly number[]
  readonly words?: readonly string[]
  readonly isLimitedByEmployees?: boolean
}

function toMetric({
  key,
  name,
  number,
  percent,
  words,
  isLimitedByEmployees = false,
}: MetricText): MetricPlan {
  if (number) return { key, name, type: 'number', range: number, isLimitedByEmployees }
  if (percent) return { key, name, type: 'percent', range: percent }
  return words ? { key, name, type: 'text', words } : { key, name, type: 'boolean' }
}

interface ProductText extends Omit<ProductPlan, 'metrics'> {
  readonly metrics: readonly MetricText[]
}

const toProduct = (product: ProductText): ProductPlan => ({
  ...product,
  metrics: product.metrics.map((metric) => toMetric(metric)),
})

/** The products of the first organization: analytics. */
export const analyticsProducts: readonly ProductPlan[] = texts.analytics.map((product) => toProduct(product))

/** The products of the other organizations: contract management. */
export const contractProducts: readonly ProductPlan[] = texts.contracts.map((product) => toProduct(product))
