import type { Row } from '../../src/store/tables.ts'
import { findPrices } from './segments.ts'

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
