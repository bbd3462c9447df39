import { useState } from 'preact/hooks'

import { castBody, prepare, routes } from '../../client.ts'
import { Confirm } from '../../components/dialog.tsx'
import { JsonFile } from '../../components/form.tsx'
import { Instant, plural } from '../../components/format.tsx'
import { SchemaForm, useBodySchema } from '../../components/schema-form.tsx'
import { Act, Card, Facts, Loaded } from '../../components/ui.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { session } from '../../place.ts'
import { listDifferences } from '../../shell/chips.tsx'
import { overview } from '../../shell/overview.ts'

export function DatasetPage() {
  return (
    <div class="columns">
      <div>
        <DatasetCard />
        <ResetCard />
      </div>
      <ReseedCard />
    </div>
  )
}

function DatasetCard() {
  const health = useRead(prepare('get', routes.health))
  return (
    <Card title="Dataset">
      <DatasetFacts />
      <Loaded state={health}>
        {({ fingerprint }) => (
          <p class="hint">
            Fingerprint <code>{fingerprint}</code>
          </p>
        )}
      </Loaded>
    </Card>
  )
}

export function DatasetFacts() {
  const { seed, size = 0, fixture, now = '', version } = overview.value ?? {}
  if (seed === undefined) return null
  const time = (
    <>
      <Instant at={now} part="minute" /> UTC
    </>
  )
  const facts = { Seed: seed, Size: plural(size, 'customer'), Fixture: fixture, Time: time, Version: version }
  return <Facts look="is-inline" facts={Object.entries(facts)} />
}

function ResetCard() {
  const name = session.value ?? 'the default session'
  const texts = listDifferences(overview.value).map(({ count, noun }) => `${count} ${noun}`.trim())
  const dropped = [...texts, plural(requests.value.length, 'recorded request')].join(', ')
  const text = <p>This cannot be undone. It discards: {dropped}.</p>
  return (
    <Card title="Reset the session">
      <p>
        Returns <b>{name}</b> to its start; the dataset stays. This discards: {dropped}.
      </p>
      <Act
        class="bad"
        call={prepare('post', routes.reset)}
        done="The session was reset."
        ask={{ title: `Reset ${name}?`, verb: 'Reset', text }}
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
  const [fixture, setFixture] = useState<unknown>()
  const [asked, setAsked] = useState<object>()
  const change = useChange()
  const reseed = () => {
    const json = castBody({ ...asked, ...(fixture !== undefined && { fixture }) })
    return change.make(
      { ...prepare('post', routes.reseed, { json }), ends: session.peek() },
      (made) => `Created a new dataset: seed ${made.seed}, size ${made.size}, fixture ${made.fixture}.`,
    )
  }
  return (
    <Card title="Reseed">
      <SchemaForm
        label="Reseed"
        schema={useBodySchema('reseed')}
        names={Object.keys(help)}
        help={help}
        empty="unchanged"
        verb="Reseed…"
        change={change}
        submit={setAsked}
      >
        <JsonFile label="Fixture file, instead of a name" choose={setFixture} />
      </SchemaForm>
      {change.isBusy && <progress aria-label="Creating the dataset" />}
      {asked && (
        <Confirm
          title="Reseed for everyone?"
          verb="Reseed"
          confirm={reseed}
          close={() => setAsked(undefined)}
        >
          <p>
            <b>This deletes every session</b> for everyone who uses this sandbox, and all changes, faults and
            requests of the default session. This cannot be undone.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
