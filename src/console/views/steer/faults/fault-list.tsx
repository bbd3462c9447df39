import { useRef } from 'preact/hooks'

import type { Fault } from '../../../../control/faults/faults.ts'
import type { Call } from '../../../calls.ts'
import { requests } from '../../../live.ts'
import { Card } from '../../../parts/card.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { useChange } from '../../../parts/use-change.ts'
import { addressOf } from '../../../place.ts'
import { Curls } from '../curls.tsx'
import { aimText, effectText } from './fault-text.ts'

const removal = (id: string): Call => ({ method: 'DELETE', path: `/_sandbox/faults/${id}` })
const all: Call = { method: 'DELETE', path: '/_sandbox/faults' }

interface FaultListProps {
  readonly faults: readonly Fault[]
  /** Why they are not known. */
  readonly error: unknown
}

/** The faults of the session, with what they have done. */
export function FaultList({ faults, error }: FaultListProps) {
  const { make, error: failure } = useChange()
  const heading = useRef<HTMLHeadingElement>(null)
  const remove = async (call: Call, done: string): Promise<void> => {
    if (await make(call, done)) heading.current?.focus()
  }
  return (
    <Card title={faults.length > 0 ? `In force (${faults.length})` : 'In force'} heading={heading}>
      <Problem error={error ?? failure} />
      {faults.length === 0 ? (
        <p class="empty">Nothing: every request reaches the service.</p>
      ) : (
        <ul class="fault-list">
          {faults.map((fault) => (
            <FaultRow
              key={fault.id}
              fault={fault}
              remove={() => void remove(removal(fault.id), `Removed ${fault.id}.`)}
            />
          ))}
        </ul>
      )}
      {faults[0] && (
        <>
          <button
            type="button"

            onClick={() => void remove(all, 'Removed all faults.')}
          >
            Remove all
          </button>
          <Curls
            calls={{
              List: { method: 'GET', path: '/_sandbox/faults' },
              'Remove one': removal(faults[0].id),
              'Remove all': all,
            }}
          />
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
        <b>{effectText(fault)}</b> <span class="hint">to {aimText(fault)}</span>
        {after ? <span class="hint"> · after the first {after}</span> : null}
      </span>
      <span class={left === 0 ? 'tag' : 'tag warn'}>
        {left === 0 ? 'spent' : left === null ? 'until removed' : `${left} left`}
      </span>
      <span class="fault-counts">
        matched {matched}, injected {injected}
        {last && (
          <>
            , last <a href={addressOf('requests', [`${last.id}`])}>request {last.id}</a>
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
