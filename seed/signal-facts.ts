import type { Account } from './account.ts'
import type { CatalogProduct } from './catalog.ts'
import type { Random } from './random.ts'
import { segmentNamed } from './segments.ts'
import { DAY } from './time.ts'

/** The people, things and figures of one signal: all of its texts are told from the same ones. */
export interface Facts {
  readonly customer: string
  readonly product: string
  readonly activity: string
  readonly users: string
  readonly purpose: string
  readonly wish: string
  readonly trouble: string
  /** What the product brings, or would bring, in a year, in words. */
  readonly money: string
  readonly contact: string
  readonly title: string
  readonly other: string
  readonly owner: string
  readonly competitor: string
  readonly percent: number
  readonly weeks: number
  readonly high: number
  readonly low: number
  readonly seats: number
  readonly extra: number
  /** A month that has passed. */
  readonly month: string
  /** A month to come. */
  readonly coming: string
  readonly renewal: string
  /** Days from the day of the signal to the renewal. */
  readonly days: number
}

/** What facts are drawn from. */
export interface FactSource {
  readonly account: Account
  readonly product: CatalogProduct
  readonly competitor: string
  /** When the signal was created. Units: milliseconds since 1970. */
  readonly createdMs: number
}

/** Draws the facts of a signal. */
export function drawFacts({ account, product, competitor, createdMs }: FactSource, random: Random): Facts {
  const { plan } = product
  const own = account.products.find(({ row }) => row.id === product.row.id)
  const contact = random.pick(account.contacts)
  const other = account.contacts.find((candidate) => candidate !== contact) ?? contact
  const percent = random.int(12, 64)
  const seats = Math.max(
    3,
    Math.round(Math.min(account.customer.employeeCount * 0.3, 40 + random.int(0, 400))),
  )
  const high = Math.max(9, Math.round(seats * (1.2 + random.next() * 4)))
  return {
    customer: account.name,
    product: product.row.name,
    activity: plan.activity,
    users: plan.users,
    purpose: plan.purpose,
    wish: random.pick(plan.wishes),
    trouble: random.pick(plan.troubles),
    money: money(own && own.entry.arr > 0 ? own.entry.arr : offer(account)),
    contact: contact.name,
    title: contact.title,
    other: other.name,
    owner: `${account.owner.firstName} ${account.owner.lastName}`,
    competitor,
    percent,
    weeks: random.int(2, 9),
    high,
    low: Math.round(high * (1 - percent / 100)),
    seats,
    extra: Math.max(2, Math.round(seats * (0.1 + random.next() * 0.5))),
    month: monthOf(createdMs - random.int(20, 70) * DAY),
    coming: monthOf(createdMs + random.int(30, 80) * DAY),
    renewal: dayOf(own?.renewalMs ?? createdMs + 90 * DAY),
    days: own ? Math.max(1, Math.round((own.renewalMs - createdMs) / DAY)) : 90,
  }
}

/** What another product would bring in a year. */
function offer(account: Account): number {
  const paid = account.products.map(({ entry }) => entry.arr).filter((arr) => arr > 0)
  const usual = (segmentNamed(account.customer.segment)?.arr[0] ?? 8000) * 2
  const average = paid.length === 0 ? usual : paid.reduce((sum, arr) => sum + arr, 0) / paid.length
  return Math.round((average * 0.6) / 100) * 100
}

/** A whole number as people write it: "48,000". */
export const grouped = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** An amount as people write it: "$48,000". Units: US dollars. */
export const money = (amount: number): string => `$${grouped(amount)}`

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The month of a time in words. */
export const monthOf = (timeMs: number): string => months[new Date(timeMs).getUTCMonth()] ?? ''

/** The day of a time in words: "12 March 2026". */
export function dayOf(timeMs: number): string {
  const at = new Date(timeMs)
  return `${at.getUTCDate()} ${monthOf(timeMs)} ${at.getUTCFullYear()}`
}
