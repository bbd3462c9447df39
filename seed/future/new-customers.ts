import { DAY, formatInstant } from '../calendar/time.ts'
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
import type { CustomerTimeline } from './customer-timeline.ts'

/** The positions of the names of later companies, which no customer of a dataset has. */
const NAMES = { from: 100_001, count: 99_900 } as const

/** Takes the next id for a customer that this one spawns; undefined if it was spawned itself, or has spawned the maximum. */
function takeSpawnedId(timeline: CustomerTimeline): number | undefined {
  if (getSpawnedPlace(timeline.id) !== 0 || timeline.spawnedCount >= CUSTOMERS_PER_ROOT - 1) return undefined
  timeline.spawnedCount += 1
  return computeFutureCustomerId(getRootCustomer(timeline.id), timeline.day, timeline.spawnedCount)
}

export function addCustomer(timeline: CustomerTimeline): void {
  const { customer, dataset, organization, nowMs } = timeline
  const id = takeSpawnedId(timeline)
  if (id === undefined) return
  const faker = timeline.createKey('referral').faker('company')
  const place = getRootCustomer(timeline.id) * CUSTOMERS_PER_ROOT + timeline.spawnedCount
  const country = faker.datatype.boolean(0.6) ? customer.country : chooseCountry(faker)
  const { name, domain } = generateCompany(
    new RecordKey(dataset.seed, 'companies', organization.ordinal),
    NAMES.from + (place % NAMES.count),
    country,
  )
  const fields = { organizationId: organization.id, name, products: [], country }
  const generated = generateCustomer(id, fields, timeline.createTenant(nowMs))
  const row = { ...generated, name, domain, updatedDate: formatInstant(nowMs) }
  timeline.recordCustomer(id, row)
  const isBuyer = faker.datatype.boolean(0.35)
  const purchaseMs = isBuyer ? nowMs + faker.number.int({ min: 2, max: 25 }) * DAY : undefined
  timeline.spawned.push({ customer: row, atMs: nowMs, purchaseMs })
}

/** Creates a customer a second time, as an import does, and merges both some days later. */
export function duplicateCustomer(timeline: CustomerTimeline): void {
  const { customer, nowMs } = timeline
  const id = takeSpawnedId(timeline)
  if (id === undefined) return
  const isInHubspot = customer.sources.some(({ key }) => key === 'hubspot')
  const source = isInHubspot
    ? { key: 'salesforce', externalId: `001Hs0D${String(id % 100_000_000_000).padStart(11, '0')}` }
    : { key: 'hubspot', externalId: String(70_000_000_000 + (id % 10_000_000_000)) }
  const short = removeLegalForm(customer.name)
  const name = short === customer.name ? short.toUpperCase() : short
  const nothing = { memberRoles: [], customFields: [], products: [] }
  const dates = { updatedDate: formatInstant(nowMs) }
  timeline.recordCustomer(id, { ...customer, id, name, ...nothing, sources: [source], ...dates })
  const days = 3 + drawAt(timeline.hash, id) * 17
  timeline.schedule(nowMs + days * DAY, (later) => {
    const { sources } = later.customer
    later.recordCustomer(id, null)
    later.update(sources.some(({ key }) => key === source.key) ? {} : { sources: [...sources, source] })
  })
}

/** Deletes a customer that nobody works with, with its records. */
export function removeCustomer(timeline: CustomerTimeline): void {
  const { customer, dataset } = timeline
  if (customer.products.some(({ status }) => status !== 'churned')) return
  const rows = childTables
    .filter((table) => table !== 'triggerLogs' && table !== 'actionLogs')
    .flatMap((table) => timeline.listRows(table).map(({ id }) => ({ table, id })))
  const hasStatic = rows.some(({ table, id }) => dataset.isStatic(table, id))
  const isNew = Date.parse(customer.updatedDate) > timeline.nowMs - 20 * DAY
  if (hasStatic || isNew || timeline.spawnedCount > 0) return
  for (const { table, id } of rows) timeline.remove(table, id)
  timeline.end()
}
