import type { Row } from '../../src/store/tables.ts'
import { industries } from '../customers/company-names.ts'
import { computePartId, getPosition } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import { RecordKey } from '../random/record-key.ts'
import texts from '../texts/definitions.json' with { type: 'json' }
import { getProductPlans } from './product-plans.ts'

type Product = Row<'products'>
type Metric = Row<'productMetrics'>
type CustomField = Row<'customFields'>

const customFieldPlans: readonly Omit<CustomField, 'id' | 'organizationId'>[] = [
  { key: 'industry', name: 'Industry', type: 'select', options: [...industries] },
  { key: 'tier', name: 'Tier', type: 'select', options: ['Gold', 'Silver', 'Bronze'] },
  { key: 'contractSigned', name: 'Contract signed', type: 'date', options: [] },
  { key: 'npsScore', name: 'Last NPS score', type: 'number', options: [] },
  { key: 'healthScore', name: 'Health score', type: 'number', options: [] },
  { key: 'isReference', name: 'Reference customer', type: 'boolean', options: [] },
  { key: 'successGoal', name: 'Success goal', type: 'text', options: [] },
  { key: 'goLiveDate', name: 'Go-live date', type: 'date', options: [] },
]

/** The definitions that every organization has, by table. */
export const plansByTable = { ...texts, customFields: customFieldPlans }

export function countProducts(seed: number, ordinal: number): number {
  return new RecordKey(seed, 'products', ordinal).faker('count').number.int({ min: 4, max: 6 })
}

export function listMetricIds(productId: number, ordinal: number): number[] {
  const plan = getProductPlans(ordinal)[getPosition('definitions', productId) - 1]
  return (plan?.metrics ?? []).map((_, index) => computePartId(productId, index + 1))
}

export function generateProduct(id: number, fields: Partial<Product>, tenant: Tenant): Product {
  const organization = tenant.findOrganization('definitions', id, fields.organizationId)
  const plan = getProductPlans(organization.ordinal)[getPosition('definitions', id) - 1]
  const { key, name } = plan ?? { key: `product${id}`, name: `Product ${id}` }
  return { id, organizationId: organization.id, key, name }
}

/** Generates a metric of the given product, or of the one that its id starts with, or of the first. */
export function generateProductMetric(id: number, fields: Partial<Metric>, tenant: Tenant): Metric {
  const productId = fields.productId ?? Math.floor(id / 10)
  const product = tenant.data.get('products', productId)
  const organization = tenant.findOrganization(
    'definitions',
    productId,
    fields.organizationId ?? product?.organizationId,
  )
  const owner = product ?? tenant.data.list('products', organization.id)[0]
  const plan = getProductPlans(organization.ordinal)[getPosition('definitions', owner?.id ?? 1) - 1]
  const isFromCatalogue = owner !== undefined && Math.floor(id / 10) === owner.id
  const metric = isFromCatalogue ? plan?.metrics[(id % 10) - 1] : undefined
  const { key, name, type } = metric ?? { key: `metric${id}`, name: `Metric ${id}`, type: 'number' }
  return { id, organizationId: organization.id, productId: owner?.id ?? productId, key, name, type }
}

/** Creates the generator of definitions with the plans of their positions, or else with one made from the id. */
const generateFrom =
  <P extends object>(plans: readonly P[], make: (id: number) => P) =>
  (id: number, fields: { readonly organizationId?: string }, tenant: Tenant) => {
    const organizationId = tenant.findOrganization('definitions', id, fields.organizationId).id
    return { id, organizationId, ...(plans[getPosition('definitions', id) - 1] ?? make(id)) }
  }

export const generateMemberRole = generateFrom(texts.memberRoles, (id) => ({
  key: `role${id}`,
  name: `Role ${id}`,
}))

export const generateNoteCategory = generateFrom(texts.noteCategories, (id) => ({
  name: `Category ${id}`,
  isActive: true,
}))

export const generateBrief = generateFrom(texts.briefs, (id) => ({
  key: `brief${id}`,
  name: `Brief ${id}`,
  description: 'Written for customers on demand.',
  isActive: true,
}))

export function generateCustomField(id: number, fields: Partial<CustomField>, tenant: Tenant): CustomField {
  const organizationId = tenant.findOrganization('definitions', id, fields.organizationId).id
  const plan = customFieldPlans[getPosition('definitions', id) - 1]
  if (plan && (fields.type ?? plan.type) === plan.type) return { id, organizationId, ...plan }
  const options = fields.type === 'select' ? ['Low', 'Medium', 'High'] : []
  return { id, organizationId, key: `field${id}`, name: `Field ${id}`, type: fields.type ?? 'text', options }
}
