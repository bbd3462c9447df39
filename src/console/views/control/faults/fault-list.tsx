import { useRef } from 'preact/hooks'

import type { Fault } from '../../../../faults/fault.ts'
import type { Call } from '../../../calls.ts'
import { prepare, routes } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Problem } from '../../../components/problem.tsx'
import { useChange } from '../../../components/use-calls.ts'
import { requests } from '../../../live.ts'
import { linkTo } from '../../../place.ts'
import { describeTarget, describeEffect } from './fault-text.ts'

const removeFault = (id: string): Call => prepare('delete', routes.faults[':id'], { param: { id } })
const all: Call = prepare('delete', routes.faults)

interface FaultListProps {
  readonly faults: readonly Fault[]
  /** The error of loading them. */
  readonly error: unknown
}

/** Lists the faults of the session with their counts. */
export function FaultList({ faults, error }: FaultListProps) {
  const { make, error: failure } = useChange()
  const heading = useRef<HTMLHeadingElement>(null)
  const remove = async (call: Call, done: string): Promise<void> => {
    if (await make(call, done)) heading.current?.focus()
  }
  return (
    <Card title={faults.length > 0 ? `Active faults (${faults.length})` : 'Active faults'} heading={heading}>
      <Problem error={error ?? failure} />
      {faults.length === 0 ? (
        <p class="empty">No faults: every request reaches the service.</p>
      ) : (
        <ul class="fault-list">
          {faults.map((fault) => (
            <FaultRow
              key={fault.id}
              fault={fault}
              remove={() => void remove(removeFault(fault.id), `Removed ${fault.id}.`)}
            />
          ))}
        </ul>
      )}
      {faults[0] && (
        <>
          <button type="button" onClick={() => void remove(all, 'Removed all faults.')}>
            Remove all
          </button>
        </>
      )}
    </Card>
  )
}

interface FaultRowProps {
  readonly fault: Fault
  readonly remove: () => void
}

function FaultRow({ fault, remove }: FaultRowProps) {
  const { id, matched, injected, left, after } = fault
  const last = requests.value.findLast((request) => request.fault === id)
  return (
    <li class={left === 0 ? 'fault is-spent' : 'fault'}>
      <span class="fault-what">
        <b>{describeEffect(fault)}</b> <span class="hint">to {describeTarget(fault)}</span>
        {after ? <span class="hint"> · after the first {after}</span> : null}
      </span>
      <span class={left === 0 ? 'tag' : 'tag warn'}>
        {left === 0 ? 'used up' : left === null ? 'until removed' : `${left} left`}
      </span>
      <span class="fault-counts">
        matched {matched}, injected {injected}
        {last && (
          <>
            , last <a href={linkTo('traffic', [`${last.id}`])}>request {last.id}</a>
          </>
        )}
      </span>
      <span class="hint mono">{id}</span>
      <button type="button" class="small" aria-label={`Remove ${id}`} onClick={remove}>
        Remove
      </button>
    </li>
  )
}
