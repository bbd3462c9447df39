import { useState } from 'preact/hooks'

import type { Health } from '../../../../control/host.ts'
import { prepare, routes } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Instant } from '../../../components/format.tsx'
import { Problem } from '../../../components/problem.tsx'
import { useRead, useChange } from '../../../components/use-calls.ts'
import { requests } from '../../../live.ts'
import { session } from '../../../place.ts'
import { ReseedCard } from './reseed-card.tsx'

/** Renders cards to reset the session and to reseed. */
export function DatasetPage() {
  const { value: health, error } = useRead(prepare('get', routes.health))
  return (
    <>
      <Problem error={error} />
      <div class="columns">
        <ResetCard health={health} />
        <ReseedCard health={health} />
      </div>
    </>
  )
}

const reset = prepare('post', routes.reset)

/** Resets the session after a confirmation. */
function ResetCard({ health }: { readonly health: Health | undefined }) {
  const [isAsking, setAsking] = useState(false)
  const { make, error } = useChange()
  const changes = useRead(prepare('get', routes.data.changes, { query: {} })).value?.totalCount
  const faults = useRead(prepare('get', routes.faults)).value?.totalCount
  const dropped = { changes, faults, now: health?.now }
  return (
    <Card title="Reset the session">
      <p>
        Returns <b>{session.value ?? 'the default session'}</b> to its initial state. The dataset stays. This
        discards:
      </p>
      <DroppedItems {...dropped} />
      <Problem error={error} />
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Reset…
      </button>
      {isAsking && (
        <Confirm
          title={`Reset ${session.value ?? 'the default session'}?`}
          verb="Reset"
          confirm={() => make(reset, 'The session was reset.')}
          close={() => setAsking(false)}
        >
          <p>This cannot be undone. It discards:</p>
          <DroppedItems {...dropped} />
        </Confirm>
      )}
    </Card>
  )
}

interface DroppedItemsProps {
  readonly changes: number | undefined
  readonly faults: number | undefined
  readonly now: string | undefined
}

function DroppedItems({ changes, faults, now }: DroppedItemsProps) {
  const count = requests.value.length
  return (
    <ul class="control-list">
      <li>
        <b>{changes ?? '–'}</b> changed {changes === 1 ? 'record' : 'records'}
      </li>
      <li>
        <b>{faults ?? '–'}</b> {faults === 1 ? 'fault' : 'faults'}
      </li>
      <li>
        <b>{count}</b> recorded {count === 1 ? 'request' : 'requests'}
      </li>
      <li>the clock, now at {now === undefined ? '–' : <Instant at={now} />}</li>
      <li>assumptions overridden since it was opened</li>
    </ul>
  )
}
