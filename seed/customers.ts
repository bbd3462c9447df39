import type { Row } from '../src/store/tables.ts'
import type { Catalog } from './catalog.ts'
import { generateEntries } from './commercials.ts'
import { generateCompany, type CompanyName, toDomain, detectIndustry } from './company-names.ts'
import { generateFieldValues } from './custom-fields.ts'
import { getPosition } from './ids.ts'
import { countries, type Place, findPlace } from './places.ts'
import { type Duty } from './posts.ts'
import { type Random, type RecordKey, recordKey } from './random.ts'
import { type Segment, findSegment, findSegmentBySize, segments } from './segments.ts'
import { shortName, type Stage, getStage } from './stages.ts'
import type { PlacedOrganization, Tenant } from './tenant.ts'
import { DAY, HOUR, instant } from './time.ts'

type Customer = Row<'customers'>

/** Generates a customer whose name, domain, place, segment, size and spending agree. */
export function generateCustomer(id: number, given: Partial<Customer>, tenant: Tenant): Customer {
  const organization = tenant.organizationFor('customers', id, given.organizationId)
  const catalog = tenant.catalog(organization)
  const key = recordKey(tenant.seed, 'customers', id)
  const company = chooseCompany(id, organization, tenant.seed)
  const place = choosePlace(given, key)
  const segment = chooseSegment(given, key)
  const employees = given.employeeCount ?? Math.round(key.for('employees').skewed(...segment.employees))
  const buyer = { key, stage: chooseStage(id, tenant.seed), segment, employees, nowMs: tenant.nowMs }
  const products = given.products ?? generateEntries(catalog.products, buyer)
  const stage = getStage({ products })
  return {
    id,
    organizationId: organization.id,
    name: legalName(company.name, place, key.for('legal form')),
    city: place.city,
    country: place.country,
    region: place.region,
    timezone: place.timezone,
    domain: given.name === undefined ? company.domain : toDomain(shortName(given.name)),
    employeeCount: employees,
    segment: segment.name,
    memberRoles: generateRoles(id, { catalog, key, stage, segment }),
    customFields: generateFieldValues(catalog.customFields, {
      ...buyer,
      stage,
      industry: detectIndustry(shortName(given.name ?? '')) ?? company.industry,
    }),
    products,
    sources: generateSources(id, key),
    updatedDate: instant(tenant.nowMs - Math.floor(key.for('updated').skewed(HOUR / 6, 420 * DAY))),
  }
}

/** The stages of any eleven consecutive customers, so that a small dataset has all of them too. */
const stages: readonly Stage[] = [
  ...(['prospect', 'churned', 'onboarding', 'atRisk', 'atRisk'] as const),
  ...(['steady', 'steady', 'steady', 'growing', 'growing', 'growing'] as const),
]

function chooseStage(id: number, seed: number): Stage {
  const deal = Math.floor((id - 1) / stages.length)
  const order = recordKey(seed, 'stages', deal).for('order').shuffled(stages)
  return order[(id - 1) % stages.length] ?? 'steady'
}

function chooseCompany(id: number, organization: PlacedOrganization, seed: number): CompanyName {
  return generateCompany(recordKey(seed, 'companies', organization.ordinal), getPosition('customers', id))
}

function legalName(name: string, place: Place, random: Random): string {
  const country = countries.find((candidate) => candidate.name === place.country)
  const form = random.chance(0.35) && country ? random.pick(country.legalForms) : ''
  return form ? `${name} ${form}` : name
}

const byWeight = countries.map((country) => [country, country.weight] as const)

function choosePlace(given: Partial<Customer>, key: RecordKey): Place {
  const named = given.city === undefined ? undefined : findPlace(given.city)
  if (named) return named
  const random = key.for('place')
  const country = countries.find(({ name }) => name === given.country) ?? random.weighted(byWeight)
  return random.pick(country.places)
}

const segmentsByWeight = segments.map((segment) => [segment, segment.weight] as const)

function chooseSegment(given: Partial<Customer>, key: RecordKey): Segment {
  const named = given.segment === undefined ? undefined : findSegment(given.segment)
  const sized = given.employeeCount === undefined ? undefined : findSegmentBySize(given.employeeCount)
  return named ?? sized ?? key.for('segment').weighted(segmentsByWeight)
}

interface Staffing {
  readonly catalog: Catalog
  readonly key: RecordKey
  readonly stage: Stage
  readonly segment: Segment
}

function generateRoles(id: number, staffing: Staffing): Customer['memberRoles'] {
  if (staffing.key.for('unassigned').chance(0.04)) return []
  return staffing.catalog.memberRoles.flatMap((role) => {
    const random = staffing.key.for(`role ${role.key}`)
    const duty = duties.find((candidate) => candidate === role.key)
    const holders = staffing.catalog.holders(duty ?? 'csm', getPosition('customers', id))
    if (holders.length === 0 || !random.chance(likelihoods[role.key]?.(staffing) ?? 0.2)) return []
    const isShared = duty === 'csm' && holders.length > 1 && random.chance(0.1)
    const memberIds = isShared ? random.sample(holders, 2) : [random.pick(holders)]
    return [{ key: role.key, memberIds: memberIds.map((member) => member.id) }]
  })
}

const duties: readonly Duty[] = ['csm', 'accountManager', 'executiveSponsor', 'implementationLead']

/** How likely a customer has a member in each role. */
const likelihoods: Readonly<Record<string, (staffing: Staffing) => number>> = {
  csm: ({ stage }) => (stage === 'prospect' ? 0.1 : 0.94),
  accountManager: ({ stage }) => (stage === 'prospect' ? 0.95 : 0.7),
  executiveSponsor: ({ segment }) => (segment.employees[0] >= 200 ? 0.45 : 0.05),
  implementationLead: ({ stage }) => (stage === 'onboarding' ? 0.9 : 0.15),
}

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Generates the ids of the customer in none, one or both of the external systems. */
function generateSources(id: number, key: RecordKey): Customer['sources'] {
  const random = key.for('sources')
  const share = random.next()
  let salesforce = '001Hs00'
  while (salesforce.length < 18) salesforce += CHARACTERS.charAt(random.int(0, 61))
  const hubspot = String(10_000_000_000 + (id % 1_000_000_000) * 9 + random.int(0, 8))
  return [
    ...(share < 0.66 ? [{ key: 'salesforce', externalId: salesforce }] : []),
    ...(share > 0.4 && share < 0.88 ? [{ key: 'hubspot', externalId: hubspot }] : []),
  ]
}
