import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { countries, findPlace, type Place } from '../calendar/places.ts'
import { DAY, HOUR, formatInstant } from '../calendar/time.ts'
import { readText } from '../dataset/customer-rows.ts'
import { getPosition } from '../dataset/ids.ts'
import type { Tenant } from '../dataset/tenant.ts'
import type { Catalog } from '../definitions/catalog.ts'
import { findCustomerRole, type CustomerRole } from '../people/job-positions.ts'
import { chooseHolder, listNearby } from '../people/portfolios.ts'
import { RecordKey, mostlySmall } from '../random/record-key.ts'
import { generateEntries, type Buyer } from './commercials.ts'
import { detectIndustry, generateCompany, toDomain } from './company-names.ts'
import { computeStart } from './contracts.ts'
import { generateFieldValues } from './custom-fields.ts'
import { listRenewals } from './history.ts'
import { findSegment, findSegmentBySize, segments, type Segment } from './segments.ts'
import { getStage, removeLegalForm, type Stage } from './stages.ts'

type Customer = Row<'customers'>

export function generateCustomer(id: number, fields: Partial<Customer>, tenant: Tenant): Customer {
  const organization = tenant.findOrganization('customers', id, fields.organizationId)
  const catalog = tenant.getCatalog(organization)
  const key = new RecordKey(tenant.seed, 'customers', id)
  const place = choosePlace(fields, key)
  const company = generateCompany(
    new RecordKey(tenant.seed, 'companies', organization.ordinal),
    getPosition('customers', id),
    place.country,
  )
  const segment = chooseSegment(fields, key)
  const employees =
    fields.employeeCount ??
    Math.round(key.faker('employees').number.float({ distributor: mostlySmall, ...segment.employees }))
  const { seed, nowMs } = tenant
  const buyer = { id, seed, key, stage: chooseStage(id, seed), segment, employees, nowMs }
  const products = fields.products ?? generateEntries(catalog.products, buyer)
  const stage = getStage({ products })
  const starts = products.map((entry) => computeStart(id, entry, seed))
  // A spread comes after new properties, because V8 creates a hidden class for each of them after it: 1 µs, and garbage.
  const customFields = generateFieldValues(catalog.customFields, {
    country: place.country,
    startMs: Math.min(...starts),
    ordinal: organization.ordinal,
    industry: (fields.name && detectIndustry(removeLegalForm(fields.name))) || company.industry,
    ...buyer,
    stage,
  })
  return {
    id,
    organizationId: organization.id,
    name: addLegalForm(company.name, place, employees, key.faker('legal form')),
    city: place.city,
    country: place.country,
    region: place.region,
    timezone: place.timezone,
    domain: fields.name === undefined ? company.domain : toDomain(removeLegalForm(fields.name)),
    employeeCount: employees,
    segment: segment.name,
    memberRoles: generateRoles({ catalog, timezone: place.timezone, ...buyer, stage }),
    customFields,
    products,
    sources: generateSources(id, key),
    updatedDate: formatInstant(chooseUpdate({ products, customFields }, starts, key.faker('updated'), nowMs)),
  }
}

/** The time after the start of a contract in which the members get their roles. */
const HANDOVER = 5 * DAY

/** The time of day (in UTC) by which contracts are renewed or end. */
const PAPERWORK = 15 * HOUR

/** Chooses the time of the last update, which is after its contracts began, were renewed or ended, and after its go-live. */
function chooseUpdate(
  { products, customFields }: Pick<Customer, 'products' | 'customFields'>,
  starts: readonly number[],
  faker: SimpleFaker,
  nowMs: number,
): number {
  const times = products.flatMap((entry, index) => {
    const startMs = starts[index] ?? nowMs
    return [startMs, startMs + HANDOVER, ...listRenewals(entry, startMs).map((timeMs) => timeMs + PAPERWORK)]
  })
  const live = readText({ customFields }, 'goLiveDate')
  if (live !== undefined) times.push(Date.parse(live) + DAY)
  const ages = times.filter((timeMs) => timeMs < nowMs).map((timeMs) => nowMs - timeMs)
  const longest = Math.min(420 * DAY, ...ages)
  const min = Math.min(HOUR / 6, longest)
  return nowMs - Math.floor(faker.number.float({ min, max: longest, distributor: mostlySmall }))
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

const LARGE = 200

function addLegalForm(name: string, place: Place, employees: number, faker: SimpleFaker): string {
  const country = countries.find((candidate) => candidate.name === place.country)
  const forms = country?.legalForms.slice(0, employees < LARGE ? 1 : undefined) ?? []
  const form = forms.length > 0 && faker.datatype.boolean(0.45) ? faker.helpers.arrayElement(forms) : ''
  return form ? `${name} ${form}` : name
}

export const chooseCountry = (faker: SimpleFaker): string => faker.helpers.weightedArrayElement(byWeight).name

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

interface RoleContext extends Buyer {
  readonly catalog: Catalog
  readonly timezone: string
}

function generateRoles(context: RoleContext): Customer['memberRoles'] {
  if (context.key.faker('unassigned').datatype.boolean(isActive(context) ? 0.005 : 0.04)) return []
  const position = getPosition('customers', context.id)
  return context.catalog.memberRoles.flatMap((role) => {
    const faker = context.key.faker('role', role.key)
    const customerRole = findCustomerRole(role.key)
    const isForLead = faker.datatype.boolean(0.08)
    if (!faker.datatype.boolean(likelihoods[role.key]?.(context) ?? 0.2)) return []
    const holders = listHolders(customerRole ?? 'csm', isForLead, position, context)
    const place = { timezone: context.timezone, position }
    const first = chooseHolder(holders, place, faker)
    const isShared = customerRole === 'csm' && faker.datatype.boolean(0.1)
    const second = isShared
      ? chooseHolder(
          listNearby(holders, context.timezone).filter((member) => member !== first),
          place,
          faker,
        )
      : undefined
    const memberIds = [first, second].flatMap((member) => member?.id ?? [])
    return memberIds.length > 0 ? [{ key: role.key, memberIds }] : []
  })
}

const isActive = ({ stage }: RoleContext): boolean => stage !== 'prospect' && stage !== 'churned'

/**
 * Lists the members who can hold a role: some customers are looked after by the lead of the CSMs. Executives and CSMs may
 * be far away if nobody is near, others not.
 */
function listHolders(
  role: CustomerRole,
  isForLead: boolean,
  position: number,
  { catalog, timezone }: RoleContext,
): readonly Row<'members'>[] {
  if (role === 'csm' && isForLead) {
    const executives = catalog.listHolders('executiveSponsor', position)
    const leads = listNearby(executives, timezone).filter(({ title }) =>
      title.endsWith('Customer Success Team Lead'),
    )
    if (leads.length > 0) return leads
  }
  const holders = catalog.listHolders(role, position)
  const mayBeAway = role === 'csm' || role === 'executiveSponsor'
  return mayBeAway || listNearby(holders, timezone).length > 0 ? holders : []
}

const likelihoods: Readonly<Record<string, (context: RoleContext) => number>> = {
  csm: (context) => (isActive(context) ? 1 : context.stage === 'churned' ? 0.6 : 0.1),
  accountManager: ({ stage }) => (stage === 'prospect' ? 0.95 : 0.7),
  executiveSponsor: ({ segment }) => (segment.employees.min >= 200 ? 0.45 : 0.05),
  implementationLead: ({ stage }) => (stage === 'onboarding' ? 0.9 : 0.15),
}

/** A list, because Faker splits a text again for each call. */
const ALPHANUMERICS = Array.from('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ')

function generateSources(id: number, key: RecordKey): Customer['sources'] {
  const faker = key.faker('sources')
  const share = faker.number.float()
  const salesforce = `001Hs00${faker.string.fromCharacters(ALPHANUMERICS, 11)}`
  const hubspot = String(10_000_000_000 + (id % 1_000_000_000) * 9 + faker.number.int({ min: 0, max: 8 }))
  return [
    ...(share < 0.66 ? [{ key: 'salesforce', externalId: salesforce }] : []),
    ...(share > 0.4 && share < 0.88 ? [{ key: 'hubspot', externalId: hubspot }] : []),
  ]
}
