import { useState } from 'preact/hooks'

import { castBody, castResponse, prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { Form, Select } from '../../components/form.tsx'
import { type FieldHelp, OtherErrors, SchemaFields, useBodySchema } from '../../components/schema-form.tsx'
import { type Draft, parseDraft } from '../../components/schema.ts'
import { useChange } from '../../components/use-calls.ts'
import { malfunctionLabels } from './fault-text.ts'
import { useOperations } from './operations.ts'

/** The effects, of which a fault has one. */
const effects: Readonly<Record<string, string>> = {
  status: 'Status',
  sequence: 'Sequence',
  rateLimit: 'Rate limit',
  malfunction: 'Broken response',
  '': 'Only a delay or headers',
}

const targets = ['operationId', 'method', 'path']
const options = [
  'delayMs',
  'retryAfterSeconds',
  'repeat',
  'stored',
  'probability',
  'times',
  'after',
  'headers',
  'body',
]
const fields = [
  ...targets,
  ...Object.keys(effects),
  ...options,
  'rateLimit.requests',
  'rateLimit.windowSeconds',
]

const initial: Draft = { status: '503' }

/** Renders a form that adds any fault. */
export function FaultForm() {
  const [draft, setDraft] = useState(initial)
  const [effect, setEffect] = useState('status')
  const { make, error } = useChange()
  const schema = useBodySchema('addFaults')
  const operations = useOperations()
  const help: Readonly<Record<string, FieldHelp>> = {
    operationId: {
      label: 'Operation',
      options: Object.fromEntries(operations.map(({ id }) => [id, id])),
    },
    path: { proposals: [...new Set(operations.map(({ path }) => path))] },
    sequence: { placeholder: '503, pass, reset' },
    malfunction: { options: malfunctionLabels },
    delayMs: { label: 'Delay (ms)', placeholder: '2000 or { "min": 0, "max": 900 }' },
    retryAfterSeconds: { label: 'Retry-After (s)' },
    stored: { label: 'Handle the request first' },
    headers: { placeholder: 'X-Request-Id: 7' },
  }
  const props = { schema, draft, set: setDraft, error, help }
  const others = Object.keys(effects).filter((name) => name !== effect)
  const chosen = Object.entries(draft).filter(
    ([name]) => !others.some((other) => other !== '' && name.startsWith(other)),
  )
  const submit = () => {
    const json = castBody(parseDraft(schema ?? {}, Object.fromEntries(chosen)))
    const call = castResponse<{ readonly id: string }>(prepare('post', routes.faults, { query: {}, json }))
    return make(call, ({ id }) => `Added ${id}.`)
  }
  return (
    <Card title="Any other fault">
      <Form label="Any other fault" error={error} submit={submit}>
        <SchemaFields {...props} names={targets} empty="any" />
        <div class="row">
          <Select label="Effect" value={effect} set={setEffect} options={effects} />
          <SchemaFields {...props} names={[effect]} />
        </div>
        <details>
          <summary>Delay, repetition, headers, body</summary>
          <SchemaFields {...props} names={options} />
        </details>
        <OtherErrors error={error} names={fields} />
        <p class="row">
          <button type="submit" class="primary" disabled={!schema}>
            Add fault
          </button>
        </p>
      </Form>
    </Card>
  )
}
