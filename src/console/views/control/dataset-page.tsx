import { useEffect, useState } from 'preact/hooks'

import type { Health } from '../../../control/host.ts'
import { castBody, prepare, readDocument, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { Copy } from '../../components/code.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Form } from '../../components/form.tsx'
import { Instant, formatMove, formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { Save } from '../../components/save.tsx'
import { type FieldHelp, OtherErrors, SchemaFields, useBodySchema } from '../../components/schema-form.tsx'
import { type Draft, parseDraft } from '../../components/schema.ts'
import { useChange, useRead } from '../../components/use-calls.ts'
import { requests } from '../../live.ts'
import { linkTo, session, switchSession } from '../../place.ts'
import { overview } from '../../shell/overview.ts'

/** Renders the dataset, a reset of the session, and a form that generates another dataset. */
export function DatasetPage() {
  const { value: health, error } = useRead(prepare('get', routes.health))
  return (
    <div class="control-grid">
      <Card title="Dataset">
        <Problem error={error} />
        {health && <DatasetFacts health={health} />}
        <p class="row">
          <a href="/openapi.json">OpenAPI document</a>
          <Save call={readDocument} name="openapi.json" label="Save OpenAPI" />
        </p>
      </Card>
      <div class="control-column">
        <ReseedCard />
        <ResetCard />
      </div>
    </div>
  )
}

function DatasetFacts({ health }: { readonly health: Health }) {
  const { version, seed, size, fixture, now, fingerprint } = health
  const collections = useRead(prepare('get', routes.data, { query: {} })).value?.items ?? []
  return (
    <>
      <dl class="facts">
        <dt>Seed</dt>
        <dd>{seed}</dd>
        <dt>Size</dt>
        <dd>{formatNumber(size)} customers</dd>
        <dt>Fixture</dt>
        <dd>{fixture}</dd>
        <dt>Time</dt>
        <dd>
          <Instant at={now} />
        </dd>
        <dt>Fingerprint</dt>
        <dd>
          <code>{fingerprint.slice(0, 16)}…</code> <Copy text={fingerprint} subject="the fingerprint" />
        </dd>
        <dt>Version</dt>
        <dd>{version}</dd>
      </dl>
      <ul class="dataset-counts">
        {collections.map(({ name, totalCount }) => (
          <li key={name}>
            <a href={linkTo('data', [name])}>{name}</a> <b>{formatNumber(totalCount)}</b>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Resets the session after a confirmation. */
function ResetCard() {
  const [isAsking, setAsking] = useState(false)
  const { make, error } = useChange()
  const name = session.value ?? 'the default session'
  return (
    <Card title="Reset the session">
      <p>
        Returns <b>{name}</b> to its start. The dataset stays. This discards:
      </p>
      <DroppedItems />
      <Problem error={error} />
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Reset…
      </button>
      {isAsking && (
        <Confirm
          title={`Reset ${name}?`}
          verb="Reset"
          confirm={() => make(prepare('post', routes.reset), 'The session was reset.')}
          close={() => setAsking(false)}
        >
          <p>This cannot be undone. It discards:</p>
          <DroppedItems />
        </Confirm>
      )}
    </Card>
  )
}

function DroppedItems() {
  const { changes = 0, faults = 0, movedMs = 0, assumptions = {} } = overview.value ?? {}
  const counts = { 'changed records': changes, faults, 'recorded requests': requests.value.length }
  const overridden = Object.keys(assumptions).length
  return (
    <ul>
      {Object.entries(counts).map(([label, count]) => (
        <li key={label}>
          <b>{count}</b> {count === 1 ? label.slice(0, -1) : label}
        </li>
      ))}
      <li>
        <b>{overridden}</b> overridden {overridden === 1 ? 'assumption' : 'assumptions'}
      </li>
      <li>the clock{movedMs === 0 ? ', which was not moved' : `’s move by ${formatMove(movedMs)}`}</li>
    </ul>
  )
}

const fields = ['seed', 'size', 'fixture', 'now']

const help: Readonly<Record<string, FieldHelp>> = {
  size: { hint: 'small: 25 customers, medium: 300, large: 10,000, or a number' },
  fixture: { proposals: ['default', 'edge-cases', 'empty'] },
  now: { label: 'Time (UTC)', hint: 'Use system for a running clock.' },
}

/** The largest fixture. Units: bytes. */
const MAX_FIXTURE = 16 * 1_048_576

/** Creates a new dataset after a confirmation. */
function ReseedCard() {
  const schema = useBodySchema('reseed')
  const [draft, setDraft] = useState<Draft>({})
  const [content, setContent] = useState<object>()
  const [wrong, setWrong] = useState<unknown>()
  const [isAsking, setAsking] = useState(false)
  const { make, isBusy, error } = useChange()
  const choose = async (file: File | undefined): Promise<void> => {
    setWrong(undefined)
    setContent(undefined)
    try {
      if (file) setContent(await readFixture(file))
    } catch (failure) {
      setWrong(failure)
    }
  }
  const reseed = async (): Promise<void> => {
    const options = { ...parseDraft(schema ?? {}, draft), ...(content && { fixture: content }) }
    // The page must not read in a session that is being dropped.
    const before = session.peek()
    if (before !== undefined) switchSession(undefined)
    const call = prepare('post', routes.reseed, { json: castBody(options) })
    const isDone = await make(call, ({ seed, size, fixture }) => {
      setDraft({})
      return `Created a new dataset: seed ${seed}, size ${size}, fixture ${fixture}.`
    })
    if (!isDone && before !== undefined) switchSession(before)
  }
  return (
    <Card title="Reseed">
      <Form label="Reseed" error={error} submit={() => setAsking(true)}>
        <SchemaFields
          schema={schema}
          names={fields}
          draft={draft}
          set={setDraft}
          error={error}
          help={help}
          empty="unchanged"
        />
        <label class="field">
          Or a fixture from a file{' '}
          <input
            type="file"
            accept=".json,application/json"
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
        </label>
        <Problem error={wrong} />
        <OtherErrors error={error} names={content ? ['seed', 'size', 'now'] : fields} />
        <p class="row">
          <button type="submit" class="danger" disabled={isBusy || wrong !== undefined}>
            Reseed…
          </button>
        </p>
      </Form>
      {isBusy && <ReseedProgress />}
      {isAsking && (
        <Confirm title="Reseed for everyone?" verb="Reseed" confirm={reseed} close={() => setAsking(false)}>
          <p>
            <b>This deletes every session</b> for everyone who uses this sandbox, and all changes, faults and
            requests of the default session. This cannot be undone.
          </p>
        </Confirm>
      )}
    </Card>
  )
}

/** Renders the seconds since the dataset was requested. */
function ReseedProgress() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p>
      <progress aria-label="Creating the dataset" />
      Creating the dataset: {seconds} s
    </p>
  )
}

/** Reads a fixture file. Errors: an Error for the user. */
async function readFixture(file: File): Promise<object> {
  if (file.size > MAX_FIXTURE) throw new Error(`${file.name} is larger than 16 MiB.`)
  const content: unknown = await file
    .text()
    .then(JSON.parse)
    .catch(() => undefined)
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  throw new Error(`${file.name} is not a JSON object.`)
}
