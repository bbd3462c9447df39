import { useState } from 'preact/hooks'

import type { Call } from '../../../calls.ts'
import { prepare, routes } from '../../../client.ts'
import { Form, Input } from '../../../components/form.tsx'
import { Problem, omitFieldErrors } from '../../../components/problem.tsx'
import type { Change } from '../../../components/use-calls.ts'

/** The response of every call to the clock. */
export interface Clock {
  readonly now: string
}

/** Makes a call that moves the clock, and shows the new time. */
export type MoveClock = (call: Call<Clock>) => Promise<boolean>

interface ClockFormProps {
  readonly move: MoveClock
  readonly change: Change
}

/** The durations of the buttons, in ISO 8601. */
const steps: Readonly<Record<string, string>> = {
  '1 hour': 'PT1H',
  '1 day': 'P1D',
  '1 week': 'P1W',
  '1 month': 'P1M',
}

/** Prepares the call that advances the clock. */
const advance = (by: string) => prepare('post', routes.clock.advance, { json: { by } })

/** Renders a form that advances the clock. */
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
      <div class="row control-line">
        <Input label="Duration (ISO 8601)" name="by" value={by} set={setBy} error={error} />
        <button type="submit">Advance</button>
      </div>
    </Form>
  )
}

/** Renders a form that sets the clock. */
export function SetForm({ now, move, change: { error } }: ClockFormProps & { readonly now: string }) {
  // Undefined until the user enters another time.
  const [given, setGiven] = useState<string>()
  const instant = given ?? now
  const call = prepare('put', routes.clock, { json: { now: instant } })
  const submit = async (): Promise<void> => {
    if (await move(call)) setGiven(undefined)
  }
  return (
    <Form label="Set" error={error} submit={submit}>
      <h3>Set to</h3>
      <div class="row control-line">
        <Input label="Time (UTC)" name="now" value={instant} set={setGiven} error={error} />
        <button type="submit">Set</button>
      </div>
      <Problem error={omitFieldErrors(error, ['now', 'by'])} />
    </Form>
  )
}
