import { isWorkingDay, type Workplace } from '../../seed/calendar/calendar.ts'
import { computeStart } from '../../seed/customers/contracts.ts'
import { home } from '../../seed/people/offices.ts'
import type { Row } from '../../src/store/tables.ts'
import { now } from './datasets.ts'

export const DAY = 86_400_000
export const nowMs = Date.parse(now)

/** The customers of the default fixture, whose records are written by hand. */
const byHand = new Set([1, 2, 3, 1_000_001, 1_000_002])
export const isGenerated = (row: { readonly customerId: number }): boolean => !byHand.has(row.customerId)

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Reports whether people in an office, by default in the eastern United States, work at an instant. */
export function isAtWork(instant: string, { country, timezone }: Workplace = home): boolean {
  const formatter =
    formatters.get(timezone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  formatters.set(timezone, formatter)
  const [day = '', time = ''] = formatter.format(new Date(instant)).split(' ')
  return isWorkingDay(Date.parse(day), country) && time >= '09:00' && time <= '17:00'
}

/** Compares the events of the last two weeks, of two usual weeks of the quarter before, and of the same half-year a year apart. */
export function measureTrend(instants: readonly string[]): { recent: number; growth: number } {
  const ages = instants.map((instant) => (nowMs - Date.parse(instant)) / DAY)
  const count = (from: number, to: number) => ages.filter((age) => age >= from && age < to).length
  const usual = count(14, 98) / 6
  return { recent: count(0, 14) / usual, growth: count(0, 180) / count(360, 540) }
}

type Customer = Row<'customers'>

/** Lists the renewals of a product, the last one first. */
export function listRenewals(
  customer: Customer,
  entry: Customer['products'][number],
  seed: number,
): number[] {
  const startMs = computeStart(customer.id, entry, seed)
  const [year = 0, month = 1, day = 1] = entry.renewalDate.split('-').map(Number)
  return Array.from({ length: 10 }, (_, index) => Date.UTC(year - index, month - 1, day)).filter(
    (timeMs) => timeMs > startMs + 30 * DAY,
  )
}

/** Reports whether a customer had a product under contract at a time. */
export function hadContract(
  customer: Customer,
  entry: Customer['products'][number],
  instant: string,
  seed: number,
): boolean {
  const timeMs = Date.parse(instant)
  const isOver = entry.status === 'churned' && timeMs > Date.parse(entry.renewalDate)
  return timeMs >= computeStart(customer.id, entry, seed) && !isOver
}
