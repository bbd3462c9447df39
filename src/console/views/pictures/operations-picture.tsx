import type { RequestSummary } from '../../../control/journal/view.ts'
import { Card } from '../../parts/card.tsx'
import { statusClasses } from '../../parts/status.ts'
import { durationText } from '../../parts/time.ts'
import { addressOf } from '../../place.ts'
import { Bar, shareText } from './bars.tsx'
import { byOperation, type OperationUse } from './by-operation.ts'

/** Which operations are asked, how often, and how often in vain. */
export function OperationsPicture({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const uses = byOperation(requests)
  const most = uses[0]?.count ?? 1
  return (
    <Card title="Requests by operation">
      <table class="pictures-operations" aria-label="Requests by operation">
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
        <a href={addressOf('requests', [], query)}>{operationId ?? 'no operation'}</a>
        <Bar parts={statusClasses.map((look) => ({ look, count: byClass[look] ?? 0 }))} most={most} />
      </th>
      <td class="number" data-what="Requests">
        {count}
      </td>
      <td class="number" data-what="Errors">
        {errors === 0 ? '0' : `${errors} (${shareText(errors, count)})`}
      </td>
      <td class="number" data-what="Median">
        {medianMs !== undefined && durationText(medianMs)}
      </td>
    </tr>
  )
}
