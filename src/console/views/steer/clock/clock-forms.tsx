import { useState } from 'preact/hooks'

import type { Call } from '../../../calls.ts'
import { AsCurl } from '../../../parts/as-curl.tsx'
import { elsewhere } from '../../../parts/field-errors.ts'
import { Form } from '../../../parts/form.tsx'
import { Input } from '../../../parts/input.tsx'
import { Problem } from '../../../parts/problem.tsx'
import type { Change } from '../../../parts/use-change.ts'
import type { MoveClock } from './clock-page.tsx'

interface ClockFormProps {
  readonly move: MoveClock
  readonly change: Change
}

/** Durations by one click, in ISO 8601. */
const steps: Readonly<Record<string, string>> = {
  '1 hour': 'PT1H',
  '1 day': 'P1D',
  '1 week': 'P1W',
  '1 month': 'P1M',
}

/** The call that moves the clock on. */
const advance = (by: string): Call => ({ method: 'POST', path: '/_sandbox/clock/advance', body: { by } })

/** Moves the clock on. */
export function AdvanceForm({ move, change: { error } }: ClockFormProps) {
  const [by, setBy] = useState('P1DT2H')
  return (
    <Form label="Advance" error={error} submit={() => move(advance(by))}>
      <h3>Advance by</h3>
      <p class="row">
        {Object.entries(steps).map(([label, step]) => (
          <button key={step} type="button" onClick={() => void move(advance(step))}>
            {label}
          </button>
        ))}
      </p>
      <div class="row steer-line">
        <Input label="Duration (ISO 8601)" name="by" value={by} set={setBy} error={error} />
        <button type="submit">Advance</button>
      </div>
      <AsCurl call={advance(by)} />
    </Form>
  )
}

/** Sets the clock to an instant. */
export function SetForm({ now, move, change: { error } }: ClockFormProps & { readonly now: string }) {
  // The session's time, until another one is entered.
  const [given, setGiven] = useState<string>()
  const instant = given ?? now
  const call: Call = { method: 'PUT', path: '/_sandbox/clock', body: { now: instant } }
  const submit = async (): Promise<void> => {
    if (await move(call)) setGiven(undefined)
  }
  return (
    <Form label="Set" error={error} submit={submit}>
      <h3>Set to</h3>
      <div class="row steer-line">
        <Input label="Instant (UTC)" name="now" value={instant} set={setGiven} error={error} />
        <button type="submit">Set</button>
      </div>
      <Problem error={elsewhere(error, ['now', 'by'])} />
      <AsCurl call={call} />
    </Form>
  )
}
