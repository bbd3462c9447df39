import { type Cost, costsOf, type Extent, medianCost, type Side } from './compare.ts'
import { medianOf, ratiosOf, type Spread } from './statistics.ts'

/** What is wanted of a measurement. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

/** One measured thing. */
export interface Row {
  /** What `--only` calls it. */
  readonly id: string
  readonly title: string
  /** What the measurement is: a unit, or two things whose ratio it is. */
  readonly unit: string
  readonly measured: Spread
  /** Nothing is wanted of what is there for scale. */
  readonly goal?: Goal
  /** What the measurement is made of. */
  readonly details: string
}

/** Rows that are measured with the same servers. */
export interface Suite {
  readonly ids: readonly string[]
  /** Measures the rows that are asked for. */
  measure(wanted: ReadonlySet<string>, extent: Settings): AsyncIterable<Row>
}

/** How thorough a run is. */
export interface Settings extends Extent {
  /** Leaves out what takes long to set up. */
  readonly isQuick: boolean
}

/** Says whether the median of a measurement is as it is to be; undefined where nothing is wanted. */
export function isReached({ goal, measured }: Row): boolean | undefined {
  if (!goal) return undefined
  return 'atLeast' in goal ? measured.median >= goal.atLeast : measured.median <= goal.atMost
}

/** A row of two servers at the same work. */
export async function comparison(
  row: Pick<Row, 'id' | 'title' | 'goal'>,
  limit: Side,
  ours: Side,
  extent: Extent,
): Promise<Row> {
  const [raw = [], own = []] = await costsOf([limit, ours], extent)
  const details = `ours ${describe(medianCost(own))}; raw ${describe(medianCost(raw))}`
  return { ...row, unit: 'raw CPU / ours', measured: ratiosOf(raw.map(cpuOf), own.map(cpuOf)), details }
}

/**
 * A row of the same work at growing numbers of records: the cost at the dearest of them divided by that at the first.
 * @param costs those of the rounds, for each number. Units: µs
 */
export function growth(
  row: Pick<Row, 'id' | 'title' | 'goal'>,
  numbers: readonly number[],
  costs: readonly (readonly number[])[],
): Row {
  const medians = costs.map(medianOf)
  const [first = [], dearest = []] = [costs[0], costs[medians.indexOf(Math.max(...medians.slice(1)))]]
  const details = numbers.map((number, index) => `${format(number)}: ${medians[index]?.toFixed(1)} µs`)
  return {
    ...row,
    unit: 'CPU, dearest / first',
    measured: ratiosOf(dearest, first),
    details: details.join(', '),
  }
}

/** What a request cost. Units: µs. */
export const cpuOf = ({ cpuUs }: Cost): number => cpuUs

const format = (value: number): string => Math.round(value).toLocaleString('en-US')

/** A cost in words. */
export const describe = ({ cpuUs, requestsPerSecond }: Cost): string =>
  `${cpuUs.toFixed(cpuUs < 100 ? 1 : 0)} µs, ${format(requestsPerSecond)}/s`
