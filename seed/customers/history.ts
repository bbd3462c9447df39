import type { Row } from '../../src/store/tables.ts'
import type { Period } from '../calendar/calendar.ts'
import { DAY, addYears, formatDate } from '../calendar/time.ts'
import { RecordKey, mostlySmall } from '../random/record-key.ts'
import { UPLIFT, computeFirstStart, computeStart } from './contracts.ts'
import { findPrices } from './segments.ts'

type Customer = Row<'customers'>
type Entry = Customer['products'][number]

/** The time after the first contract in which a product is rolled out. */
const ROLLOUT = 60 * DAY

/** The time in which a customer uses a product less before it leaves. */
const DECLINE = 180 * DAY

/**
 * Rewinds a customer to a time: only the products that it had bought by then, with their status, yearly price, renewal
 * and engagement of that time. Units: milliseconds since 1970.
 */
export function rewindCustomer(customer: Customer, timeMs: number, seed: number): Customer {
  return {
    ...customer,
    products: customer.products.flatMap((entry) => rewindEntry(entry, customer, timeMs, seed) ?? []),
  }
}

/**
 * Rewinds a product entry to a time; undefined before the product was bought.
 * NOTE: contracts run for a year and renew at a price 3 to 8 % higher, so an entry that renews more than a year later was
 * in an earlier contract.
 */
function rewindEntry(entry: Entry, customer: Customer, timeMs: number, seed: number): Entry | undefined {
  const startMs = computeStart(customer.id, entry, seed)
  const lastMs = Date.parse(entry.renewalDate)
  if (timeMs < startMs) return undefined
  if (entry.status === 'churned' && timeMs >= lastMs) return entry
  const coming = listRenewals(entry, startMs).filter((renewalMs) => renewalMs > timeMs)
  const renewals = Math.max(0, coming.length - 1)
  const isRollout = renewals > 0 && timeMs < startMs + ROLLOUT
  const status = isRollout ? 'onboarding' : entry.status === 'churned' ? 'active' : entry.status
  const key = new RecordKey(seed, 'contracts', customer.id)
  return {
    ...entry,
    status,
    arr: rewindPrice(entry, customer, renewals, key),
    renewalDate: formatDate(coming.at(-1) ?? lastMs),
    engagement: rewindEngagement(entry, renewals, lastMs - timeMs, key),
  }
}

/** Lists the past and coming days of a contract's renewals and its end. Order: the last one first. */
export function listRenewals({ renewalDate }: Entry, startMs: number): number[] {
  const lastMs = Date.parse(renewalDate)
  const renewals: number[] = []
  for (let timeMs = lastMs; timeMs > startMs + ROLLOUT;) {
    renewals.push(timeMs)
    timeMs = addYears(lastMs, -renewals.length)
  }
  return renewals
}

function rewindPrice(entry: Entry, customer: Customer, renewals: number, key: RecordKey): number {
  const uplifts = key.faker('uplifts', entry.key)
  let price = entry.status === 'churned' ? generateFormerPrice(entry, customer, key) : entry.arr
  if (renewals === 0) return price
  for (let renewal = 0; renewal < renewals; renewal += 1) {
    price /= 1 + uplifts.number.float(UPLIFT)
  }
  return Math.round(price / 100) * 100
}

function generateFormerPrice({ key: product }: Entry, { segment }: Customer, key: RecordKey): number {
  const { min, max } = findPrices(segment)
  const share = key.faker('former', product).number.float({ distributor: mostlySmall })
  return Math.round((min + (max - min) * share) / 100) * 100
}

function rewindEngagement(
  { engagement, key: product, status }: Entry,
  renewals: number,
  leftMs: number,
  key: RecordKey,
): Entry['engagement'] {
  if (status === 'churned') return { level: leftMs < DECLINE ? 'low' : 'medium' }
  if (renewals === 0) return engagement
  return key.faker('earlier use', product).datatype.boolean() ? { level: 'medium' } : engagement
}

export const HISTORY = 540 * DAY

/** The time since the first contact with a prospect. */
export const PROSPECTING = 520 * DAY

/** The days before a renewal in which people write about it. */
export const RENEWAL_DAYS = 150

/** The time before the first contract, and after the last one, in which people talk with a customer. */
const BEFORE = 150 * DAY
const AFTER = 60 * DAY

/**
 * Finds the period of conversations with a customer, at most 18 months: from shortly before its first contract until now,
 * or until shortly after its last one.
 */
export function findPeriod(customer: Customer, nowMs: number, seed: number): Period {
  const { products } = customer
  if (products.length === 0) return { fromMs: nowMs - PROSPECTING, toMs: nowMs }
  const firstMs = computeFirstStart(customer, seed) - BEFORE
  const ends = products.map(({ status, renewalDate }) =>
    status === 'churned' ? Date.parse(renewalDate) + AFTER : nowMs,
  )
  const toMs = Math.min(nowMs, Math.max(...ends))
  return { fromMs: Math.min(Math.max(firstMs, nowMs - HISTORY), toMs - AFTER / 2), toMs }
}

const USUAL_MONTHS = 6

/** Rewinds a metric that is a number to a time, about; undefined if it is none, or not known. Shape: whole numbers. */
export function rewindMetric(entry: Entry, key: string, timeMs: number): number | undefined {
  const value = entry.metrics.find((metric) => metric.key === key)?.value
  if (typeof value !== 'number') return undefined
  const months = (Date.parse(entry.renewalDate) - timeMs) / (30 * DAY) - USUAL_MONTHS
  const change = entry.engagement.level === 'low' ? 0.03 : -0.015
  return Math.round(value * Math.min(1.3, Math.max(0.6, 1 + change * months)))
}
