import type { Row } from '../../src/store/tables.ts'
import { DAY, formatInstant, parseTime } from '../calendar/time.ts'
import { generateCompany } from '../customers/company-names.ts'
import { chooseCountry, generateCustomer } from '../customers/customers.ts'
import { removeLegalForm } from '../customers/stages.ts'
import { childTables } from '../dataset/generated-ids.ts'
import {
  CUSTOMERS_PER_ROOT,
  computeFutureCustomerId,
  getRootCustomer,
  getSpawnedPlace,
} from '../dataset/ids.ts'
import { drawAt } from '../random/random.ts'
import { RecordKey } from '../random/record-key.ts'
import { buyProduct } from './contracts.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

type Source = Row<'customers'>['sources'][number]

/** The positions of the names of later companies, which no customer of a dataset has. */
const NAMES = { from: 100_001, count: 99_900 } as const

/** Takes the next id for a customer that this one spawns; undefined if it was spawned itself, or has spawned the maximum. */
function takeSpawnedId(timeline: CustomerTimeline): number | undefined {
  if (getSpawnedPlace(timeline.id) !== 0 || timeline.spawnedCount >= CUSTOMERS_PER_ROOT - 1) return undefined
  timeline.spawnedCount += 1
  return computeFutureCustomerId(getRootCustomer(timeline.id), timeline.day, timeline.spawnedCount)
}

export function addCustomer(timeline: CustomerTimeline): void {
  const { customer, dataset } = timeline
  const id = customer && takeSpawnedId(timeline)
  if (!customer || id === undefined) return
  const { organizationId } = customer
  const { ordinal } = dataset.getOrganization(organizationId)
  const faker = timeline.createKey('referral').faker('company')
  const place = getRootCustomer(timeline.id) * CUSTOMERS_PER_ROOT + timeline.spawnedCount
  const country = faker.datatype.boolean(0.6) ? customer.country : chooseCountry(faker)
  const company = generateCompany(
    new RecordKey(dataset.seed, 'companies', ordinal),
    NAMES.from + (place % NAMES.count),
    country,
  )
  const row: Row<'customers'> = {
    ...generateCustomer(
      id,
      { organizationId, name: company.name, products: [], country },
      timeline.createTenant(timeline.nowMs),
    ),
    name: company.name,
    domain: company.domain,
    updatedDate: formatInstant(timeline.nowMs),
  }
  timeline.recordCustomer(id, row)
  const isBuyer = faker.datatype.boolean(0.35)
  const days = isBuyer ? faker.number.int({ min: 2, max: 25 }) : 0
  const purchase = { atMs: timeline.nowMs + days * DAY, happen: buyProduct }
  timeline.spawned = [
    ...timeline.spawned,
    { customer: row, atMs: timeline.nowMs, events: isBuyer ? [purchase] : [] },
  ]
}

export function duplicateCustomer(timeline: CustomerTimeline): void {
  const { customer } = timeline
  const id = customer && takeSpawnedId(timeline)
  if (!customer || id === undefined) return
  const isInHubspot = customer.sources.some(({ key }) => key === 'hubspot')
  const source = isInHubspot
    ? { key: 'salesforce', externalId: `001Hs0D${String(id % 100_000_000_000).padStart(11, '0')}` }
    : { key: 'hubspot', externalId: String(70_000_000_000 + (id % 10_000_000_000)) }
  const short = removeLegalForm(customer.name)
  timeline.recordCustomer(id, {
    ...customer,
    id,
    name: short === customer.name ? short.toUpperCase() : short,
    memberRoles: [],
    customFields: [],
    products: [],
    sources: [source],
    updatedDate: formatInstant(timeline.nowMs),
  })
  const days = 3 + drawAt(timeline.hash, id) * 17
  timeline.schedule(timeline.nowMs + days * DAY, (later) => mergeDuplicate(later, id, source))
}

function mergeDuplicate(timeline: CustomerTimeline, id: number, source: Source): void {
  timeline.recordCustomer(id, null)
  const sources = timeline.customer?.sources ?? []
  const hasSource = sources.some(({ key }) => key === source.key)
  timeline.update(hasSource ? {} : { sources: [...sources, source] })
}

export function removeCustomer(timeline: CustomerTimeline): void {
  const { customer, dataset } = timeline
  if (!customer || customer.products.some(({ status }) => status !== 'churned')) return
  const tables = childTables.filter((table) => table !== 'triggerLogs' && table !== 'actionLogs')
  const hasStatic = tables.some((table) =>
    timeline.listRows(table).some(({ id }) => dataset.isStatic(table, id)),
  )
  const isNew = parseTime(customer.updatedDate) > timeline.nowMs - 20 * DAY
  if (hasStatic || isNew || timeline.spawnedCount > 0) return
  for (const table of tables) for (const { id } of timeline.listRows(table)) timeline.remove(table, id)
  timeline.recordCustomer(timeline.id, null)
  timeline.end()
}
