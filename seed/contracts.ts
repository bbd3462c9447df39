import type { Row } from '../src/store/tables.ts'
import { RecordKey } from './record-key.ts'
import { DAY, parseTime } from './time.ts'

type Entry = Row<'customers'>['products'][number]

/** Finds the time when a customer's first contract for a product began. Contracts run for whole years. Units: milliseconds since 1970. */
export function computeStart(
  customerId: number,
  { key, status, renewalDate }: Pick<Entry, 'key' | 'status' | 'renewalDate'>,
  seed: number,
): number {
  const faker = new RecordKey(seed, 'contracts', customerId).faker(`years ${key}`)
  const years = status === 'onboarding' ? 1 : faker.number.int({ min: 1, max: 5 })
  return parseTime(renewalDate) - years * 365 * DAY
}
