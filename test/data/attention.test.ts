import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { listRenewals } from '../../seed/customers/history.ts'
import { getStage } from '../../seed/customers/stages.ts'
import {
  DAY,
  expectNone,
  group,
  isGenerated,
  mean,
  mediumTenants,
  nowMs,
  readField,
  type Row,
} from './tenants.ts'

type Customer = Row<'customers'>

const sumArr = ({ products }: Customer) => products.reduce((sum, { arr }) => sum + arr, 0)

/** Pearson's coefficient of correlation. */
function correlate(pairs: readonly (readonly [number, number])[]): number {
  const [x, y] = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, b]) => b))]
  const covariance = mean(pairs.map(([a, b]) => (a - x) * (b - y)))
  const spread = (place: 0 | 1, middle: number) =>
    Math.sqrt(mean(pairs.map((pair) => (pair[place] - middle) ** 2)))
  return covariance / spread(0, x) / spread(1, y)
}

describe.each(mediumTenants)('$name', ({ seed, rows, customers, get, findEntry }) => {
  const meetings = rows.meetings.filter(isGenerated)
  const signals = rows.signals.filter(isGenerated)
  const meetingsOf = group(meetings)
  const signalsOf = group(signals)
  const notesOf = group(rows.notes.filter(isGenerated))
  const active = customers.filter((customer) => sumArr(customer) > 0)

  it('customers who spend more get more meetings, signals and notes', () => {
    const established = active.filter((customer) => getStage(customer) !== 'onboarding')
    const correlation = (count: (id: number) => number) =>
      correlate(established.map((customer) => [Math.log(sumArr(customer)), count(customer.id)] as const))
    expect(correlation((id) => meetingsOf(id).length)).toBeGreaterThan(0.6)
    expect(correlation((id) => signalsOf(id).length + notesOf(id).length)).toBeGreaterThan(0.5)
    const average = (segment: string) =>
      mean(established.filter((row) => row.segment === segment).map(({ id }) => meetingsOf(id).length))
    expect(average('Enterprise')).toBeGreaterThan(2.5 * average('Startup'))
  })

  it('a customer was updated after its contracts began, were renewed or ended, and after it went live', () =>
    expectNone(customers, (customer) => {
      const updatedMs = Date.parse(customer.updatedDate)
      const contracts = customer.products.flatMap((entry) => {
        const startMs = computeStart(customer.id, entry, seed)
        return [startMs, ...listRenewals(entry, startMs)]
      })
      const live = readField(customer, 'goLiveDate')
      const times = [...contracts, ...(typeof live === 'string' ? [Date.parse(live)] : [])]
      return times.some((timeMs) => timeMs < nowMs - DAY && timeMs > updatedMs)
    }))

  it('a sale is won after the contract was signed', () =>
    expectNone(signals, ({ customerId, productId, outcome, closedDate, createdDate }) => {
      const customer = get('customers', customerId)
      const entry = findEntry(customerId, productId)
      if (!customer || !entry || outcome?.name !== 'Expanded' || closedDate === null) return false
      const startMs = computeStart(customerId, entry, seed)
      const isSale = Date.parse(createdDate) < startMs
      return (
        isSale &&
        Date.parse(closedDate) < startMs &&
        closedDate < String(readField(customer, 'contractSigned'))
      )
    }))

  it('somebody has raised, discussed or noted nearly every renewal of the next two months', () => {
    const near = active.filter(({ products }) =>
      products.some(({ status, renewalDate }) => {
        const days = (Date.parse(renewalDate) - nowMs) / DAY
        return status === 'active' && days > 12 && days < 60
      }),
    )
    const unnoticed = near.filter(({ id }) => {
      const told = [
        ...signalsOf(id).map(({ category, createdDate }) => [category.name, createdDate] as const),
        ...meetingsOf(id).map(({ topic, startDate }) => [topic, startDate] as const),
        ...notesOf(id).map(
          (note) => [get('noteCategories', note.categoryId)?.name, note.createdDate] as const,
        ),
      ]
      return !told.some(([text = '', date]) => /renewal/i.test(text) && Date.parse(date) > nowMs - 120 * DAY)
    })
    expect(near.length).toBeGreaterThan(10)
    expect(unnoticed.length / near.length).toBeLessThan(0.1)
  })

  it('open signals are looked after: severe ones within ten days, all within two months', () =>
    expectNone(
      signals.filter(({ status, isDraft }) => !isDraft && (status === 'open' || status === 'inProgress')),
      ({ severity, updatedDate }) => nowMs - Date.parse(updatedDate) > (severity === 5 ? 10 : 60) * DAY,
    ))
})
