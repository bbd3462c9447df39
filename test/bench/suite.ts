import { type Cost, measureCosts, type RoundOptions, medianCost, type Subject } from './measure.ts'
import { median, summarizeRatios, type Spread } from './statistics.ts'

export type Goal = { readonly atLeast: number } | { readonly atMost: number }

export interface Row {
  /** The name for `--only`. */
  readonly id: string
  readonly title: string
  /** A unit, or the two sides of a ratio. */
  readonly unit: string
  readonly measured: Spread
  /** Absent for rows that are shown for scale only. */
  readonly goal?: Goal
  /** The absolute figures behind a ratio. */
  readonly details: string
}

export interface Suite {
  readonly ids: readonly string[]
  measure(wanted: ReadonlySet<string>, options: Settings): AsyncIterable<Row>
}

export interface Settings extends RoundOptions {
  /** Skips work that takes long to set up. */
  readonly isQuick: boolean
}

/** Reports whether the median reaches the goal; undefined without a goal. */
export function isReached({ goal, measured }: Row): boolean | undefined {
  if (!goal) return undefined
  return 'atLeast' in goal ? measured.median >= goal.atLeast : measured.median <= goal.atMost
}

/** A server that the sandbox is compared with. */
interface Baseline extends Subject {
  readonly name: string
}

/** Compares the sandbox with one or more servers at the same work; the measured ratio is that to the first. */
export async function comparisonRow(
  row: Pick<Row, 'id' | 'title' | 'goal'>,
  ours: Subject,
  baselines: readonly Baseline[],
  options: RoundOptions,
): Promise<Row> {
  const [own = [], ...others] = await measureCosts([ours, ...baselines], options)
  const shares = others.map((costs) => summarizeRatios(costs.map(getCpu), own.map(getCpu)))
  const details = baselines.map(({ name }, index) => {
    const share = index === 0 ? '' : `, share ${shares[index]?.median.toFixed(2)}`
    return `${name} ${describe(medianCost(others[index] ?? []))}${share}`
  })
  return {
    ...row,
    unit: `${baselines[0]?.name} CPU / ours`,
    measured: shares[0] ?? summarizeRatios([], []),
    details: [`ours ${describe(medianCost(own))}`, ...details].join('; '),
  }
}

/**
 * Compares the same work with growing numbers of records: the highest cost divided by the first.
 * @param costs for each number, the cost in each round. Units: µs
 */
export function growthRow(
  row: Pick<Row, 'id' | 'title' | 'goal'>,
  numbers: readonly number[],
  costs: readonly (readonly number[])[],
): Row {
  const medians = costs.map(median)
  const [first = [], highest = []] = [costs[0], costs[medians.indexOf(Math.max(...medians.slice(1)))]]
  const details = numbers.map((number, index) => `${format(number)}: ${medians[index]?.toFixed(1)} µs`)
  return {
    ...row,
    unit: 'CPU, highest / first',
    measured: summarizeRatios(highest, first),
    details: details.join(', '),
  }
}

/** Returns the CPU time per request. Units: µs. */
export const getCpu = ({ cpuUs }: Cost): number => cpuUs

const format = (value: number): string => Math.round(value).toLocaleString('en-US')

const describe = ({ cpuUs, requestsPerSecond }: Cost): string =>
  `${cpuUs.toFixed(cpuUs < 100 ? 1 : 0)} µs, ${format(requestsPerSecond)}/s`
