import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { countries, findPlace, type Place } from '../calendar/places.ts'
import { DAY, HOUR, formatInstant, parseTime } from '../calendar/time.ts'
import { getPosition } from '../dataset/ids.ts'
import type { PlacedOrganization, Tenant } from '../dataset/tenant.ts'
import type { Catalog } from '../definitions/catalog.ts'
import { findCustomerRole, type CustomerRole } from '../people/job-positions.ts'
import { mostlySmall } from '../random/fakers.ts'
import { RecordKey } from '../random/record-key.ts'
import { generateEntries } from './commercials.ts'
import { detectIndustry, generateCompany, toDomain, type CompanyName } from './company-names.ts'
import { computeStart } from './contracts.ts'
import { generateFieldValues } from './custom-fields.ts'
import { findSegment, findSegmentBySize, segments, type Segment } from './segments.ts'
import { getStage, removeLegalForm, type Stage } from './stages.ts'

type Customer = Row<'customers'>

/** Generates a customer whose name, domain, place, segment, size and spending agree. */
export function generateCustomer(id: number, fields: Partial<Customer>, tenant: Tenant): Customer {
  const organization = tenant.findOrganization('customers', id, fields.organizationId)
  const catalog = tenant.getCatalog(organization)
  const key = new RecordKey(tenant.seed, 'customers', id)
  const company = chooseCompany(id, organization, tenant.seed)
  const place = choosePlace(fields, key)
  const segment = chooseSegment(fields, key)
  const employees =
    fields.employeeCount ??
    Math.round(key.faker('employees').number.float({ ...segment.employees, distributor: mostlySmall }))
  const { seed, nowMs } = tenant
  const buyer = { id, seed, key, stage: chooseStage(id, seed), segment, employees, nowMs }
  const products = fields.products ?? generateEntries(catalog.products, buyer)
  const stage = getStage({ products })
  return {
    id,
    organizationId: organization.id,
    name: addLegalForm(company.name, place, key.faker('legal form')),
    city: place.city,
    country: place.country,
    region: place.region,
    timezone: place.timezone,
    domain: fields.name === undefined ? company.domain : toDomain(removeLegalForm(fields.name)),
    employeeCount: employees,
    segment: segment.name,
    memberRoles: generateRoles(id, { catalog, key, stage, segment }),
    customFields: generateFieldValues(catalog.customFields, {
      ...buyer,
      stage,
      products,
      country: place.country,
      industry: detectIndustry(removeLegalForm(fields.name ?? '')) ?? company.industry,
    }),
    products,
    sources: generateSources(id, key),
    updatedDate: formatInstant(chooseUpdate({ id, products }, key.faker('updated'), tenant)),
  }
}

/** Chooses the time of the last update, which is after the last contract began or ended. */
function chooseUpdate(
  { id, products }: Pick<Customer, 'id' | 'products'>,
  faker: SimpleFaker,
  { seed, nowMs }: Tenant,
): number {
  const changes = products.map((entry) =>
    entry.status === 'churned' ? parseTime(entry.renewalDate) : computeStart(id, entry, seed),
  )
  const longest = Math.min(420 * DAY, ...changes.map((timeMs) => nowMs - timeMs))
  const age = faker.number.float({ min: HOUR / 6, max: Math.max(HOUR, longest), distributor: mostlySmall })
  return nowMs - Math.floor(age)
}

/** The stages of any eleven consecutive customers, so that a small dataset has all of them too. */
const stages: readonly Stage[] = [
  ...(['prospect', 'churned', 'onboarding', 'atRisk', 'atRisk'] as const),
  ...(['steady', 'steady', 'steady', 'growing', 'growing', 'growing'] as const),
]

function chooseStage(id: number, seed: number): Stage {
  const group = Math.floor((id - 1) / stages.length)
  const order = new RecordKey(seed, 'stages', group).faker('order').helpers.shuffle(stages)
  return order[(id - 1) % stages.length] ?? 'steady'
}

function chooseCompany(id: number, organization: PlacedOrganization, seed: number): CompanyName {
  return generateCompany(new RecordKey(seed, 'companies', organization.ordinal), getPosition('customers', id))
}

function addLegalForm(name: string, place: Place, faker: SimpleFaker): string {
  const country = countries.find((candidate) => candidate.name === place.country)
  const form = faker.datatype.boolean(0.35) && country ? faker.helpers.arrayElement(country.legalForms) : ''
  return form ? `${name} ${form}` : name
}

const byWeight = countries.map((country) => ({ weight: country.weight, value: country }))

function choosePlace(fields: Partial<Customer>, key: RecordKey): Place {
  const named = fields.city === undefined ? undefined : findPlace(fields.city)
  if (named) return named
  const faker = key.faker('place')
  const country =
    countries.find(({ name }) => name === fields.country) ?? faker.helpers.weightedArrayElement(byWeight)
  return faker.helpers.arrayElement(country.places)
}

const segmentsByWeight = segments.map((segment) => ({ weight: segment.weight, value: segment }))

function chooseSegment(fields: Partial<Customer>, key: RecordKey): Segment {
  const named = fields.segment === undefined ? undefined : findSegment(fields.segment)
  const sized = fields.employeeCount === undefined ? undefined : findSegmentBySize(fields.employeeCount)
  return named ?? sized ?? key.faker('segment').helpers.weightedArrayElement(segmentsByWeight)
}

interface RoleContext {
  readonly catalog: Catalog
  readonly key: RecordKey
  readonly stage: Stage
  readonly segment: Segment
}

function generateRoles(id: number, context: RoleContext): Customer['memberRoles'] {
  if (context.key.faker('unassigned').datatype.boolean(isActive(context) ? 0.005 : 0.04)) return []
  return context.catalog.memberRoles.flatMap((role) => {
    const faker = context.key.faker(`role ${role.key}`)
    const customerRole = findCustomerRole(role.key)
    const holders = listHolders(customerRole ?? 'csm', getPosition('customers', id), context.catalog, faker)
    if (holders.length === 0 || !faker.datatype.boolean(likelihoods[role.key]?.(context) ?? 0.2)) return []
    const isShared = customerRole === 'csm' && holders.length > 1 && faker.datatype.boolean(0.1)
    const memberIds = isShared
      ? faker.helpers.arrayElements(holders, 2)
      : [faker.helpers.arrayElement(holders)]
    return [{ key: role.key, memberIds: memberIds.map((member) => member.id) }]
  })
}

const isActive = ({ stage }: RoleContext): boolean => stage !== 'prospect' && stage !== 'churned'

/** Lists the members who can hold a role: some customers are looked after by the lead of the CSMs. */
function listHolders(
  role: CustomerRole,
  position: number,
  catalog: Catalog,
  faker: SimpleFaker,
): readonly Row<'members'>[] {
  const isForLead = faker.datatype.boolean(0.08)
  const leads =
    role === 'csm' && isForLead ? catalog.listHolders('executiveSponsor', position).filter(isTeamLead) : []
  return leads.length > 0 ? leads : catalog.listHolders(role, position)
}

const isTeamLead = ({ title }: Row<'members'>): boolean => title.endsWith('Customer Success Team Lead')

const likelihoods: Readonly<Record<string, (context: RoleContext) => number>> = {
  csm: (context) => (isActive(context) ? 1 : context.stage === 'churned' ? 0.6 : 0.1),
  accountManager: ({ stage }) => (stage === 'prospect' ? 0.95 : 0.7),
  executiveSponsor: ({ segment }) => (segment.employees.min >= 200 ? 0.45 : 0.05),
  implementationLead: ({ stage }) => (stage === 'onboarding' ? 0.9 : 0.15),
}

function generateSources(id: number, key: RecordKey): Customer['sources'] {
  const faker = key.faker('sources')
  const share = faker.number.float()
  const salesforce = `001Hs00${faker.string.alphanumeric(11)}`
  const hubspot = String(10_000_000_000 + (id % 1_000_000_000) * 9 + faker.number.int({ min: 0, max: 8 }))
  return [
    ...(share < 0.66 ? [{ key: 'salesforce', externalId: salesforce }] : []),
    ...(share > 0.4 && share < 0.88 ? [{ key: 'hubspot', externalId: hubspot }] : []),
  ]
}
