import type { RequestSummary } from '../../../control/journal/view.ts'
import { quantile } from './latency.ts'
import { type ByClass, byClassOf } from './timeline.ts'

/** The requests of an operation. */
export interface OperationUse {
  /** Undefined for paths that no operation has. */
  readonly operationId: string | undefined
  readonly count: number
  readonly byClass: ByClass
  /** How many were refused, failed or broke off. */
  readonly errors: number
  /** Units: milliseconds; undefined where none is answered. */
  readonly medianMs: number | undefined
}

/** The requests of each operation. Order: the most asked first. */
export function byOperation(requests: readonly RequestSummary[]): readonly OperationUse[] {
  const held = new Map<string | undefined, RequestSummary[]>()
  for (const request of requests) {
    const some = held.get(request.operationId)
    if (some) some.push(request)
    else held.set(request.operationId, [request])
  }
  const uses = Array.from(held, ([operationId, some]): OperationUse => {
    const byClass = byClassOf(some)
    const durations = some.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b)
    return {
      operationId,
      count: some.length,
      byClass,
      errors: (byClass['4xx'] ?? 0) + (byClass['5xx'] ?? 0) + (byClass.broken ?? 0),
      medianMs: durations.length > 0 ? quantile(durations, 0.5) : undefined,
    }
  })
  return uses.toSorted((a, b) => b.count - a.count)
}
