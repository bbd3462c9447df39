import { useEffect, useState } from 'preact/hooks'

import { prepare, routes } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Instant, formatInstant } from '../../../components/format.tsx'
import { Problem } from '../../../components/problem.tsx'
import { useRead, useChange } from '../../../components/use-calls.ts'
import { AdvanceForm, type MoveClock, SetForm } from './clock-forms.tsx'
import { Timeline } from './timeline.tsx'

/** The interval at which the time is read: a clock may run, and others may move it. Units: milliseconds. */
const READ_MS = 2_000

const readClock = prepare('get', routes.clock)
const back = prepare('delete', routes.clock)

/** Renders the session's clock, forms to move it and a timeline. */
export function ClockPage() {
  const { value, error } = useRead(readClock, usePolling())
  const change = useChange()
  const move: MoveClock = (call) => change.make(call, ({ now }) => `Clock set to ${formatInstant(now)}.`)
  return (
    <>
      <Card title="Session time">
        <Problem error={error} />
        <p class="row clock-now">
          <span>{value ? <Instant at={value.now} /> : '–'} UTC</span>
          <button type="button" onClick={() => void move(back)}>
            Reset clock
          </button>
        </p>
        <p class="hint">
          The service uses this time as now: for the dates of new records, the upper bound of{' '}
          <code>updatedSince</code>, and the windows of rate limits. Existing records do not change.
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

function usePolling(): number {
  const [beat, setBeat] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setBeat((count) => count + 1), READ_MS)
    return () => clearInterval(timer)
  }, [])
  return beat
}
