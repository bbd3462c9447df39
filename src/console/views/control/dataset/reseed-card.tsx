import { useEffect, useState } from 'preact/hooks'

import type { Health } from '../../../../control/host.ts'
import { prepare, routes, castBody } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Form } from '../../../components/form.tsx'
import { Instant } from '../../../components/format.tsx'
import { Problem, omitFieldErrors } from '../../../components/problem.tsx'
import { useRead, useChange } from '../../../components/use-calls.ts'
import { linkTo, session, switchSession } from '../../../place.ts'
import { unchanged, toDatasetOptions } from './reseed-draft.ts'
import { ReseedFields, reseedFields } from './reseed-fields.tsx'

/** Creates a new dataset after a confirmation, and shows the result. */
export function ReseedCard({ health }: { readonly health: Health | undefined }) {
  const [draft, setDraft] = useState(unchanged)
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<Health>()
  const { make, isBusy, error } = useChange()
  const call = prepare('post', routes.reseed, { json: castBody(toDatasetOptions(draft)) })
  const lacksFile = draft.fixture === 'file' && !draft.content
  const reseed = async (): Promise<void> => {
    setMade(undefined)
    await make(call, (now) => {
      if (session.peek() !== undefined) switchSession(undefined)
      setMade(now)
      setDraft(unchanged)
      return `Created a new dataset: seed ${now.seed}, size ${now.size}, fixture ${now.fixture}.`
    })
  }
  return (
    <Card title="Reseed">
      {health && (
        <p>
          Current: seed <b>{health.seed}</b>, size <b>{health.size}</b>, fixture <b>{health.fixture}</b>, time{' '}
          <Instant at={health.now} />.
        </p>
      )}
      <Form label="Reseed" error={error} submit={() => setAsking(true)}>
        <ReseedFields draft={draft} set={setDraft} error={error} />
        <Problem error={omitFieldErrors(error, reseedFields)} />
        <button type="submit" class="danger" disabled={isBusy || lacksFile}>
          Reseed…
        </button>
      </Form>
      {isBusy && <ReseedProgress />}
      {made && <ReseedResult health={made} />}
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
    <p class="control-gap">
      <progress aria-label="Creating the dataset" />
      Creating the dataset: {seconds} s
    </p>
  )
}

/** Renders the settings and counts of a new dataset. */
function ReseedResult({ health }: { readonly health: Health }) {
  const { value } = useRead(prepare('get', routes.data, { query: {} }))
  return (
    <div class="control-gap">
      <h3>New dataset</h3>
      <p>
        Seed {health.seed}, size {health.size}, fixture {health.fixture}, time <Instant at={health.now} />,
        fingerprint <code>{health.fingerprint}</code>
      </p>
      <ul class="dataset-counts">
        {value?.items.map(({ name, totalCount }) => (
          <li key={name}>
            <a href={linkTo('data', [name])}>{name}</a> <b>{totalCount}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
