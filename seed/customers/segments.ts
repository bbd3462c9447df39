import type { Row } from '../../src/store/tables.ts'
import type { Range } from '../random/record-key.ts'

/** The segments, smallest customers first. `arr` is the yearly price of one product, in US dollars. */
export const segments = [
  {
    name: 'Startup',
    weight: 14,
    employees: { min: 4, max: 60 },
    arr: { min: 1200, max: 9600 },
    products: [1, 1, 1, 1, 2],
  },
  {
    name: 'SMB',
    weight: 30,
    employees: { min: 20, max: 199 },
    arr: { min: 3600, max: 24_000 },
    products: [1, 1, 1, 1, 1, 1, 2, 2, 2, 3],
  },
  {
    name: 'Mid-Market',
    weight: 36,
    employees: { min: 200, max: 999 },
    arr: { min: 15_000, max: 90_000 },
    products: [1, 1, 1, 2, 2, 2, 2, 3, 3, 3],
  },
  {
    name: 'Enterprise',
    weight: 20,
    employees: { min: 1000, max: 48_000 },
    arr: { min: 60_000, max: 420_000 },
    products: [1, 2, 2, 2, 3, 3, 3, 3, 4, 4],
  },
]

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
