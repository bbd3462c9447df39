import { useState } from 'preact/hooks'

import { type Call, useChange, useRead } from '../../calls.ts'
import { fork, moveClock, prepare, routes, setClock, castBody } from '../../client.ts'
import { Field, Form, OtherErrors, SchemaForm, useBodySchema } from '../../components/form.tsx'
import { Instant, formatInstant, formatMove, plural } from '../../components/format.tsx'
import { Act, Button, Card, Loaded, Confirm, Facts } from '../../components/ui.tsx'
import { requests } from '../../live.ts'
import { linkTo, session } from '../../place.ts'
import { listDifferences } from '../../shell/header.tsx'
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

export function DatasetPage() {
  return (
    <div class="columns">
      <div>
        <Card title="Dataset">
          <DatasetFacts />
        </Card>
        <ResetCard />
      </div>
      <ReseedCard />
    </div>
  )
}

export function DatasetFacts() {
  const { seed, size = 0, fixture, now = '', version } = overview.value ?? {}
  if (seed === undefined) return null
  const facts = [
    ['Seed', seed],
    ['Size', plural(size, 'customer')],
    ['Fixture', fixture],
    ['Time (UTC)', <Instant key="now" at={now} part="minute" />],
    ['Version', version],
  ] as const
  return <Facts look="line" facts={facts} />
}

function ResetCard() {
  const name = session.value ?? 'the default session'
  const texts = listDifferences(overview.value).map(({ count, noun }) => `${count} ${noun}`.trim())
  const dropped = [...texts, plural(requests.value.length, 'recorded request')].join(', ')
  return (
    <Card title="Reset the session">
      <p>
        Returns <b>{name}</b> to its start; the dataset stays. This discards: {dropped}.
      </p>
      <Act
        class="bad"
        call={prepare('post', routes.reset)}
        done="The session was reset."
        ask={{ verb: `Reset ${name}`, text: `This cannot be undone. It discards: ${dropped}.` }}
      >
        Reset…
      </Act>
    </Card>
  )
}

const help = {
  seed: {},
  size: { hint: 'small: 25 customers, medium: 300, large: 10,000, or a number' },
  fixture: { proposals: ['default', 'edge-cases', 'empty'] },
  now: { label: 'Time (UTC)', hint: 'Use system for a running clock.' },
  future: {},
}

function ReseedCard() {
  const [options, setOptions] = useState<object>()
  const change = useChange()
  const reseed = () =>
    change.make(
      { ...prepare('post', routes.reseed, { json: castBody(options) }), ends: session.peek() },
      (made) => `Created a new dataset: seed ${made.seed}, size ${made.size}, fixture ${made.fixture}.`,
    )
  return (
    <Card title="Reseed">
      <SchemaForm
        label="Reseed"
        schema={useBodySchema('reseed')}
        help={help}
        empty="unchanged"
        verb="Reseed…"
        change={change}
        submit={setOptions}
      />
      {change.isBusy && <progress aria-label="Creating the dataset" />}
      {options && (
        <Confirm
          verb="Reseed for everyone"
          text="This deletes every session for everyone who uses this sandbox, and all changes, faults and requests of the default session. It cannot be undone."
          confirm={reseed}
          close={() => setOptions(undefined)}
        />
      )}
    </Card>
  )
}
