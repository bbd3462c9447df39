import { useState } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { fork, moveClock, prepare, routes, setClock } from '../../client.ts'
import { Field, Form, OtherErrors } from '../../components/form.tsx'
import { Instant, formatInstant, formatMove } from '../../components/format.tsx'
import { Act, Button, Card, Loaded } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { linkTo } from '../../place.ts'
import { overview } from '../../shell/overview.ts'

export function ClockPage() {
  const state = useRead(prepare('get', routes.clock), overview.value?.now)
  return <Loaded state={state}>{({ now }) => <Clock now={now} />}</Loaded>
}

function Clock({ now }: { now: string }) {
  const { make, error } = useChange()
  const [to, setTo] = useState('')
  /** The time before the last move. */
  const [before, setBefore] = useState<string>()
  const { movedMs = 0, future } = overview.value ?? {}
  const { next = '' } = useRead(prepare('get', routes.clock.events, { query: {} }), now).value ?? {}
  const move = async (call: Call<{ readonly now: string }>): Promise<boolean> => {
    const isMoved = await make(call, (clock) => `The clock shows ${formatInstant(clock.now)}.`)
    if (isMoved) setBefore(now)
    return isMoved
  }
  // A change before the move has the time before it.
  const since = before && new Date(Date.parse(before) + (before < now ? 1 : 0)).toISOString()
  return (
    <Card title="Clock">
      <p class="row">
        <span class="large">
          <Instant at={now} /> UTC
        </span>
        {movedMs !== 0 && <span class="tag warn">{formatMove(movedMs)}</span>}
        {movedMs !== 0 && <Button run={() => move(prepare('delete', routes.clock))}>Reset the clock</Button>}
      </p>
      <p class="row">
        {['1 hour', '1 day', '1 week', '30 days', '1 year'].map((step) => (
          <Button key={step} run={() => move(moveClock(step))}>
            +{step}
          </Button>
        ))}
        {future !== 'still' && (
          <Button disabled={next <= now} run={() => move(setClock(next))}>
            Next event
          </Button>
        )}
      </p>
      <Form
        label="Move the clock"
        error={error}
        submit={async () => (await move(moveClock(to))) && setTo('')}
      >
        <Field
          label="By a duration, or to an instant"
          name="now"
          value={to}
          set={setTo}
          error={error}
          placeholder={`30 days, 2h 30min, or ${now}`}
        />
        <button type="submit" class="primary">
          Move
        </button>
        <OtherErrors error={error} names={['now']} />
      </Form>
      <p class="hint">
        The service uses this time as now: for new records, <code>updatedSince</code> and rate limits.{' '}
        {future === 'still' &&
          'The data of this session stands still. In a living copy, it changes as time passes. '}
        <a href={linkTo('data', ['changes'], since ? { since } : {})}>
          What has changed{before && ` since ${formatInstant(before)}`}
        </a>
      </p>
      {future === 'still' && (
        <Act {...fork(undefined, undefined, { future: 'living' })}>Open a living copy</Act>
      )}
    </Card>
  )
}
