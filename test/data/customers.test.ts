import { describe, expect, it } from 'vitest'

import { isWorkingDay } from '../../seed/calendar/calendar.ts'
import { allTenants, DAY, expectNone, isGenerated, nowMs, readField, type Row } from './tenants.ts'

type Customer = Row<'customers'>

const isActive = ({ products }: Customer) => products.some(({ status }) => status !== 'churned')
const isOnboarding = ({ products }: Customer) =>
  products.some(({ status }) => status === 'onboarding') &&
  products.every(({ status }) => status !== 'active')
const hasCsm = ({ memberRoles }: Customer) =>
  memberRoles.some(({ key, memberIds }) => key === 'csm' && memberIds.length > 0)

/** Reads a date field of a customer. Units: milliseconds since 1970. */
function readDate(customer: Customer, name: string): number | undefined {
  const value = readField(customer, name)
  return typeof value === 'string' ? Date.parse(value) : undefined
}

/** Lists the days on which a contract can have begun: its renewal, up to five years earlier. */
function listStarts({ renewalDate }: Customer['products'][number]): number[] {
  return [1, 2, 3, 4, 5].map((years) => {
    const renewal = new Date(renewalDate)
    return renewal.setUTCFullYear(renewal.getUTCFullYear() - years)
  })
}

describe.each(allTenants)('$name', ({ rows, customers }) => {
  it('at most 2% of active customers have no CSM, and none of the cast', () => {
    const active = rows.customers.filter(isActive)
    const alone = active.filter((customer) => !hasCsm(customer))
    expect(alone.length).toBeLessThanOrEqual(Math.max(1, active.length / 50))
    expect(alone.filter(({ id }) => !isGenerated({ customerId: id }))).toEqual([])
  })

  it('a contract was signed on a working day, in the three weeks before one of its years began', () =>
    expectNone(customers, (customer) => {
      const signed = readDate(customer, 'contractSigned')
      if (signed === undefined) return false
      const isBefore = customer.products
        .flatMap(listStarts)
        .some((start) => start > signed && start - signed <= 25 * DAY)
      return !isBefore || !isWorkingDay(signed, customer.country)
    }))

  it('customers go live on a working day after signing, in onboarding still to come', () =>
    expectNone(customers, (customer) => {
      const live = readDate(customer, 'goLiveDate')
      if (live === undefined) return false
      const isLater = live > (readDate(customer, 'contractSigned') ?? 0)
      return !isLater || isOnboarding(customer) !== live > nowMs || !isWorkingDay(live, customer.country)
    }))

  it('products in use renew within a year, in onboarding last, and those that ended did so lately', () =>
    expectNone(
      rows.customers.flatMap(({ products }) => products),
      ({ status, renewalDate }) => {
        const days = (Date.parse(renewalDate) - nowMs) / DAY
        if (status === 'churned') return days > 0 || days < -550
        return days > 365 || days < (status === 'onboarding' ? 260 : 0)
      },
    ))
})
