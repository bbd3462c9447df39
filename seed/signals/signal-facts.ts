import { capitalize, formatInteger } from '../../src/core/words.ts'
import { DAY } from '../calendar/time.ts'
import type { Account } from '../customers/account.ts'
import { findPrices } from '../customers/segments.ts'
import type { RowContext } from '../dataset/tenant.ts'
import { findLocale, generateOther } from '../people/people.ts'
import { RecordKey } from '../random/record-key.ts'
import { countMostUsers, keepFitting } from '../texts/company-size.ts'
import { formatMoney, formatMonth, formatName, formatYearDay, numerals } from '../texts/format.ts'
import type { Slot } from '../texts/templates.ts'
import type { Subject } from './signal-stories.ts'

/** The people, things and figures of one signal, which all of its texts share. */
export type SignalFacts = Readonly<Record<Exclude<Slot<'signals'>, 'summary'>, string | number>>

/** @param context has the key of the signal, or that of the one that it repeats */
export function generateFacts(
  subject: Subject,
  timeMs: number,
  competitor: string,
  { account, key, tenant }: RowContext,
): SignalFacts {
  const faker = key.faker('facts')
  const { product, contract, entry } = subject
  const { plan } = product
  const contact = faker.helpers.arrayElement(account.contacts)
  const other = account.contacts.find((candidate) => candidate !== contact) ?? contact
  const percent = faker.number.int({ min: 12, max: 64 })
  const seats = countSeats(account, subject, tenant.seed)
  const high = Math.max(9, Math.round(seats * faker.number.float({ min: 1.2, max: 5 })))
  const extra = Math.round(seats * faker.number.float({ min: 0.1, max: 0.5 }))
  const room = Math.min(seats - 1, countMostUsers(account.customer.employeeCount) - seats)
  const contractDays = contract && contract.startMs < timeMs ? (timeMs - contract.startMs) / DAY : 70
  const pastDays = Math.min(faker.number.int({ min: 20, max: 70 }), Math.max(5, contractDays))
  const weeks = Math.min(faker.number.int({ min: 2, max: 9 }), Math.max(2, Math.floor(contractDays / 7)))
  const renewalMs = subject.renewalMs ?? timeMs + 90 * DAY
  const gone = numerals[Math.floor((timeMs - renewalMs) / (7 * DAY))] ?? 'some'
  return {
    customer: account.name,
    product: product.row.name,
    activity: plan.activity,
    users: plan.users,
    purpose: plan.purpose,
    wish: faker.helpers.arrayElement(keepFitting(plan.wishes, account.customer.employeeCount)),
    trouble: faker.helpers.arrayElement(keepFitting(plan.troubles, account.customer.employeeCount)),
    money: formatMoney(entry?.arr || (contract?.entry.arr ?? 0) || estimatePrice(account)),
    day: formatYearDay(timeMs),
    contact: contact.name,
    title: contact.title,
    other: other.name,
    get leaver() {
      return generateLeaver(account, key)
    },
    owner: formatName(account.owner),
    competitor,
    percent,
    discount: faker.helpers.arrayElement([5, 8, 10, 12, 15, 20]),
    rating: faker.number.int({ min: 2, max: 5 }),
    weeks: numerals[weeks] ?? weeks,
    high: formatInteger(high),
    low: formatInteger(Math.round(high * (1 - percent / 100))),
    seats: formatInteger(seats),
    active: Math.max(1, Math.round(seats * (1 - percent / 100))),
    extra: Math.max(2, Math.min(extra, room)),
    month: formatMonth(timeMs - pastDays * DAY),
    coming: formatMonth(timeMs + faker.number.int({ min: 30, max: 80 }) * DAY),
    soon: formatMonth(timeMs + Math.max(0, renewalMs - timeMs) * 0.6),
    renewal: `${formatMonth(renewalMs)} ${new Date(renewalMs).getUTCDate()}`,
    days: Math.max(1, Math.round((renewalMs - timeMs) / DAY)),
    overdue: faker.number.int({ min: 8, max: 45 }),
    gone: capitalize(gone),
  }
}

function countSeats({ customer }: Account, { product, contract }: Subject, seed: number): number {
  const { employeeCount } = customer
  const share = new RecordKey(seed, 'seats', customer.id)
    .faker(product.row.key)
    .number.float({ min: 0.6, max: 1.3 })
  const users = contract?.entry.metrics.find(({ key }) => key === 'activeUsers')?.value
  const active = typeof users === 'number' ? users : 0
  const people = employeeCount ** 0.62 * share
  const usual = people < 120 ? people : 120 + (people - 120) ** 0.7
  const wanted = Math.max(3, Math.round(usual), active + 1)
  return Math.max(2, Math.min(wanted, countMostUsers(employeeCount)))
}

function estimatePrice(account: Account): number {
  const paid = account.products.map(({ entry }) => entry.arr).filter((arr) => arr > 0)
  const usual = findPrices(account.customer.segment).min * 2
  const average = paid.length === 0 ? usual : paid.reduce((sum, arr) => sum + arr, 0) / paid.length
  return Math.round((average * 0.6) / 100) * 100
}

/** Generates the name of a former employee: none of the contacts, who come to later meetings. */
const generateLeaver = ({ customer, contacts }: Account, key: RecordKey): string =>
  formatName(
    generateOther(key.faker('leaver', findLocale(customer.country)), (name) =>
      contacts.some(({ person }) => person.firstName === name || person.lastName === name),
    ),
  )
