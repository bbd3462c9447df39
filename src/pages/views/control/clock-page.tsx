import { useState } from 'preact/hooks'

import type { Call } from '../../calls.ts'
import { moveClock, prepare, routes } from '../../client.ts'
import { Form, Input, OtherErrors, Select } from '../../components/form.tsx'
import { Instant, formatInstant, formatMove } from '../../components/format.tsx'
import { Button, Card, Problem } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { param, session, setQuery } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { Feed } from '../data/changes.tsx'
import { Player, Timeline } from './timeline.tsx'

export type MoveClock = (call: Call<{ readonly now: string }>, isOneOfMany?: boolean) => Promise<boolean>

export function ClockPage() {
  const { value, error } = useRead(prepare('get', routes.clock), overview.value?.now)
  const { make, error: failure } = useChange()
  const [to, setTo] = useState('')
  /** The time before the last move, and the session in which it was made. */
  const [before, setBefore] = useState<{ readonly at: string; readonly in: string | undefined }>()
  const now = value?.now ?? ''
  const movedMs = overview.value?.movedMs ?? 0
  const begin = (): void => setBefore({ at: now, in: session.peek() })
  const move: MoveClock = async (call, isOneOfMany = false) => {
    const isMoved = await make(call, (clock) =>
      isOneOfMany ? '' : `The clock shows ${formatInstant(clock.now)}.`,
    )
    if (isMoved && !isOneOfMany) begin()
    return isMoved
  }
  return (
    <>
      <Card title="Clock">
        <Problem error={error} />
        <p class="row">
          <span
            class="clock-now"
            title="The service uses this time as now: for new records, updatedSince, and rate limits."
          >
            {value ? <Instant at={now} /> : '–'} UTC
          </span>
          {movedMs !== 0 && (
            <>
              <span class="tag warn">{formatMove(movedMs)}</span>
              <Button run={() => move(prepare('delete', routes.clock))}>Reset the clock</Button>
            </>
          )}
        </p>
        <p class="row">
          {['1 hour', '1 day', '1 week', '30 days', '1 year'].map((step) => (
            <Button key={step} run={() => move(moveClock(step))}>
              +{step}
            </Button>
          ))}
        </p>
        <Form
          label="Move the clock"
          error={failure}
          submit={async () => (await move(moveClock(to))) && setTo('')}
        >
          <Input
            label="By a duration, or to an instant"
            name="now"
            value={to}
            set={setTo}
            error={failure}
            placeholder={`30 days, 2h 30min, or ${now}`}
          />
          <button type="submit">Move</button>
        </Form>
        <OtherErrors error={failure} names={['now']} />
      </Card>
      {value && (
        <Timeline now={now} move={move}>
          <Player now={now} move={move} begin={begin} />
        </Timeline>
      )}
      {value && <ChangedSince now={now} before={before?.in === session.value ? before?.at : undefined} />}
    </>
  )
}

function ChangedSince({ now, before }: { now: string; before: string | undefined }) {
  // What was changed before the move has the time before it.
  const moved = before !== undefined && before < now ? Date.parse(before) + 1 : Date.parse(before ?? now)
  const from = param('since') === 'start' || before === undefined ? undefined : new Date(moved).toISOString()
  return (
    <Card title="What has changed">
      {from !== undefined && Date.parse(from) > Date.parse(now) && (
        <p class="hint">The clock went back: this is what has not happened yet.</p>
      )}
      <Feed since={from}>
        {before !== undefined && (
          <Select
            label="Since"
            value={param('since')}
            set={(since) => setQuery({ since })}
            options={{ '': 'the last move', start: 'the start' }}
          />
        )}
      </Feed>
    </Card>
  )
}
