import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { NIGHT_HOUR } from '../automations/automations.ts'
import { DAY, HOUR, startOfDay } from '../calendar/time.ts'
import type { CatalogProduct } from '../definitions/catalog.ts'
import { drawAt, type RecordHash } from '../random/random.ts'
import { countMostUsers } from '../texts/company-size.ts'
import { copyStart } from './contracts.ts'
import type { CustomerTimeline } from './customer-timeline.ts'

type Entry = Row<'customers'>['products'][number]
type Metric = Entry['metrics'][number]

const CYCLE_DAYS = 14

/** The time of day (in UTC) of the nightly refresh, which all customers of a night share. Units: milliseconds. */
const REFRESH = NIGHT_HOUR * HOUR + HOUR / 2

export function findNextRefresh(hash: RecordHash, afterMs: number): number {
  for (let cycle = Math.floor(startOfDay(afterMs) / DAY / CYCLE_DAYS); ; cycle += 1) {
    const day = cycle * CYCLE_DAYS + Math.floor(drawAt(hash, -cycle) * CYCLE_DAYS)
    const atMs = day * DAY + REFRESH
    if (atMs > afterMs) return atMs
  }
}

/** Measures the use of all products anew. */
export function refreshMetrics(timeline: CustomerTimeline): void {
  timeline.schedule(findNextRefresh(timeline.hash, timeline.nowMs), refreshMetrics)
  const { customer, catalog } = timeline
  if (customer.products.length === 0) return
  const faker = timeline.createKey('metrics').faker('values')
  const products = customer.products.map((entry) => {
    const product = catalog.products.find(({ row }) => row.key === entry.key)
    if (!product || entry.status === 'churned') return entry
    const metrics = entry.metrics.map((metric) => ({
      ...metric,
      value: measure(metric, entry, product, customer.employeeCount, faker),
    }))
    return copyStart(timeline, entry, { ...entry, metrics })
  })
  timeline.update({ products })
}

/** The relative change of use from one refresh to the next, by level of engagement. */
const trends: Readonly<Record<string, number>> = { none: -0.04, low: -0.02, medium: 0.005, high: 0.02 }

function measure(
  { key, value }: Metric,
  { engagement, status }: Entry,
  product: CatalogProduct,
  employees: number,
  faker: SimpleFaker,
): unknown {
  const type = product.metrics.find((metric) => metric.key === key)?.type
  const plan = product.plan.metrics.find((metric) => metric.key === key)
  const words = plan?.words ?? []
  if (value === null) {
    if (status !== 'active' || !faker.datatype.boolean(0.3)) return null
    if (type === 'boolean') return false
    if (type === 'text') return words[0] ?? 'low'
    return type === 'percent' ? 12.5 : 3
  }
  if (typeof value === 'boolean') return faker.datatype.boolean(0.02) || value
  if (typeof value === 'string') {
    const place = words.indexOf(value)
    if (place === -1 || !faker.datatype.boolean(0.08)) return value
    const rises = faker.datatype.boolean(engagement.level === 'low' ? 0.3 : 0.6)
    return words[place + (rises ? 1 : -1)] ?? value
  }
  if (typeof value !== 'number') return value
  const trend = trends[engagement.level] ?? 0
  if (type === 'percent') {
    const next = value + (trend * 20 + faker.number.float({ min: -2.5, max: 2.5 }))
    return Math.round(Math.min(100, Math.max(0, next)) * 10) / 10
  }
  const factor = 1 + trend + faker.number.float({ min: -0.06, max: 0.06 })
  const next = Math.max(0, Math.round(value * factor))
  return plan?.isLimitedByEmployees ? Math.min(next, countMostUsers(employees)) : next
}
