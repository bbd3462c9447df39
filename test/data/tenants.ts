import { isWorkingDay, type Workplace } from '../../seed/calendar/calendar.ts'
import { computeStart } from '../../seed/customers/contracts.ts'
import { createTexts } from '../../seed/dataset/long-texts.ts'
import { home } from '../../seed/people/offices.ts'
import type { Sandbox } from '../../src/index.ts'
import { forEachTable } from '../../src/store/tables.ts'
import { withLongText } from '../../src/store/texts.ts'
import { chooseAmount } from '../reliability/figures.ts'
import { groupBy, now, rowsOf } from './generated.ts'

export { groupBy, now } from './generated.ts'

export type Rows = Sandbox['dataset']['rows']
export type TableName = keyof Rows
export type Row<T extends TableName> = Rows[T][number]
type Customer = Row<'customers'>

export const nowMs = Date.parse(now)
const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** The customers of the default fixture, whose records are written by hand. */
const byHand = new Set([1, 2, 3, 1_000_001, 1_000_002])

/** Reports whether a record belongs to no customer of the default fixture. */
export const isGenerated = (row: { readonly customerId: number }): boolean => !byHand.has(row.customerId)

/** A generated tenant with the default fixture. */
export class Tenant {
  readonly seed: number
  readonly size: number
  readonly rows: Rows
  readonly #maps = new Map<string, ReadonlyMap<number, { readonly id: number }>>()
  #whole: Rows | undefined

  constructor(seed: number, size: number) {
    this.seed = seed
    this.size = size
    this.rows = rowsOf({ seed, size })
  }

  /** Describes the seed and the size, for titles of tests. */
  get name(): string {
    return `seed ${this.seed}, ${this.size} customers`
  }

  /** The rows with their long texts. */
  get whole(): Rows {
    const texts = createTexts(this.seed)
    this.#whole ??= forEachTable<Rows>((name) =>
      this.rows[name].map((row) => withLongText(name, row, texts, this)),
    )
    return this.#whole
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
  get = <T extends TableName>(table: T, id: number): Row<T> | undefined => {
    const map = this.#maps.get(table) ?? new Map(this.rows[table].map((row) => [row.id, row] as const))
    this.#maps.set(table, map)
    return map.get(id) as Row<T> | undefined
  }

  /** Finds what a customer has bought of a product. */
  findEntry = (customerId: number, productId: number): Customer['products'][number] | undefined => {
    const key = this.get('products', productId)?.key
    return this.get('customers', customerId)?.products.find((entry) => entry.key === key)
  }
}

/** Small, medium and large tenants of three seeds. */
export const allTenants = [1, 42, 2026].flatMap((seed) =>
  chooseAmount([25, 300], [25, 300, 2000]).map((size) => new Tenant(seed, size)),
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
export const countEach = <K>(values: readonly K[]): ReadonlyMap<K, number> =>
  new Map([...groupBy(values, (value) => value)].map(([value, list]) => [value, list.length]))

/** Lists the distances between times. Order: by time. */
export function listGaps(times: readonly number[]): number[] {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted.slice(1).map((timeMs, index) => timeMs - (sorted[index] ?? 0))
}

/** Lists the pairs of meetings at the same time that a person attends. */
export function listDoubled(
  meetings: readonly Row<'meetings'>[],
  listPeople: (meeting: Row<'meetings'>) => readonly string[],
): string[] {
  const attended = meetings.flatMap((meeting) =>
    listPeople(meeting).map((person) => ({ person, meeting }) as const),
  )
  return [...groupBy(attended, ({ person }) => person)].flatMap(([person, list]) => {
    const sorted = list.map(({ meeting }) => meeting).toSorted((a, b) => (a.startDate < b.startDate ? -1 : 1))
    return sorted.flatMap((meeting, index) => {
      const before = sorted[index - 1]
      return before && before.endDate > meeting.startDate ? [`${person}: ${before.id}, ${meeting.id}`] : []
    })
  })
}

/** Lists everybody at a meeting. */
export const listParticipants = ({ memberIds, users, contacts }: Row<'meetings'>): string[] => [
  ...memberIds.map((id) => `member ${id}`),
  ...users.map(({ id }) => `user ${id}`),
  ...contacts.map(({ id }) => `contact ${id}`),
]

export const fullName = (person: { readonly firstName: string; readonly lastName: string }): string =>
  `${person.firstName} ${person.lastName}`

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
