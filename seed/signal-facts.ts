import type { SimpleFaker } from '@faker-js/faker'

import type { Account } from './account.ts'
import type { CatalogProduct } from './catalog.ts'
import { findSegment } from './segments.ts'
import { DAY } from './time.ts'

/** The people, things and figures of one signal, which all of its texts share. */
export interface Facts {
  readonly customer: string
  readonly product: string
  readonly activity: string
  readonly users: string
  readonly purpose: string
  readonly wish: string
  readonly trouble: string
  /** The current or possible yearly revenue of the product, in words. */
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
  /** A past month. */
  readonly month: string
  /** A future month. */
  readonly coming: string
  readonly renewal: string
  /** Days from the day of the signal to the renewal. */
  readonly days: number
}

/** The inputs that facts are generated from. */
export interface FactSource {
  readonly account: Account
  readonly product: CatalogProduct
  readonly competitor: string
  /** The time when the signal was created. Units: milliseconds since 1970. */
  readonly createdMs: number
}

/** Generates the facts of a signal. */
export function generateFacts(
  { account, product, competitor, createdMs }: FactSource,
  faker: SimpleFaker,
): Facts {
  const { plan } = product
  const own = account.products.find(({ row }) => row.id === product.row.id)
  const contact = faker.helpers.arrayElement(account.contacts)
  const other = account.contacts.find((candidate) => candidate !== contact) ?? contact
  const percent = faker.number.int({ min: 12, max: 64 })
  const seats = Math.max(
    3,
    Math.round(Math.min(account.customer.employeeCount * 0.3, 40 + faker.number.int({ min: 0, max: 400 }))),
  )
  const high = Math.max(9, Math.round(seats * (1.2 + faker.number.float() * 4)))
  return {
    customer: account.name,
    product: product.row.name,
    activity: plan.activity,
    users: plan.users,
    purpose: plan.purpose,
    wish: faker.helpers.arrayElement(plan.wishes),
    trouble: faker.helpers.arrayElement(plan.troubles),
    money: money(own && own.entry.arr > 0 ? own.entry.arr : offer(account)),
    contact: contact.name,
    title: contact.title,
    other: other.name,
    owner: `${account.owner.firstName} ${account.owner.lastName}`,
    competitor,
    percent,
    weeks: faker.number.int({ min: 2, max: 9 }),
    high,
    low: Math.round(high * (1 - percent / 100)),
    seats,
    extra: Math.max(2, Math.round(seats * (0.1 + faker.number.float() * 0.5))),
    month: formatMonth(createdMs - faker.number.int({ min: 20, max: 70 }) * DAY),
    coming: formatMonth(createdMs + faker.number.int({ min: 30, max: 80 }) * DAY),
    renewal: formatDay(own?.renewalMs ?? createdMs + 90 * DAY),
    days: own ? Math.max(1, Math.round((own.renewalMs - createdMs) / DAY)) : 90,
  }
}

/** Estimates the yearly revenue of another product. */
function offer(account: Account): number {
  const paid = account.products.map(({ entry }) => entry.arr).filter((arr) => arr > 0)
  const usual = (findSegment(account.customer.segment)?.arr.min ?? 8000) * 2
  const average = paid.length === 0 ? usual : paid.reduce((sum, arr) => sum + arr, 0) / paid.length
  return Math.round((average * 0.6) / 100) * 100
}

/** Formats an integer, as in "48,000". */
export const formatInteger = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Formats an amount, as in "$48,000". Units: US dollars. */
export const money = (amount: number): string => `$${formatInteger(amount)}`

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

/** Formats the month of a time in words. */
export const formatMonth = (timeMs: number): string => months[new Date(timeMs).getUTCMonth()] ?? ''

/** Formats the day of a time in words, as in "12 March 2026". */
export function formatDay(timeMs: number): string {
  const at = new Date(timeMs)
  return `${at.getUTCDate()} ${formatMonth(timeMs)} ${at.getUTCFullYear()}`
}
