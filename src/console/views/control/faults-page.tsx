import { useRef, useState } from 'preact/hooks'

import type { Fault, FaultInput } from '../../../faults/fault.ts'
import type { Call } from '../../calls.ts'
import { prepare, prepareFault, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { Select } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { linkTo } from '../../place.ts'
import { FaultForm } from './fault-form.tsx'
import { describeEffect, describeTarget } from './fault-text.ts'
import { useOperations } from './operations.ts'
import { useJournalRevision } from './use-journal.ts'

/** A fault that a button adds. */
interface QuickFault {
  readonly label: string
  readonly hint: string
  readonly effect: FaultInput
}

/** Order: as shown. */
const quickFaults: readonly QuickFault[] = [
  { label: '503 once', hint: 'The next request fails', effect: { status: 503, times: 1 } },
  { label: '500 once', hint: 'The next request fails', effect: { status: 500, times: 1 } },
  {
    label: '429 once',
    hint: 'With Retry-After: 5',
    effect: { status: 429, retryAfterSeconds: 5, times: 1 },
  },
  { label: 'Slow: 2 s', hint: 'Every request takes 2 s longer', effect: { delayMs: 2_000 } },
  {
    label: 'Rate limit',
    hint: '10 requests in 10 s, then 429',
    effect: { rateLimit: { requests: 10, windowSeconds: 10 } },
  },
  { label: 'No response', hint: 'The next client waits in vain', effect: { malfunction: 'hang', times: 1 } },
  { label: 'Cut off', hint: 'The next body ends halfway', effect: { malfunction: 'truncate', times: 1 } },
  { label: 'Offline', hint: 'Every connection is reset', effect: { malfunction: 'reset' } },
]

/** Renders quick faults, the active ones, and a form for any other. */
export function FaultsPage() {
  const { value, error } = useRead(prepare('get', routes.faults), useJournalRevision())
  const faults = value?.items ?? []
  return (
    <div class="control-grid">
      <QuickFaults faults={faults} />
      <div class="control-column">
        <FaultList faults={faults} error={error} />
        <FaultForm />
      </div>
    </div>
  )
}

function QuickFaults({ faults }: { readonly faults: readonly Fault[] }) {
  const [operationId, setOperationId] = useState('')
  const { make, error } = useChange()
  const profiles = useRead(prepare('get', routes.faults.profiles)).value?.items ?? []
  const operations = useOperations().map(({ id }) => [id, id] as const)
  const target = operationId === '' ? {} : { operationId }
  return (
    <Card title="Inject a fault">
      <Select
        label="Requests"
        value={operationId}
        set={setOperationId}
        options={{ '': 'to any operation', ...Object.fromEntries(operations) }}
      />
      <div class="quick-faults">
        {quickFaults.map(({ label, hint, effect }) => (
          <button
            key={label}
            type="button"
            onClick={() => void make(prepareFault({ ...target, ...effect }), `Added: ${label}.`)}
          >
            <strong>{label}</strong>
            <small>{hint}</small>
          </button>
        ))}
      </div>
      <h3>Profiles, for every request until stopped</h3>
      <ul class="control-list is-grid">
        {profiles.map(({ name, description }) => {
          const started = faults.find(({ profile }) => profile === name)
          const call: Call = started ? removeFault(started.id) : prepareFault({ profile: name })
          return (
            <li key={name}>
              <button
                type="button"
                class="small"
                aria-label={`${started ? 'Stop' : 'Start'} ${name}`}
                onClick={() => void make(call, `${started ? 'Stopped' : 'Started'} ${name}.`)}
              >
                {started ? 'Stop' : 'Start'}
              </button>
              <span>
                <b>{name}</b>: <span class="hint">{description}</span>
              </span>
            </li>
          )
        })}
      </ul>
      <Problem error={error} />
    </Card>
  )
}

const removeFault = (id: string): Call => prepare('delete', routes.faults[':id'], { param: { id } })

interface FaultListProps {
  readonly faults: readonly Fault[]
  /** The error of loading them. */
  readonly error: unknown
}

/** Lists the faults of the session with their counts. */
function FaultList({ faults, error }: FaultListProps) {
  const { make, error: failure } = useChange()
  const heading = useRef<HTMLHeadingElement>(null)
  const remove = async (call: Call, done: string): Promise<void> => {
    if (await make(call, done)) heading.current?.focus()
  }
  return (
    <Card title={faults.length > 0 ? `Faults (${faults.length})` : 'Faults'} heading={heading}>
      <Problem error={error ?? failure} />
      {faults.length === 0 && <p class="empty">None. Every request reaches the service.</p>}
      <ul class="control-list is-grid">
        {faults.map((fault) => (
          <FaultRow
            key={fault.id}
            fault={fault}
            remove={() => void remove(removeFault(fault.id), `Removed ${fault.id}.`)}
          />
        ))}
      </ul>
      {faults.length > 1 && (
        <button
          type="button"
          onClick={() => void remove(prepare('delete', routes.faults), 'Removed all faults.')}
        >
          Remove all
        </button>
      )}
      {faults.length > 1 && <p class="hint">The first that matches a request acts on it.</p>}
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
    <li class={left === 0 ? 'is-spent' : undefined}>
      <button type="button" class="small" aria-label={`Remove ${id}`} onClick={remove}>
        Remove
      </button>
      <span>
        <b>{describeEffect(fault)}</b>{' '}
        <span class="hint">
          to {describeTarget(fault)}
          {after ? `, after the first ${after}` : ''}
        </span>{' '}
        <span class={left === 0 ? 'tag' : 'tag warn'}>
          {left === 0 ? 'used up' : left === null ? 'until removed' : `${left} left`}
        </span>
        <br />
        <span class="hint">
          {id}: matched {matched}, injected {injected}
          {last && (
            <>
              , last <a href={linkTo('traffic', [`${last.id}`])}>request {last.id}</a>
            </>
          )}
        </span>
      </span>
    </li>
  )
}
