import { useState } from 'preact/hooks'

import type { Call } from '../../../calls.ts'
import { AsCurl } from '../../../parts/as-curl.tsx'
import { Card } from '../../../parts/card.tsx'
import { elsewhere } from '../../../parts/field-errors.ts'
import { Form } from '../../../parts/form.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { useChange } from '../../../parts/use-change.ts'
import { EffectFields } from './effect-fields.tsx'
import { FaultAim } from './fault-aim.tsx'
import { type FaultDraft, faultOf, firstDraft } from './fault-draft.ts'
import { FaultInput } from './fault-input.tsx'

/** What the fields of a draft are called where they are refused; all of them are shown where they have a value. */
const shown = [
  'operationId method path status sequence rateLimit.requests rateLimit.windowSeconds retryAfterSeconds',
  'body headers delayMs times after probability',
].flatMap((names) => names.split(' '))

/** How the parts of the form read and change what is entered. */
export interface DraftProps {
  readonly draft: FaultDraft
  readonly set: (change: Partial<FaultDraft>) => void
  /** Why it was refused. */
  readonly error: unknown
}

/** A fault of one's own. */
export function FaultForm() {
  const [draft, setDraft] = useState(firstDraft)
  const { make, error } = useChange()
  const set = (changed: Partial<FaultDraft>): void => setDraft((before) => ({ ...before, ...changed }))
  const call: Call = { method: 'POST', path: '/_sandbox/faults', body: faultOf(draft) }
  const submit = () => make<{ readonly id: string }>(call, ({ id }) => `Added ${id}.`)
  const props = { draft, set, error }
  return (
    <Card title="A fault of your own">
      <Form label="A fault of your own" error={error} submit={submit}>
        <FaultAim {...props} />
        <EffectFields {...props} />
        <fieldset class="steer-fields">
          <legend>When</legend>
          <FaultInput {...props} of="times" label="At most so often" placeholder="without end" />
          <FaultInput {...props} of="after" label="After so many requests" placeholder="0" />
          <FaultInput {...props} of="probability" extra="probability" label="Probability" placeholder="1" />
        </fieldset>
        <Problem error={elsewhere(error, shown)} />
        <p class="row">
          <button type="submit" class="primary">
            Add fault
          </button>
        </p>
        <AsCurl call={call} />
      </Form>
    </Card>
  )
}
