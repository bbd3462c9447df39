import type { Lookup } from '../src/store/references.ts'
import type { OrganizationRow } from '../src/store/rows.ts'
import type { Row } from '../src/store/tables.ts'
import { domainOf } from './company-names.ts'
import { productPlanOf } from './definition-plans.ts'
import { idAt, memberCount } from './ids.ts'
import { emailOf, personFrom } from './people.ts'
import { type Duty, dutyOf } from './posts.ts'
import type { ProductPlan } from './product-plans.ts'
import { recordKey } from './random.ts'

/** Someone at a meeting who is no member. */
export type MeetingPerson = Row<'meetings'>['users'][number]

/** A product with the words and the metrics that go with it. */
export interface CatalogProduct {
  readonly row: Row<'products'>
  readonly plan: ProductPlan
  readonly metrics: readonly Row<'productMetrics'>[]
}

/** What an organization's customers are made of: its people, its products, its definitions. */
export interface Catalog {
  readonly organization: OrganizationRow
  /** The organization's place among the organizations. */
  readonly ordinal: number
  readonly products: readonly CatalogProduct[]
  readonly customFields: readonly Row<'customFields'>[]
  readonly memberRoles: readonly Row<'memberRoles'>[]
  readonly noteCategories: readonly Row<'noteCategories'>[]
  readonly briefs: readonly Row<'briefs'>[]
  /** Colleagues who come to meetings without being members. */
  readonly colleagues: readonly MeetingPerson[]
  /** Who can hold a role on the customer at a place in the organization. Order: by id. */
  holders(duty: Duty, position: number): readonly Row<'members'>[]
}

/** Reads an organization's catalog as it stands. Errors: none; an organization without members has no holders. */
export function readCatalog(
  organization: OrganizationRow & { readonly ordinal: number },
  data: Lookup,
  seed: number,
): Catalog {
  const { id, name, ordinal } = organization
  const metrics = data.list('productMetrics', id)
  return {
    organization: { id, name },
    ordinal,
    products: data.list('products', id).map((row) => ({
      row,
      plan: productPlanOf(row),
      metrics: metrics.filter((metric) => metric.productId === row.id),
    })),
    customFields: data.list('customFields', id),
    memberRoles: data.list('memberRoles', id),
    noteCategories: data.list('noteCategories', id),
    briefs: data.list('briefs', id),
    colleagues: colleaguesOf(name, ordinal, seed),
    holders: holdersAmong(data.list('members', id), ordinal),
  }
}

const COLLEAGUES = 5

function colleaguesOf(organizationName: string, ordinal: number, seed: number): readonly MeetingPerson[] {
  return Array.from({ length: COLLEAGUES }, (_, index) => {
    const id = idAt('members', ordinal, index + 1)
    const person = personFrom(recordKey(seed, 'colleagues', id).for('name'), 'United States')
    const { firstName, lastName } = person
    return { id, email: emailOf(person, domainOf(organizationName)), firstName, lastName }
  })
}

/** Members that come with later customers hold no roles on earlier ones: a larger size changes nothing. */
function holdersAmong(members: readonly Row<'members'>[], ordinal: number): Catalog['holders'] {
  const known = new Map<string, readonly Row<'members'>[]>()
  return (duty, position) => {
    const last = idAt('members', ordinal, memberCount(position))
    const key = `${duty} ${last}`
    const found = known.get(key) ?? members.filter((member) => member.id <= last && dutyOf(member) === duty)
    known.set(key, found)
    return found
  }
}
