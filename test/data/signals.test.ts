import { describe, expect, it } from 'vitest'

import { computeStart } from '../../seed/customers/contracts.ts'
import { removeLegalForm } from '../../seed/customers/stages.ts'
import { getProductPlan } from '../../seed/definitions/product-plans.ts'
import { findWorkplace } from '../../seed/people/offices.ts'
import {
  allTenants,
  countEach,
  DAY,
  expectNone,
  isAtWork,
  isGenerated,
  nowMs,
  type Row,
  type Tenant,
} from './tenants.ts'

/** A generated signal with what is known about its product. Units: milliseconds since 1970. */
interface Told {
  readonly signal: Row<'signals'>
  readonly createdMs: number
  readonly customer: Row<'customers'>
  readonly product: Row<'products'>
  readonly entry: Row<'customers'>['products'][number] | undefined
  readonly startMs: number
  readonly renewalMs: number
}

const readSignals = ({ rows, seed, get, findEntry }: Tenant): Told[] =>
  rows.signals.filter(isGenerated).flatMap((signal) => {
    const customer = get('customers', signal.customerId)
    const product = get('products', signal.productId)
    if (!customer || !product) return []
    const entry = findEntry(customer.id, product.id)
    return {
      signal,
      createdMs: Date.parse(signal.createdDate),
      customer,
      product,
      entry,
      startMs: entry ? computeStart(customer.id, entry, seed) : Number.POSITIVE_INFINITY,
      renewalMs: entry ? Date.parse(entry.renewalDate) : Number.POSITIVE_INFINITY,
    }
  })

const isOver = ({ signal }: Told) => signal.status === 'closed' || signal.status === 'dismissed'
const hasLeft = ({ entry, renewalMs }: Told, timeMs: number) =>
  entry?.status === 'churned' && timeMs > renewalMs

const isAutomatic = ({ signal }: Told) => ['usage', 'crm', 'survey'].includes(signal.source)

const isCreatedAtWork = ({ signal }: Told) =>
  isAtWork(signal.createdDate, findWorkplace({ id: signal.createdById }))

describe.each(allTenants)('signals with $name', (tenant) => {
  const { size } = tenant
  const told = readSignals(tenant)

  it('people raise signals in the working hours of their office, and automatic ones come at any time', () => {
    const written = told.filter((one) => !isAutomatic(one))
    expect(written.length).toBeGreaterThan(size)
    expectNone(written, (one) => !isCreatedAtWork(one))
    const times = told.filter(isAutomatic).map(isCreatedAtWork)
    expect(new Set(times).size).toBe(2)
  })

  it('people close signals in working hours, except for very few', () => {
    const closed = told.filter(isOver)
    const wrong = closed.filter(
      ({ signal }) => !isAtWork(signal.closedDate ?? '', findWorkplace({ id: signal.updatedById })),
    )
    expect(wrong.length).toBeLessThan(closed.length * 0.02)
  })

  it('signals are about products while their contract runs, shortly after it, or as an offer before', () => {
    const offers = new Set(['Expansion', 'Competition', 'Relationship'])
    expectNone(told, (one) => {
      const { signal, createdMs, startMs, renewalMs } = one
      if (createdMs < startMs) return !offers.has(signal.category.name)
      return hasLeft(one, createdMs) && createdMs > renewalMs + 80 * DAY
    })
    const isOffered = told.some(({ entry, createdMs, startMs }) => entry && createdMs < startMs)
    expect(isOffered || size < 300).toBe(true)
  })

  it('signals on products that the customer has left are over, except for chances to win it back', () =>
    expectNone(
      told.filter((one) => hasLeft(one, nowMs)),
      (one) =>
        !isOver(one) &&
        (one.signal.type.name !== 'Opportunity' ||
          !hasLeft(one, one.createdMs) ||
          nowMs - one.renewalMs > 125 * DAY),
    ))

  it('no summary without its facts makes up more than 2 % of the signals', () => {
    const limit = Math.max(5, told.length * 0.02)
    expectNone([...countEach(told.map(removeFacts))], ([, count]) => count > limit)
  })
})

const months =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/g
const numerals = /\b(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gi

/** Removes names, numbers and the words about a product from a summary. */
function removeFacts({ signal, customer, product }: Told): string {
  const plan = getProductPlan(product.key)
  const words = [
    removeLegalForm(customer.name),
    plan.activity,
    plan.users,
    plan.purpose,
    ...plan.wishes,
    ...plan.troubles,
    product.name,
    signal.competitor?.name ?? product.name,
  ]
  return words
    .reduce((text, word) => text.replaceAll(word, '…'), signal.summary)
    .replaceAll(months, '…')
    .replaceAll(numerals, '…')
    .replaceAll(/\p{Lu}\S+ (?:(?:de|da|van|von|der|of) )*\p{Lu}\S+/gu, '…')
}
