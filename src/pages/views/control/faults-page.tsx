import { useState } from 'preact/hooks'

import type { Fault, FaultInput } from '../../../testing/faults/fault.ts'
import type { Call } from '../../calls.ts'
import { prepare, prepareFault, routes } from '../../client.ts'
import { Select, toOptions } from '../../components/form.tsx'
import { SchemaForm, useBodySchema, useOperationIds } from '../../components/schema-form.tsx'
import { Button, Card, Problem } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { journalRevision } from '../../shell/overview.ts'
import { ActionCard, Described, Uses } from './action-card.tsx'
import { describeEffect, describeTarget, malfunctionLabels } from './fault-text.ts'

const quickFaults: readonly (readonly [label: string, hint: string, effect: FaultInput])[] = [
  ['503 once', 'The next request fails', { status: 503, times: 1 }],
  ['500 once', 'The next request fails', { status: 500, times: 1 }],
  ['429 once', 'With Retry-After: 5', { status: 429, retryAfterSeconds: 5, times: 1 }],
  ['Slow: 2 s', 'Each request takes 2 s longer', { delayMs: 2_000 }],
  ['Rate limit', '10 requests in 10 s, then 429', { rateLimit: { requests: 10, windowSeconds: 10 } }],
  ['No response', 'The next client waits in vain', { malfunction: 'hang', times: 1 }],
  ['Cut off', 'The next body ends halfway', { malfunction: 'truncate', times: 1 }],
  ['Hold', 'The next request waits for a click', { gate: true, times: 1 }],
  ['Offline', 'Every connection is reset', { reset: true }],
]

export function FaultsPage() {
  const faults = useRead(prepare('get', routes.faults), journalRevision.value)
  const profiles = useRead(prepare('get', routes.faults.profiles))
  return (
    <>
      <QuickFaults />
      <div class="columns">
        <div>
          <ActionCard
            title="Faults"
            state={faults}
            empty="None: every request reaches the service. Add one with a click above."
            all={{
              verb: 'Remove all',
              call: prepare('delete', routes.faults),
              done: 'Removed all faults.',
              hint: 'The first that matches a request acts on it.',
            }}
            rows={faults.value?.items.map((fault) => ({
              verb: 'Remove',
              subject: fault.id,
              call: removeFault(fault.id),
              done: `Removed: ${describeEffect(fault)}.`,
              text: <FaultText fault={fault} />,
              isOver: fault.left === 0,
            }))}
          />
          <ActionCard
            title="Profiles, for every request until stopped"
            state={profiles}
            rows={profiles.value?.items.map(({ name, description }) => {
              const started = faults.value?.items.find(({ profile }) => profile === name)
              return {
                verb: started ? 'Stop' : 'Start',
                subject: name,
                call: started ? removeFault(started.id) : prepareFault({ profile: name }),
                done: `${started ? 'Stopped' : 'Started'} ${name}.`,
                text: <Described name={name} text={description} />,
              }
            })}
          />
        </div>
        <FaultForm />
      </div>
    </>
  )
}

const removeFault = (id: string): Call => prepare('delete', routes.faults[':id'], { param: { id } })

function QuickFaults() {
  const [operationId, setOperationId] = useState('')
  const { make, error } = useChange()
  const target = operationId === '' ? {} : { operationId }
  const options = { '': 'every operation', ...toOptions(useOperationIds()) }
  return (
    <Card title="Inject a fault">
      <Select label="Into" value={operationId} set={setOperationId} options={options} />
      <div class="quick-faults">
        {quickFaults.map(([label, hint, effect]) => (
          <Button key={label} run={() => make(prepareFault({ ...target, ...effect }), `Added: ${label}.`)}>
            <strong>{label}</strong>
            <small class="hint">{hint}</small>
          </Button>
        ))}
      </div>
      <Problem error={error} />
    </Card>
  )
}

function FaultText({ fault }: { fault: Fault }) {
  const { id, matched, injected, left, after } = fault
  return (
    <>
      <b>{describeEffect(fault)}</b>{' '}
      <span class="hint">
        to {describeTarget(fault)}
        {after ? `, after the first ${after}` : ''}
      </span>{' '}
      {left !== 0 && <span class="tag warn">{left === null ? 'until removed' : `${left} left`}</span>}
      <br />
      <Uses
        id={id}
        text={`matched ${matched}, injected ${injected}`}
        isOne={(request) => request.fault === id}
      />
    </>
  )
}

const effects = {
  status: 'Status',
  sequence: 'Sequence',
  rateLimit: 'Rate limit',
  malfunction: 'Broken response',
  reset: 'Connection reset',
  '': 'Only a delay or headers',
}

const others = 'delayMs retryAfterSeconds repeat stored probability times after headers body'.split(' ')

const { reset: _, ...malfunctions } = malfunctionLabels

const help = {
  sequence: { placeholder: '503, pass, reset' },
  malfunction: { options: malfunctions },
  delayMs: { label: 'Delay (ms)', placeholder: '2000 or { "min": 0, "max": 900 }' },
  retryAfterSeconds: { label: 'Retry-After (s)' },
  stored: { label: 'Handle the request first' },
  headers: { placeholder: 'X-Request-Id: 7' },
}

const initial = { status: '503' }

function FaultForm() {
  const [effect, setEffect] = useState('status')
  const change = useChange()
  const operations = { '': 'any', ...toOptions(useOperationIds()) }
  return (
    <Card title="Any other fault">
      <SchemaForm
        label="Any other fault"
        schema={useBodySchema('addFaults')}
        names={[...(effect === '' ? [] : [effect]), 'operationId', 'method', 'path']}
        more={{ label: 'Delay, repetition, headers, body', names: others }}
        initial={initial}
        help={{ ...help, operationId: { label: 'Operation', options: operations } }}
        verb="Add fault"
        change={change}
        submit={(json) =>
          change.make(prepare('post', routes.faults, { query: {}, json }), 'Added the fault.')
        }
      >
        <Select label="Effect" value={effect} set={setEffect} options={effects} />
      </SchemaForm>
    </Card>
  )
}
