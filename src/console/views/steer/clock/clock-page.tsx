import { useEffect, useState } from 'preact/hooks'

import type { Call } from '../../../calls.ts'
import { Card } from '../../../parts/card.tsx'
import { Instant } from '../../../parts/instant.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { instantText } from '../../../parts/time.ts'
import { useAnswer } from '../../../parts/use-answer.ts'
import { useChange } from '../../../parts/use-change.ts'
import { Curls } from '../curls.tsx'
import { AdvanceForm, SetForm } from './clock-forms.tsx'
import { Timeline } from './timeline.tsx'

/** How often the time is read anew: a clock may run, and others may move it. Units: milliseconds. */
const READ_MS = 2_000

/** What a clock answers to whatever is done to it. */
export interface Clock {
  readonly now: string
}

/** Makes a call that moves the clock, and says what time it is then. */
export type MoveClock = (call: Call) => Promise<boolean>

const back: Call = { method: 'DELETE', path: '/_sandbox/clock' }

/** The session's clock: the time, ways to move it, and what the tenant has by month. */
export function ClockPage() {
  const { value, error } = useAnswer<Clock>({ path: '/_sandbox/clock' }, useBeat())
  const change = useChange()
  const move: MoveClock = (call) =>
    change.make<Clock>(call, ({ now }) => `The clock says ${instantText(now)}.`)
  return (
    <>
      <Card title="The session’s time">
        <Problem error={error} />
        <p class="row clock-now">
          <span>{value ? <Instant at={value.now} /> : '–'} UTC</span>
          <button type="button" onClick={() => void move(back)}>
            Back to where it starts
          </button>
        </p>
        <Curls calls={{ 'Read it': { method: 'GET', path: '/_sandbox/clock' }, 'Put it back': back }} />
        <p class="hint">
          The service takes it for now: what is created carries it, <code>updatedSince</code> selects up to
          it, rate limits count by it. Records do not change by themselves.
        </p>
        <div class="columns">
          <AdvanceForm move={move} change={change} />
          {value && <SetForm now={value.now} move={move} change={change} />}
        </div>
      </Card>
      {value && <Timeline now={value.now} move={move} />}
    </>
  )
}

function useBeat(): number {
  const [beat, setBeat] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setBeat((count) => count + 1), READ_MS)
    return () => clearInterval(timer)
  }, [])
  return beat
}
