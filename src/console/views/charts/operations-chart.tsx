import type { RequestSummary } from '../../../journal/view.ts'
import { Card } from '../../components/card.tsx'
import { formatDuration } from '../../components/format.tsx'
import { statusClasses } from '../../components/status.tsx'
import { linkTo } from '../../place.ts'
import { Bar, formatShare } from './bars.tsx'
import { getQuantile } from './latency.ts'
import { type ByClass, countByClass } from './timeline.ts'

/** Renders the requests and errors of each operation. */
export function OperationsChart({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const uses = groupByOperation(requests)
  const most = uses[0]?.count ?? 1
  return (
    <Card title="Requests by operation">
      <table class="charts-operations" aria-label="Requests by operation">
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Errors
            </th>
            <th scope="col" class="number">
              Median
            </th>
          </tr>
        </thead>
        <tbody>
          {uses.map((use) => (
            <Operation key={use.operationId} use={use} most={most} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Operation({ use, most }: { readonly use: OperationUse; readonly most: number }) {
  const { operationId, count, byClass, errors, medianMs } = use
  const query = new URLSearchParams({ operationId: operationId ?? 'none' })
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('requests', [], query)}>{operationId ?? 'no operation'}</a>
        <Bar parts={statusClasses.map((look) => ({ look, count: byClass[look] ?? 0 }))} most={most} />
      </th>
      <td class="number" data-label="Requests">
        {count}
      </td>
      <td class="number" data-label="Errors">
        {errors === 0 ? '0' : `${errors} (${formatShare(errors, count)})`}
      </td>
      <td class="number" data-label="Median">
        {medianMs !== undefined && formatDuration(medianMs)}
      </td>
    </tr>
  )
}

/** The requests of an operation. */
export interface OperationUse {
  /** Undefined for paths without an operation. */
  readonly operationId: string | undefined
  readonly count: number
  readonly byClass: ByClass
  /** The number of requests that were rejected, failed or were cut off. */
  readonly errors: number
  /** Units: milliseconds; undefined without responses. */
  readonly medianMs: number | undefined
}

/** Groups requests by operation. Order: most requests first. */
function groupByOperation(requests: readonly RequestSummary[]): readonly OperationUse[] {
  const held = new Map<string | undefined, RequestSummary[]>()
  for (const request of requests) {
    const some = held.get(request.operationId)
    if (some) some.push(request)
    else held.set(request.operationId, [request])
  }
  const uses = Array.from(held, ([operationId, some]): OperationUse => {
    const byClass = countByClass(some)
    const durations = some.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b)
    return {
      operationId,
      count: some.length,
      byClass,
      errors: (byClass['4xx'] ?? 0) + (byClass['5xx'] ?? 0) + (byClass.broken ?? 0),
      medianMs: durations.length > 0 ? getQuantile(durations, 0.5) : undefined,
    }
  })
  return uses.toSorted((a, b) => b.count - a.count)
}
