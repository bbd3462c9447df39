import { useState } from 'preact/hooks'

import type { Health } from '../../../../control/host.ts'
import type { Call } from '../../../calls.ts'
import { requests } from '../../../live.ts'
import { AsCurl } from '../../../parts/as-curl.tsx'
import { Card } from '../../../parts/card.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { Instant } from '../../../parts/instant.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { useAnswer } from '../../../parts/use-answer.ts'
import { useChange } from '../../../parts/use-change.ts'
import { session } from '../../../place.ts'

const reset: Call = { method: 'POST', path: '/_sandbox/reset' }

interface Counted {
  readonly totalCount: number
}

/** Back to the first moment of the session: asks before it drops anything. */
export function ResetCard({ health }: { readonly health: Health | undefined }) {
  const [isAsking, setAsking] = useState(false)
  const { make, error } = useChange()
  const changes = useAnswer<Counted>({ path: '/_sandbox/data/changes' }).value?.totalCount
  const faults = useAnswer<Counted>({ path: '/_sandbox/faults' }).value?.totalCount
  const dropped = { changes, faults, now: health?.now }
  return (
    <Card title="Reset the session">
      <p>
        Back to the first moment of <b>{session.value ?? 'the default session'}</b>; the dataset stays. It
        would drop:
      </p>
      <Dropped {...dropped} />
      <Problem error={error} />
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Reset…
      </button>
      <AsCurl call={reset} />
      {isAsking && (
        <Confirm
          title={`Reset ${session.value ?? 'the default session'}?`}
          verb="Reset"
          confirm={() => make(reset, 'The session is as at its first moment.')}
          close={() => setAsking(false)}
        >
          <p>This cannot be undone. It drops:</p>
          <Dropped {...dropped} />
        </Confirm>
      )}
    </Card>
  )
}

interface DroppedProps {
  readonly changes: number | undefined
  readonly faults: number | undefined
  readonly now: string | undefined
}

function Dropped({ changes, faults, now }: DroppedProps) {
  const count = requests.value.length
  return (
    <ul class="steer-list">
      <li>
        <b>{changes ?? '–'}</b> changed {changes === 1 ? 'record' : 'records'}
      </li>
      <li>
        <b>{faults ?? '–'}</b> {faults === 1 ? 'fault' : 'faults'}
      </li>
      <li>
        <b>{count}</b> recorded {count === 1 ? 'request' : 'requests'}
      </li>
      <li>the clock, which says {now === undefined ? '–' : <Instant at={now} />}</li>
      <li>assumptions that were decided otherwise since it was opened</li>
    </ul>
  )
}
