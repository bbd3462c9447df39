import { linkTo } from '../place.ts'
import { Differences } from './diff.tsx'
import type { Replayed } from './replay.ts'
import { StatusTag, isStatus } from './status.tsx'

/** Renders requests that were sent again, each with the differences of its response. */
export function ReplayedRequests({ replayed }: { readonly replayed: readonly Replayed[] }) {
  const changed = replayed.filter(
    ({ before, after, differences }) => before.status !== after.status || differences.length > 0,
  )
  return (
    <div class="replayed" aria-live="polite">
      <p>
        <b>
          {changed.length} of {replayed.length}
        </b>{' '}
        {replayed.length === 1 ? 'response' : 'responses'} changed.
      </p>
      {changed.map(({ request, before, after, differences }) => (
        <details key={request.id} open={changed.length === 1}>
          <summary>
            <Outcome status={before.status} /> → <Outcome status={after.status} /> {request.method}{' '}
            {request.path}{' '}
            <span class="hint">
              {differences.length} {differences.length === 1 ? 'difference' : 'differences'}
            </span>
          </summary>
          <p>
            <a href={linkTo('traffic', [`${request.id}`])}>Request {request.id}</a>
          </p>
          <Differences differences={differences} />
        </details>
      ))}
    </div>
  )
}

function Outcome({ status }: { readonly status: number | string }) {
  return isStatus(status) ? <StatusTag status={status} /> : <span class="tag bad">{status}</span>
}
