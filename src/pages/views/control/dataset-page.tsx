import { useState } from 'preact/hooks'

import { castBody, prepare, routes } from '../../client.ts'
import { SchemaForm, useBodySchema } from '../../components/form.tsx'
import { Instant, plural } from '../../components/format.tsx'
import { Act, Card, Confirm, Facts } from '../../components/ui.tsx'
import { useChange } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { session } from '../../place.ts'
import { listDifferences } from '../../shell/header.tsx'
import { overview } from '../../shell/overview.ts'

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
        names={Object.keys(help)}
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
