import type { Row } from '../../src/store/tables.ts'
import { addYears } from '../calendar/time.ts'
import { GOLDEN, drawAt, hashRecord } from '../random/random.ts'
import { RecordKey } from '../random/record-key.ts'

type Entry = Row<'customers'>['products'][number]

/** The years since the first contract of customers: each year, more of them come. */
const ages = [5, 6, 6, 5, 6].flatMap((weight, index) => Array.from({ length: weight }, () => index + 1))

/** The shares by which the price usually rises at a renewal. */
export const UPLIFT = { min: 0.03, max: 0.08 } as const

const MAX_PLACE = 1_000_000

/** Counts the years since a customer's first contract for a product began. */
export function countYears(
  customerId: number,
  { key, status }: Pick<Entry, 'key' | 'status'>,
  seed: number,
): number {
  if (status === 'onboarding') return 1
  // Consecutive customers have ages in equal shares, whatever the seed.
  const place = (drawAt(hashRecord(seed, 'ages', 0), 0) + (customerId % MAX_PLACE) * GOLDEN) % 1
  const age = ages[Math.floor(place * ages.length)] ?? 1
  // Most customers bought all their products in the beginning, the others some since.
  if ((place * ages.length) % 1 < 0.6) return age
  const faker = new RecordKey(seed, 'contracts', customerId).faker('years', key)
  return faker.number.int({ min: 1, max: age })
}

/** The starts of contracts that were made or renewed after the dataset's time. Units: milliseconds since 1970. */
const laterStarts = new WeakMap<object, number>()

export function withStart(entry: Entry, startMs: number): Entry {
  laterStarts.set(entry, startMs)
  return entry
}

/** Finds the time when a customer's first contract for a product began. Contracts run for whole years. Units: milliseconds since 1970. */
export function computeStart(
  customerId: number,
  entry: Pick<Entry, 'key' | 'status' | 'renewalDate'>,
  seed: number,
): number {
  const laterMs = laterStarts.get(entry)
  if (laterMs !== undefined) return laterMs
  return addYears(Date.parse(entry.renewalDate), -countYears(customerId, entry, seed))
}

/** Finds the time when a customer's first contract began; infinite for one without products. Units: milliseconds since 1970. */
export const computeFirstStart = (
  { id, products }: Pick<Row<'customers'>, 'id' | 'products'>,
  seed: number,
): number => Math.min(...products.map((entry) => computeStart(id, entry, seed)))
