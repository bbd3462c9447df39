import type { Row } from '../../src/store/tables.ts'
import { generateCompany } from '../company-names.ts'
import { generateCustomer } from '../customers.ts'
import { childTables } from '../generated-ids.ts'
import { computeFutureCustomerId, FAMILY, getFamilyPlace, getFamilyRoot } from '../ids.ts'
import { drawAt } from '../random.ts'
import { RecordKey } from '../record-key.ts'
import { shortName } from '../stages.ts'
import { DAY, instant, parseTime } from '../time.ts'
import { buyProduct } from './contracts.ts'
import type { LifeDraft } from './life.ts'

/** The names of companies that come with time are at positions that no customer of a dataset has. */
const NAMES = { from: 100_001, count: 99_900 } as const

/** Takes the next place in the family of a customer; undefined if it is complete. Only its root adds members. */
function takeFamilyId(life: LifeDraft): number | undefined {
  if (getFamilyPlace(life.id) !== 0 || life.offspring >= FAMILY - 1) return undefined
  life.offspring += 1
  return computeFutureCustomerId(getFamilyRoot(life.id), life.day, life.offspring)
}

/** Adds a customer that has come through this one: mostly a prospect, sometimes one that buys at once. */
export function addCustomer(life: LifeDraft): void {
  const { customer, world } = life
  const id = customer && takeFamilyId(life)
  if (!customer || id === undefined) return
  const { organizationId } = customer
  const { ordinal } = world.organization(organizationId)
  const faker = life.key('referral').faker('company')
  const place = getFamilyRoot(life.id) * FAMILY + life.offspring
  const company = generateCompany(
    new RecordKey(world.seed, 'companies', ordinal),
    NAMES.from + (place % NAMES.count),
  )
  const isNear = faker.datatype.boolean(0.6)
  const row: Row<'customers'> = {
    ...generateCustomer(
      id,
      { organizationId, name: company.name, products: [], ...(isNear && { country: customer.country }) },
      life.tenant(life.nowMs),
    ),
    name: company.name,
    domain: company.domain,
    updatedDate: instant(life.nowMs),
  }
  life.enterCustomer(id, row)
  const buysAt = faker.datatype.boolean(0.35) ? faker.number.int({ min: 2, max: 25 }) : undefined
  const purchase = { atMs: life.nowMs + (buysAt ?? 0) * DAY, happen: buyProduct }
  life.births.push({ customer: row, atMs: life.nowMs, plans: buysAt === undefined ? [] : [purchase] })
}

/** Imports the customer a second time from another system, and merges both some days later. */
export function duplicateCustomer(life: LifeDraft): void {
  const { customer } = life
  const id = customer && takeFamilyId(life)
  if (!customer || id === undefined) return
  const isKnown = customer.sources.some(({ key }) => key === 'hubspot')
  const source = isKnown
    ? { key: 'salesforce', externalId: `001Hs0D${String(id % 100_000_000_000).padStart(11, '0')}` }
    : { key: 'hubspot', externalId: String(70_000_000_000 + (id % 10_000_000_000)) }
  const short = shortName(customer.name)
  life.enterCustomer(id, {
    ...customer,
    id,
    name: short === customer.name ? short.toUpperCase() : short,
    memberRoles: [],
    customFields: [],
    products: [],
    sources: [source],
    updatedDate: instant(life.nowMs),
  })
  const days = 3 + drawAt(life.hash, id) * 17
  life.plan(Math.floor(life.nowMs + days * DAY), (later) => {
    later.enterCustomer(id, null)
    const own = later.customer?.sources ?? []
    if (!own.some(({ key }) => key === source.key)) later.update({ sources: [...own, source] })
    else later.update({})
  })
}

/** Deletes the customer with its records, when nobody works with it any more. */
export function removeCustomer(life: LifeDraft): void {
  const { customer, world } = life
  if (!customer || customer.products.some(({ status }) => status !== 'churned')) return
  const tables = childTables.filter((table) => table !== 'triggerLogs' && table !== 'actionLogs')
  const hasStill = tables.some((table) => life.own(table).some(({ id }) => world.isStill(table, id)))
  const isNew = parseTime(customer.updatedDate) > life.nowMs - 20 * DAY
  if (hasStill || isNew || life.offspring > 0) return
  for (const table of tables) for (const { id } of life.own(table)) life.remove(table, id)
  life.enterCustomer(life.id, null)
  life.end()
}
