import { useState } from 'preact/hooks'

import { announceError, makeChange, useRead } from '../../calls.ts'
import { fork, moveClock, prepare, routes } from '../../client.ts'
import { type Bar, Bars } from '../../components/bars.tsx'
import { SchemaForm, useBodySchema } from '../../components/form.tsx'
import { Instant, formatInstant, formatMove, plural } from '../../components/format.tsx'
import { Act, Card, Facts, confirm } from '../../components/ui.tsx'
import { overview } from '../../live.ts'
import { linkTo, session } from '../../place.ts'
import { countByCollection, formatCounts } from '../data/collections.ts'

export function ClockPage() {
  const { now = '', movedMs = 0, future } = overview.value ?? {}
  const [before, setBefore] = useState<string>()
  const call = now ? prepare('get', routes.clock.events, { query: { from: now } }) : undefined
  const events = useRead(call).value
  const next = events?.next ?? ''
  const done = (clock: { readonly now: string }): string => {
    setBefore(now)
    // Another move may come before the page has read the time again.
    if (overview.value) overview.value = { ...overview.value, now: clock.now }
    return `The clock shows ${formatInstant(clock.now)}.`
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
        {movedMs !== 0 && (
          <Act call={prepare('delete', routes.clock)} done={done}>
            Reset the clock
          </Act>
        )}
      </p>
      <p class="row">
        {['1 hour', '1 day', '1 week', '30 days', '1 year'].map((step) => (
          <Act key={step} call={moveClock(step)} done={done}>
            +{step}
          </Act>
        ))}
        {future === 'living' && (
          <Act disabled={next <= now} call={moveClock(next)} done={done}>
            Next event
          </Act>
        )}
      </p>
      {events && events.items.length > 0 && (
        <DaysAhead {...events} move={(at) => makeChange(moveClock(at), done).catch(announceError)} />
      )}
      {since && <Moved since={since} isStill={future === 'still'} />}
      <SchemaForm
        label="Move the clock"
        schema={{ properties: { now: { type: 'string' } } }}
        help={{
          now: { label: 'By a duration, or to an instant', placeholder: `30 days, 2h 30min, or ${now}` },
        }}
        verb="Move"
        submit={({ now: text = '' }: { readonly now?: string }, make) => make(moveClock(text), done)}
      />
      <p class="hint">
        The service uses this time as now: for new records, <code>updatedSince</code> and rate limits.
      </p>
      {future === 'still' && (
        <>
          <p class="hint">
            The data of this session stands still. In a living copy, it changes as time passes; a sandbox
            started with <code>--future living</code> is one from the start.{' '}
            <a href="/_sandbox/docs/living-tenant">The living tenant</a>
          </p>
          <Act {...fork({ future: 'living' })}>Open a living copy</Act>
        </>
      )}
    </Card>
  )
}

/** Units: milliseconds. */
const DAY = 86_400_000

interface DaysAheadProps {
  readonly from: string
  readonly to: string
  readonly items: readonly { readonly day: string; readonly counts: Parameters<typeof formatCounts>[0] }[]
  readonly move: (to: string) => unknown
}

function DaysAhead({ from, to, items, move }: DaysAheadProps) {
  const days = Array.from({ length: Math.ceil((Date.parse(to) - Date.parse(from)) / DAY) }, (_, at) =>
    new Date(Date.parse(from) + at * DAY).toISOString().slice(0, 10),
  )
  const bars = days.map((day): Bar => {
    const counts = items.find((one) => one.day === day)?.counts ?? {}
    const count = Object.values(counts).reduce<number>((sum, one = 0) => sum + one, 0)
    return { label: day, parts: count === 0 ? [] : [['accent', `changes (${formatCounts(counts)})`, count]] }
  })
  const select = (_: number, last: number): unknown => move(`${days[last]}T23:59:59.999Z`)
  return (
    <>
      <p class="hint">
        Changes of each day until {to.slice(0, 10)}. Choose a day to move the clock to its end.
      </p>
      <Bars label="Changes by day" bars={bars} select={select} />
    </>
  )
}

function Moved({ since, isStill }: { since: string; isStill: boolean }) {
  const query = { since, by: 'clock', latest: '250' } as const
  const { items, totalCount = 0 } = useRead(prepare('get', routes.data.changes, { query })).value ?? {}
  if (!items) return null
  return (
    <p>
      {isStill ? (
        'The clock has moved, but not the data: this dataset does not move with the clock, see below.'
      ) : (
        <>
          <b>{plural(totalCount, 'record')}</b> changed with time
          {totalCount > 0 && `: ${formatCounts(countByCollection(items))}`}
          {totalCount > items.length && ' among the last 250'}.
        </>
      )}{' '}
      <a href={linkTo('data', ['changes'], { since })}>What has changed since {formatInstant(since)}</a>
    </p>
  )
}

export function DatasetPage() {
  const { seed, size = 0, fixture, future, now = '', version, name: given } = overview.value ?? {}
  const facts = { Seed: seed, Size: plural(size, 'customer'), Fixture: fixture, Future: future }
  const time = <Instant at={now} part="minute" />
  const name = given ?? session.value ?? 'the default session'
  const text = 'This discards its changes, clock, faults, scenarios, requests and assumptions.'
  return (
    <div class="columns">
      <div>
        <Card title="Dataset">
          <Facts facts={{ ...facts, 'Session time (UTC)': time, Version: version }} />
        </Card>
        <Card title="Reset the session">
          <p>
            Returns <b>{name}</b> to its start; the dataset stays. {text}
          </p>
          <Act
            class="bad"
            call={prepare('post', routes.reset, { json: {} })}
            done="The session was reset."
            ask={{ verb: `Reset ${name}`, text: `${text} It cannot be undone.` }}
          >
            Reset…
          </Act>
        </Card>
      </div>
      <Card title="Reseed">
        <SchemaForm
          label="Reseed"
          schema={useBodySchema('reseed')}
          help={help}
          empty="unchanged"
          verb="Reseed…"
          progress="Creating the dataset"
          submit={async (json: never, make) =>
            (await confirm(reseedQuestion)) &&
            make(
              { ...prepare('post', routes.reseed, { json }), ends: session.peek() },
              (made) =>
                `Created a new dataset: seed ${made.seed}, size ${made.size}, fixture ${made.fixture}.`,
            )
          }
        />
      </Card>
    </div>
  )
}

const help = {
  seed: {},
  size: { hint: 'small: 25 customers, medium: 300, large: 10,000, or a number' },
  fixture: { proposals: ['default', 'edge-cases', 'empty'] },
  now: { label: 'Time (UTC)', hint: 'Use system for a running clock.' },
  future: {},
}

const reseedQuestion = {
  verb: 'Reseed for everyone',
  text: 'This deletes every session for everyone who uses this sandbox, and all changes, faults and requests of the default session. It cannot be undone.',
}
