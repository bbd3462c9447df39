import { lowerBound } from '../../src/core/lower-bound.ts'
import { groupBy } from '../../src/core/maps.ts'
import type { Lookup } from '../../src/store/references.ts'
import type { Row } from '../../src/store/tables.ts'
import type { OrganizationRow } from '../../src/store/tables/members.ts'
import { toDomain } from '../customers/company-names.ts'
import { DIVISION, computeId, countMembers } from '../dataset/ids.ts'
import { detectCustomerRole, type CustomerRole } from '../people/job-positions.ts'
import { createEmail, findLocale, generatePerson } from '../people/people.ts'
import { RecordKey } from '../random/record-key.ts'
import { getProductPlan, type ProductPlan } from './product-plans.ts'

export type MeetingPerson = Row<'meetings'>['users'][number]

export interface CatalogProduct {
  readonly row: Row<'products'>
  readonly plan: ProductPlan
  readonly metrics: readonly Row<'productMetrics'>[]
}

export type Catalog = ReturnType<typeof readCatalog>

export function readCatalog(
  organization: OrganizationRow & { readonly ordinal: number },
  data: Lookup,
  seed: number,
) {
  const { id, ordinal } = organization
  const metrics = data.list('productMetrics', id)
  const exists = (place: number): boolean =>
    data.get('members', computeId('members', ordinal, place)) !== undefined
  // Members added with later customers look after no earlier ones, so a larger size changes nothing.
  const findLast: FindLast = (position) => {
    const last = countMembers(position)
    // A customer of a fixture can be at a position beyond those of the dataset.
    const isInside = last <= DIVISION || (exists(last) && exists(last - DIVISION + 1))
    return isInside ? last : DIVISION
  }
  return {
    ordinal,
    products: data.list('products', id).map((row) => ({
      row,
      plan: { ...getProductPlan(row.key), name: row.name },
      metrics: metrics.filter((metric) => metric.productId === row.id),
    })),
    customFields: data.list('customFields', id),
    memberRoles: data.list('memberRoles', id),
    noteCategories: data.list('noteCategories', id),
    briefs: data.list('briefs', id),
    /** Lists the colleagues who join meetings of the customer at a position without being members. */
    listColleagues: createColleagueLister(organization, findLast, seed),
    /** Lists the members who can hold a role on the customer at a position. Order: by id. */
    listHolders: createHolderLister(data.list('members', id), findLast, ordinal),
  }
}

/** Numbers the last member who can look after the customer at a position. */
type FindLast = (position: number) => number

const COLLEAGUES = 12

function createColleagueLister(
  { name, ordinal }: OrganizationRow & { readonly ordinal: number },
  findLast: FindLast,
  seed: number,
) {
  const divisions: MeetingPerson[][] = []
  const generate = (position: number): MeetingPerson => {
    const id = computeId('members', ordinal, position)
    const person = generatePerson(
      new RecordKey(seed, 'colleagues', id).faker('name', findLocale('United States')),
    )
    const { firstName, lastName } = person
    return { id, email: createEmail(person, toDomain(name)), firstName, lastName }
  }
  return (position: number): readonly MeetingPerson[] => {
    const place = Math.floor((findLast(position) - 1) / DIVISION)
    return (divisions[place] ??= Array.from({ length: COLLEAGUES }, (_, index) =>
      generate(place * COLLEAGUES + index + 1),
    ))
  }
}

/** Members of an earlier division look after no later customers, so that nobody has more of them in a larger organization. */
function createHolderLister(members: readonly Row<'members'>[], findLast: FindLast, ordinal: number) {
  const byRole = groupBy(members, detectCustomerRole)
  // Most customers follow each other, and have the same holders as the one before.
  const latest = new Map<CustomerRole, { readonly last: number; readonly holders: Row<'members'>[] }>()
  return (role: CustomerRole, position: number): readonly Row<'members'>[] => {
    const last = findLast(position)
    const cached = latest.get(role)
    if (cached?.last === last) return cached.holders
    const all = byRole.get(role) ?? []
    const countUpTo = (id: number): number => lowerBound(all.length, (at) => (all[at]?.id ?? 0) > id)
    const before = last > DIVISION ? countUpTo(computeId('members', ordinal, last - DIVISION)) : 0
    const holders = all.slice(before, countUpTo(computeId('members', ordinal, last)))
    latest.set(role, { last, holders })
    return holders
  }
}
