import type { Lookup } from '../../src/store/references.ts'
import type { Row } from '../../src/store/tables.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { toDomain } from '../customers/company-names.ts'
import { DIVISION, computeId, countMembers } from '../dataset/ids.ts'
import { createEmail, findLocale, generatePerson } from '../people/people.ts'
import { detectDuty, type Duty } from '../people/positions.ts'
import { RecordKey } from '../random/record-key.ts'
import { findProductPlan, type ProductPlan } from './definition-plans.ts'

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
  /** Lists the colleagues who come to the meetings of the customer at a position without being members. */
  colleagues(position: number): readonly MeetingPerson[]
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
  const findLast = createRange(data, ordinal)
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
    colleagues: createColleagues(organization, findLast, seed),
    holders: createHolders(data.list('members', id), findLast, ordinal),
  }
}

/**
 * Creates a function that numbers the last member who can look after the customer at a position. Members added with later
 * customers look after no earlier ones, so a larger size changes nothing.
 */
function createRange(data: Lookup, ordinal: number): (position: number) => number {
  const exists = (place: number): boolean =>
    data.get('members', computeId('members', ordinal, place)) !== undefined
  return (position) => {
    const last = countMembers(position)
    // A customer of a fixture can be at a position beyond those of the dataset.
    const isInside = last <= DIVISION || (exists(last) && exists(last - DIVISION + 1))
    return isInside ? last : DIVISION
  }
}

type Range = ReturnType<typeof createRange>

/** The number of colleagues of a division. */
const COLLEAGUES = 5

function createColleagues(
  { name, ordinal }: OrganizationRow & { readonly ordinal: number },
  findLast: Range,
  seed: number,
): Catalog['colleagues'] {
  const divisions: MeetingPerson[][] = []
  const generate = (position: number): MeetingPerson => {
    const id = computeId('members', ordinal, position)
    const person = generatePerson(
      new RecordKey(seed, 'colleagues', id).faker('name', findLocale('United States')),
    )
    const { firstName, lastName } = person
    return { id, email: createEmail(person, toDomain(name)), firstName, lastName }
  }
  return (position) => {
    const place = Math.floor((findLast(position) - 1) / DIVISION)
    return (divisions[place] ??= Array.from({ length: COLLEAGUES }, (_, index) =>
      generate(place * COLLEAGUES + index + 1),
    ))
  }
}

/** Nobody looks after more customers in a larger organization: those of an earlier division have no later ones. */
function createHolders(
  members: readonly Row<'members'>[],
  findLast: Range,
  ordinal: number,
): Catalog['holders'] {
  const staff = members.map((member) => ({ member, duty: detectDuty(member) }))
  const known = new Map<string, readonly Row<'members'>[]>()
  return (duty, position) => {
    const last = findLast(position)
    const key = `${duty} ${last}`
    const lastId = computeId('members', ordinal, last)
    const beforeId = last > DIVISION ? computeId('members', ordinal, last - DIVISION) : 0
    const found =
      known.get(key) ??
      staff.flatMap(({ member, duty: own }) =>
        own === duty && member.id > beforeId && member.id <= lastId ? member : [],
      )
    known.set(key, found)
    return found
  }
}
