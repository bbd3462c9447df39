import type { SimpleFaker } from '@faker-js/faker'

import type { Row } from '../../src/store/tables.ts'
import { NIGHT_HOUR } from '../automations/automation-plans.ts'
import { DAY, HOUR, startOfDay } from '../calendar/time.ts'
import type { CatalogProduct } from '../definitions/catalog.ts'
import { drawAt, type RecordHash } from '../random/random.ts'
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

/** The relative change of use from one refresh to the next, by level of engagement. */
const trends: Readonly<Record<string, number>> = { none: -0.04, low: -0.02, medium: 0.005, high: 0.02 }

export function refreshMetrics(timeline: CustomerTimeline): void {
  timeline.schedule(findNextRefresh(timeline.hash, timeline.nowMs), refreshMetrics)
  const { customer, catalog } = timeline
  if (!customer || customer.products.length === 0) return
  const faker = timeline.createKey('metrics').faker('values')
  const products = customer.products.map((entry) => {
    const product = catalog.products.find(({ row }) => row.key === entry.key)
    if (!product || entry.status === 'churned') return entry
    const metrics = entry.metrics.map((metric) => measure(metric, entry, product, customer, faker))
    return copyStart(timeline, entry, { ...entry, metrics })
  })
  timeline.update({ products })
}

function measure(
  metric: Metric,
  { engagement, status }: Entry,
  product: CatalogProduct,
  customer: Row<'customers'>,
  faker: SimpleFaker,
): Metric {
  const definition = product.metrics.find(({ key }) => key === metric.key)
  const plan = product.plan.metrics.find(({ key }) => key === metric.key)
  const { value } = metric
  if (value === null) {
    const isKnown = status === 'active' && faker.datatype.boolean(0.3)
    return isKnown ? { ...metric, value: measureFirst(definition?.type, plan?.words) } : metric
  }
  if (typeof value === 'boolean') return faker.datatype.boolean(0.02) ? { ...metric, value: true } : metric
  if (typeof value === 'string') {
    const words = plan?.words ?? []
    const place = words.indexOf(value)
    if (place === -1 || !faker.datatype.boolean(0.08)) return metric
    const step = faker.datatype.boolean(engagement.level === 'low' ? 0.3 : 0.6) ? 1 : -1
    return { ...metric, value: words[place + step] ?? value }
  }
  if (typeof value !== 'number') return metric
  const trend = trends[engagement.level] ?? 0
  if (definition?.type === 'percent') {
    const next = value + (trend * 20 + faker.number.float({ min: -2.5, max: 2.5 }))
    return { ...metric, value: Math.round(Math.min(100, Math.max(0, next)) * 10) / 10 }
  }
  const next = Math.max(0, Math.round(value * (1 + trend + faker.number.float({ min: -0.06, max: 0.06 }))))
  return { ...metric, value: plan?.isLimitedByEmployees ? Math.min(next, customer.employeeCount) : next }
}

function measureFirst(type: string | undefined, words: readonly string[] | undefined): unknown {
  if (type === 'boolean') return false
  if (type === 'text') return words?.[0] ?? 'low'
  return type === 'percent' ? 12.5 : 3
}
