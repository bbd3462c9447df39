import type { Lookup } from '../src/store/references.ts'
import type { Row } from '../src/store/tables.ts'
import type { OrganizationRow } from '../src/store/tables/members.ts'
import { toDomain } from './company-names.ts'
import { findProductPlan } from './definition-plans.ts'
import { computeId, countMembers } from './ids.ts'
import { findLocale } from './locales.ts'
import { createEmail, generatePerson } from './people.ts'
import { type Duty, detectDuty } from './posts.ts'
import type { ProductPlan } from './product-plans.ts'
import { RecordKey } from './record-key.ts'

/** A participant of a meeting who is not a member. */
export type MeetingPerson = Row<'meetings'>['users'][number]

/** A product with the words and the metrics that go with it. */
export interface CatalogProduct {
  readonly row: Row<'products'>
  readonly plan: ProductPlan
  readonly metrics: readonly Row<'productMetrics'>[]
}

/** The people, products and definitions from which an organization's customers are generated. */
export interface Catalog {
  readonly organization: OrganizationRow
  /** The position of the organization among all organizations. */
  readonly ordinal: number
  readonly products: readonly CatalogProduct[]
  readonly customFields: readonly Row<'customFields'>[]
  readonly memberRoles: readonly Row<'memberRoles'>[]
  readonly noteCategories: readonly Row<'noteCategories'>[]
  readonly briefs: readonly Row<'briefs'>[]
  /** Colleagues who come to meetings without being members. */
  readonly colleagues: readonly MeetingPerson[]
  /** Lists the members who can hold a role on the customer at a position. Order: by id. */
  holders(duty: Duty, position: number): readonly Row<'members'>[]
}

/** Reads the catalog of an organization. An organization without members has no holders. */
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
      plan: findProductPlan(row),
      metrics: metrics.filter((metric) => metric.productId === row.id),
    })),
    customFields: data.list('customFields', id),
    memberRoles: data.list('memberRoles', id),
    noteCategories: data.list('noteCategories', id),
    briefs: data.list('briefs', id),
    colleagues: generateColleagues(name, ordinal, seed),
    holders: createHolders(data.list('members', id), ordinal),
  }
}

const COLLEAGUES = 5

function generateColleagues(
  organizationName: string,
  ordinal: number,
  seed: number,
): readonly MeetingPerson[] {
  return Array.from({ length: COLLEAGUES }, (_, index) => {
    const id = computeId('members', ordinal, index + 1)
    const person = generatePerson(
      new RecordKey(seed, 'colleagues', id).faker('name', findLocale('United States')),
    )
    const { firstName, lastName } = person
    return { id, email: createEmail(person, toDomain(organizationName)), firstName, lastName }
  })
}

/** Members added with later customers hold no roles on earlier ones, so a larger size changes nothing. */
function createHolders(members: readonly Row<'members'>[], ordinal: number): Catalog['holders'] {
  const known = new Map<string, readonly Row<'members'>[]>()
  return (duty, position) => {
    const last = computeId('members', ordinal, countMembers(position))
    const key = `${duty} ${last}`
    const found =
      known.get(key) ?? members.filter((member) => member.id <= last && detectDuty(member) === duty)
    known.set(key, found)
    return found
  }
}
