/** The upper bounds of the bins: 1, 2 and 5 of each decade. Units: milliseconds. */
const bounds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

/** Durations between two bounds. */
export interface Bin {
  /** Units: milliseconds. */
  readonly from: number
  /** Units: milliseconds; infinite for the last one. */
  readonly to: number
  readonly count: number
}

/** A distribution of response times. */
export interface Latency {
  /** Order: ascending; from the first that is not empty to the last. */
  readonly bins: readonly Bin[]
  readonly count: number
  readonly quantiles: readonly { readonly name: string; readonly ms: number }[]
}

/** Summarizes durations as a distribution. Units: milliseconds. */
export function summarizeLatency(durations: readonly number[]): Latency {
  const sorted = durations.toSorted((a, b) => a - b)
  const bins = [...bounds, Infinity].map((to, at) => {
    const from = bounds[at - 1] ?? 0
    return { from, to, count: sorted.filter((ms) => ms >= from && ms < to).length }
  })
  return {
    bins: bins.slice(bins.findIndex(isFilled), bins.findLastIndex(isFilled) + 1),
    count: sorted.length,
    quantiles:
      sorted.length === 0 ? [] : named.map(({ name, share }) => ({ name, ms: getQuantile(sorted, share) })),
  }
}

const isFilled = ({ count }: Bin): boolean => count > 0

const named = [
  { name: 'Median', share: 0.5 },
  { name: 'p95', share: 0.95 },
  { name: 'p99', share: 0.99 },
] as const

/**
 * Returns the measured value that a share of the values does not exceed; NaN if there are none.
 * @param sorted ascending
 */
export function getQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
