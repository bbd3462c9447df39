import { useState } from 'preact/hooks'

import { prepare, routes, castResponse, castBody } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Form } from '../../../components/form.tsx'
import { Problem, omitFieldErrors } from '../../../components/problem.tsx'
import { useChange } from '../../../components/use-calls.ts'
import { type FaultDraft, toFault, initialDraft } from './fault-draft.ts'
import { EffectFields, FaultTarget, FaultInput } from './fault-fields.tsx'

/** The names of the fields in validation errors. */
const shown = [
  'operationId method path status sequence rateLimit.requests rateLimit.windowSeconds retryAfterSeconds',
  'body headers delayMs times after probability',
].flatMap((names) => names.split(' '))

/** Renders a form that adds a custom fault. */
export function FaultForm() {
  const [draft, setDraft] = useState(initialDraft)
  const { make, error } = useChange()
  const set = (changed: Partial<FaultDraft>): void => setDraft((before) => ({ ...before, ...changed }))
  const call = prepare('post', routes.faults, { query: {}, json: castBody(toFault(draft)) })
  const submit = () => make(castResponse<{ readonly id: string }>(call), ({ id }) => `Added ${id}.`)
  const props = { draft, set, error }
  return (
    <Card title="Custom fault">
      <Form label="Custom fault" error={error} submit={submit}>
        <FaultTarget {...props} />
        <EffectFields {...props} />
        <fieldset class="control-fields">
          <legend>When</legend>
          <FaultInput {...props} of="times" label="Times" placeholder="unlimited" />
          <FaultInput {...props} of="after" label="Skip first" placeholder="0" />
          <FaultInput {...props} of="probability" extra="probability" label="Probability" placeholder="1" />
        </fieldset>
        <Problem error={omitFieldErrors(error, shown)} />
        <p class="row">
          <button type="submit" class="primary">
            Add fault
          </button>
        </p>
      </Form>
    </Card>
  )
}
