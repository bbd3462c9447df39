import type { Row } from '../../src/store/tables.ts'
import { industries } from '../customers/company-names.ts'
import texts from '../texts/products.json' with { type: 'json' }

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
  /** Its purpose: "to …". */
  readonly purpose: string
  readonly wishes: readonly string[]
  readonly troubles: readonly string[]
  readonly metrics: readonly MetricPlan[]
}

/** A metric in the file: the property with its values decides the type; a metric without one is boolean. */
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

const analyticsProducts: readonly ProductPlan[] = texts.analytics.map((product) => toProduct(product))

const contractProducts: readonly ProductPlan[] = texts.contracts.map((product) => toProduct(product))

type Plan<T extends 'customFields' | 'memberRoles' | 'noteCategories' | 'briefs'> = Omit<
  Row<T>,
  'id' | 'organizationId'
>

export const rolePlans: readonly Plan<'memberRoles'>[] = [
  { key: 'csm', name: 'Customer Success Manager' },
  { key: 'accountManager', name: 'Account Manager' },
  { key: 'executiveSponsor', name: 'Executive Sponsor' },
  { key: 'implementationLead', name: 'Implementation Lead' },
]

export const customFieldPlans: readonly Plan<'customFields'>[] = [
  { key: 'industry', name: 'Industry', type: 'select', options: [...industries] },
  { key: 'tier', name: 'Tier', type: 'select', options: ['Gold', 'Silver', 'Bronze'] },
  { key: 'contractSigned', name: 'Contract signed', type: 'date', options: [] },
  { key: 'npsScore', name: 'Last NPS score', type: 'number', options: [] },
  { key: 'healthScore', name: 'Health score', type: 'number', options: [] },
  { key: 'isReference', name: 'Reference customer', type: 'boolean', options: [] },
  { key: 'successGoal', name: 'Success goal', type: 'text', options: [] },
  { key: 'goLiveDate', name: 'Go-live date', type: 'date', options: [] },
]

/** The categories of notes; the last one is no longer in use. */
export const noteCategoryPlans: readonly Plan<'noteCategories'>[] = [
  { name: 'Call', isActive: true },
  { name: 'Internal', isActive: true },
  { name: 'Renewal', isActive: true },
  { name: 'Success plan', isActive: true },
  { name: 'Feedback', isActive: true },
  { name: 'Legacy import', isActive: false },
]

/** The briefs that are written for customers; the last one is no longer written. */
export const briefPlans: readonly Plan<'briefs'>[] = [
  {
    key: 'accountSummary',
    name: 'Account summary',
    description: 'Who the customer is, what it uses and what is open, on one page.',
    isActive: true,
  },
  {
    key: 'renewalPreparation',
    name: 'Renewal preparation',
    description: 'What renews when, for how much, and what stands in the way.',
    isActive: true,
  },
  {
    key: 'meetingPreparation',
    name: 'Meeting preparation',
    description: 'What to know and what to ask before the next meeting.',
    isActive: true,
  },
  {
    key: 'riskReview',
    name: 'Risk review',
    description: 'What could go wrong with the customer, and what is done about it.',
    isActive: true,
  },
  {
    key: 'onboardingHandover',
    name: 'Onboarding handover',
    description: 'What sales promised and implementation found. Replaced by the account summary.',
    isActive: false,
  },
]

export const getProductPlans = (ordinal: number): readonly ProductPlan[] =>
  ordinal === 0 ? analyticsProducts : contractProducts

const plansByKey = new Map(
  [...analyticsProducts, ...contractProducts].map((plan) => [plan.key, plan] as const),
)

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
