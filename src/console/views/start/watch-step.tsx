import { Card } from '../../components/card.tsx'
import { formatDuration } from '../../components/format.tsx'
import { StatusTag } from '../../components/status.tsx'
import { requests } from '../../live.ts'
import { linkTo } from '../../place.ts'

/** The number of requests to show. */
const SHOWN = 5

/** Lists the latest requests as they arrive. */
export function WatchStep() {
  const known = requests.value
  const latest = known.slice(-SHOWN).toReversed()
  return (
    <Card title="Watch the requests">
      {latest.length === 0 ? (
        <p class="empty">No requests yet. Run the snippet, and the request appears here.</p>
      ) : (
        <ol class="start-latest" aria-label="Latest requests">
          {latest.map(({ id, method, path, status, durationMs }) => (
            <li key={id}>
              <StatusTag status={status} />{' '}
              <a href={linkTo('requests', [`${id}`])}>
                {method} {path}
              </a>{' '}
              <span class="hint">{durationMs !== undefined && formatDuration(durationMs)}</span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={linkTo('requests')}>
          {known.length > latest.length ? `All ${known.length} requests` : 'Requests'}
        </a>
        : headers, bodies, warnings, and the assumptions behind each response.
      </p>
    </Card>
  )
}
