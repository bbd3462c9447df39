import type { Row } from '../../src/store/tables.ts'
import type { Range } from '../random/record-key.ts'
import texts from '../texts/customers.json' with { type: 'json' }

/**
 * Order: smallest customers first. `arr` is the yearly price of one product, in US dollars, and `use` the share of a
 * metric's range that they reach.
 */
export const { segments } = texts

export type Segment = (typeof segments)[number]

export const findSegment = (name: string): Segment | undefined =>
  segments.find((segment) => segment.name === name)

/** Finds the range of yearly prices in a segment. Units: US dollars. */
export const findPrices = (segment: string): Range => findSegment(segment)?.arr ?? { min: 8000, max: 40_000 }

export function findSegmentBySize(employees: number): Segment | undefined {
  return segments.findLast((segment) => employees >= segment.employees.min) ?? segments[0]
}

/** The yearly spending from which attention rises, and at which it is highest. Units: US dollars. */
const LEAST = 3500
const MOST = 350_000

/** The part of its segment's range of prices that a customer without contracts is expected to pay. */
const EXPECTED = 0.3

/** Measures how much attention a customer gets, from 0 to 1: by its yearly spending, or by what it could spend. */
export function measureAttention({
  products,
  segment,
}: Pick<Row<'customers'>, 'products' | 'segment'>): number {
  const spending = products.reduce((sum, { arr }) => sum + arr, 0)
  const { min, max } = findPrices(segment)
  const amount = spending > 0 ? spending : min + (max - min) * EXPECTED
  return Math.min(1, Math.max(0, Math.log(amount / LEAST) / Math.log(MOST / LEAST)))
}
