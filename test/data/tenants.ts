import { isWorkingDay, type Workplace } from '../../seed/calendar/calendar.ts'
import { DAY } from '../../seed/calendar/time.ts'
import { computeStart } from '../../seed/customers/contracts.ts'
import { home } from '../../seed/people/offices.ts'
import { countEqual, groupBy } from '../../src/core/maps.ts'
import { exportDataset } from '../../src/sandbox/export-dataset.ts'
import type { Dataset } from '../../src/store/dataset.ts'
import type { Row, Rows, TableName } from '../../src/store/tables.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { generated, now } from './generated.ts'

export { DAY } from '../../seed/calendar/time.ts'
export { formatName } from '../../seed/texts/format.ts'
export { groupBy } from '../../src/core/maps.ts'
export { expectNone, now } from './generated.ts'
export type { Row, Rows, TableName } from '../../src/store/tables.ts'

type Customer = Row<'customers'>

export const nowMs = Date.parse(now)

/** The customers of the default fixture, whose records are written by hand. */
const byHand = new Set([1, 2, 3, 1_000_001, 1_000_002])

/** Reports whether a record belongs to no customer of the default fixture. */
export const isGenerated = (row: { readonly customerId: number }): boolean => !byHand.has(row.customerId)

/** A generated tenant with the default fixture. */
export class Tenant {
  readonly seed: number
  readonly dataset: Dataset
  readonly rows: Rows
  #whole: Rows | undefined

  constructor(seed: number, size: number) {
    this.seed = seed
    this.dataset = generated({ seed, size })
    this.rows = this.dataset.rows
  }

  get size(): number {
    return this.dataset.key.size
  }

  /** Describes the seed and the size, for titles of tests. */
  get name(): string {
    return `seed ${this.seed}, ${this.size} customers`
  }

  /** The rows with their long texts. */
  get whole(): Rows {
    return (this.#whole ??= exportDataset(this.dataset))
  }

  /** The customers that no fixture states. */
  get customers(): readonly Customer[] {
    return this.rows.customers.filter(({ id }) => !byHand.has(id))
  }

  /** The meetings of those customers that were transcribed. */
  get talks() {
    return this.whole.meetings.filter(isGenerated).flatMap(({ transcript: spoken, ...meeting }) => {
      return spoken ? [{ meeting, spoken, lines: spoken.map(({ text }) => text) }] : []
    })
  }

  /** Finds a row by its id. */
  get = <T extends TableName>(table: T, id: number): Row<T> | undefined => this.dataset.tables[table].get(id)

  /** Finds what a customer has bought of a product. */
  findEntry = (customerId: number, productId: number): Customer['products'][number] | undefined => {
    const key = this.get('products', productId)?.key
    return this.get('customers', customerId)?.products.find((entry) => entry.key === key)
  }
}

/** A small and two medium tenants, each of its own seed; at full scale small, medium and large ones of all three. */
export const allTenants = chooseAmount(
  [new Tenant(1, 25), new Tenant(42, 300), new Tenant(2026, 300)],
  [1, 42, 2026].flatMap((seed) => [25, 300, 2000].map((size) => new Tenant(seed, size))),
)

/** Those that are large enough for shares to mean something. */
export const mediumTenants = allTenants.filter(({ size }) => size === 300)

/** Groups rows by their customer. */
export function group<T extends { readonly customerId: number }>(
  rows: readonly T[],
): (customerId: number) => readonly T[] {
  const groups = groupBy(rows, ({ customerId }) => customerId)
  return (customerId) => groups.get(customerId) ?? []
}

/** Counts how often each value occurs. */
export const countEach = <K>(values: readonly K[]): ReadonlyMap<K, number> => new Map(countEqual(values))

/** Lists the texts of a signal that tell what the customer does. */
export const listTexts = ({ summary, severityExplanation, latestNote, outcomeNotes }: Row<'signals'>) =>
  [summary, severityExplanation, latestNote, outcomeNotes].map((text) => text ?? '')

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Lists everybody at a meeting. */
export const listParticipants = ({ memberIds, users, contacts }: Row<'meetings'>): string[] => [
  ...memberIds.map((id) => `member ${id}`),
  ...users.map(({ id }) => `user ${id}`),
  ...contacts.map(({ id }) => `contact ${id}`),
]

/** Lists the pairs of meetings at the same time that a person attends. */
export function listDoubled(meetings: readonly Row<'meetings'>[]): string[] {
  const attended = meetings
    .toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))
    .flatMap((meeting) => listParticipants(meeting).map((person) => ({ person, meeting })))
  return [...groupBy(attended, ({ person }) => person).values()].flatMap((list) =>
    list.flatMap(({ person, meeting }, index) => {
      const before = list[index - 1]?.meeting
      return before && before.endDate > meeting.startDate ? [`${person}: ${before.id}, ${meeting.id}`] : []
    }),
  )
}

/** Reads a custom field of a customer. */
export const readField = ({ customFields }: Customer, name: string): unknown =>
  customFields.find(({ key }) => key === name)?.value

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Reads the clocks of a zone as `2026-01-15 09:00`. */
export function readClock(instant: string | number, timeZone: string): string {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  formatters.set(timeZone, formatter)
  return formatter.format(new Date(instant))
}

/** Reports whether people in an office, by default in the eastern United States, work at an instant. */
export function isAtWork(instant: string, { country, timezone }: Workplace = home): boolean {
  const [day = '', time = ''] = readClock(instant, timezone).split(' ')
  return isWorkingDay(Date.parse(day), country) && time >= '09:00' && time <= '17:00'
}

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
