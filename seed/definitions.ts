import type { Row } from '../src/store/tables.ts'
import {
  briefPlans,
  customFieldPlans,
  noteCategoryPlans,
  productPlansOf,
  rolePlans,
} from './definition-plans.ts'
import { partId, positionOf } from './ids.ts'
import { recordKey } from './random.ts'
import type { Tenant } from './tenant.ts'

/** How many products an organization sells: 4 to 6, by the seed. */
export function productCount(seed: number, ordinal: number): number {
  return recordKey(seed, 'products', ordinal).for('count').int(4, 6)
}

/** The ids of a product's generated metrics. Order: as the catalogue has them. */
export function metricIds(productId: number, ordinal: number): number[] {
  const plan = productPlansOf(ordinal)[positionOf('definitions', productId) - 1]
  return (plan?.metrics ?? []).map((_, index) => partId(productId, index + 1))
}

/** Draws a product. */
export function draftProduct(id: number, given: Partial<Row<'products'>>, tenant: Tenant): Row<'products'> {
  const organization = tenant.organizationFor('definitions', id, given.organizationId)
  const plan = productPlansOf(organization.ordinal)[positionOf('definitions', id) - 1]
  const { key, name } = plan ?? { key: `product${id}`, name: `Product ${id}` }
  return { id, organizationId: organization.id, key, name }
}

/** Draws a metric of the product that is given; else of the one whose id its own begins with; else of the first. */
export function draftProductMetric(
  id: number,
  given: Partial<Row<'productMetrics'>>,
  tenant: Tenant,
): Row<'productMetrics'> {
  const productId = given.productId ?? Math.floor(id / 10)
  const product = tenant.data.get('products', productId)
  const organization = tenant.organizationFor(
    'definitions',
    productId,
    given.organizationId ?? product?.organizationId,
  )
  const owner = product ?? tenant.data.list('products', organization.id)[0]
  const plan = productPlansOf(organization.ordinal)[positionOf('definitions', owner?.id ?? 1) - 1]
  const isFromCatalogue = owner !== undefined && Math.floor(id / 10) === owner.id
  const metric = isFromCatalogue ? plan?.metrics[(id % 10) - 1] : undefined
  const { key, name, type } = metric ?? { key: `metric${id}`, name: `Metric ${id}`, type: 'number' }
  return { id, organizationId: organization.id, productId: owner?.id ?? productId, key, name, type }
}

/** Draws a member-role definition. */
export function draftMemberRole(
  id: number,
  given: Partial<Row<'memberRoles'>>,
  tenant: Tenant,
): Row<'memberRoles'> {
  const organizationId = tenant.organizationFor('definitions', id, given.organizationId).id
  const plan = rolePlans[positionOf('definitions', id) - 1]
  return { id, organizationId, ...(plan ?? { key: `role${id}`, name: `Role ${id}` }) }
}

/** Draws a custom field definition. */
export function draftCustomField(
  id: number,
  given: Partial<Row<'customFields'>>,
  tenant: Tenant,
): Row<'customFields'> {
  const organizationId = tenant.organizationFor('definitions', id, given.organizationId).id
  const plan = customFieldPlans[positionOf('definitions', id) - 1]
  if (plan && (given.type ?? plan.type) === plan.type) return { id, organizationId, ...plan }
  const options = given.type === 'select' ? ['Low', 'Medium', 'High'] : []
  return { id, organizationId, key: `field${id}`, name: `Field ${id}`, type: given.type ?? 'text', options }
}

/** Draws a note category. */
export function draftNoteCategory(
  id: number,
  given: Partial<Row<'noteCategories'>>,
  tenant: Tenant,
): Row<'noteCategories'> {
  const organizationId = tenant.organizationFor('definitions', id, given.organizationId).id
  const plan = noteCategoryPlans[positionOf('definitions', id) - 1]
  return { id, organizationId, ...(plan ?? { name: `Category ${id}`, isActive: true }) }
}

/** Draws a brief definition. */
export function draftBrief(id: number, given: Partial<Row<'briefs'>>, tenant: Tenant): Row<'briefs'> {
  const organizationId = tenant.organizationFor('definitions', id, given.organizationId).id
  const plan = briefPlans[positionOf('definitions', id) - 1]
  const drawn = {
    key: `brief${id}`,
    name: `Brief ${id}`,
    description: 'Written for customers on demand.',
    isActive: true,
  }
  return { id, organizationId, ...(plan ?? drawn) }
}
