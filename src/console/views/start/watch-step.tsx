import { requests } from '../../live.ts'
import { Card } from '../../parts/card.tsx'
import { StatusTag } from '../../parts/status-tag.tsx'
import { durationText } from '../../parts/time.ts'
import { addressOf } from '../../place.ts'

/** How many requests are shown. */
const SHOWN = 5

/** The latest requests, as they arrive. */
export function WatchStep() {
  const known = requests.value
  const latest = known.slice(-SHOWN).toReversed()
  return (
    <Card title="Watch the requests">
      {latest.length === 0 ? (
        <p class="empty">No request yet. Run the snippet: it appears here at once.</p>
      ) : (
        <ol class="start-latest" aria-label="Latest requests">
          {latest.map(({ id, method, path, status, durationMs }) => (
            <li key={id}>
              <StatusTag status={status} />{' '}
              <a href={addressOf('requests', [`${id}`])}>
                {method} {path}
              </a>{' '}
              <span class="hint">{durationMs !== undefined && durationText(durationMs)}</span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a href={addressOf('requests')}>
          {known.length > latest.length ? `All ${known.length} requests` : 'Requests'}
        </a>
        : headers, bodies, warnings, and which assumptions an answer rests on.
      </p>
    </Card>
  )
}
