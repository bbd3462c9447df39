import { useState } from 'preact/hooks'

import type { Health } from '../../../../control/host.ts'
import type { Call } from '../../../calls.ts'
import { AsCurl } from '../../../parts/as-curl.tsx'
import { Card } from '../../../parts/card.tsx'
import { Confirm } from '../../../parts/confirm.tsx'
import { elsewhere } from '../../../parts/field-errors.ts'
import { Form } from '../../../parts/form.tsx'
import { Instant } from '../../../parts/instant.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { useChange } from '../../../parts/use-change.ts'
import { session, turnTo } from '../../../place.ts'
import { asItIs, datasetOptionsOf } from './reseed-draft.ts'
import { ReseedFields, reseedFields } from './reseed-fields.tsx'
import { Made, Seeding } from './reseed-outcome.tsx'

/** Another dataset for all: asks before every session is dropped, and tells what came of it. */
export function ReseedCard({ health }: { readonly health: Health | undefined }) {
  const [draft, setDraft] = useState(asItIs)
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<Health>()
  const { make, isBusy, error } = useChange()
  const call: Call = { method: 'POST', path: '/_sandbox/reseed', body: datasetOptionsOf(draft) }
  const lacksFile = draft.fixture === 'file' && !draft.content
  const reseed = async (): Promise<void> => {
    setMade(undefined)
    await make<Health>(call, (now) => {
      if (session.peek() !== undefined) turnTo(undefined)
      setMade(now)
      setDraft(asItIs)
      return `There is another dataset: seed ${now.seed}, size ${now.size}, fixture ${now.fixture}.`
    })
  }
  return (
    <Card title="Another dataset">
      {health && (
        <p>
          Here: seed <b>{health.seed}</b>, size <b>{health.size}</b>, fixture <b>{health.fixture}</b>, time{' '}
          <Instant at={health.now} />.
        </p>
      )}
      <Form label="Another dataset" error={error} submit={() => setAsking(true)}>
        <ReseedFields draft={draft} set={setDraft} error={error} />
        <Problem error={elsewhere(error, reseedFields)} />
        <button type="submit" class="danger" disabled={isBusy || lacksFile}>
          Reseed…
        </button>
        {draft.fixture !== 'file' && <AsCurl call={call} />}
      </Form>
      {isBusy && <Seeding />}
      {made && <Made health={made} />}
      {isAsking && (
        <Confirm title="Reseed for all?" verb="Reseed" confirm={reseed} close={() => setAsking(false)}>
          <p>
            <b>Every session is dropped</b>, of whoever uses this sandbox, and all changes, faults and
            requests of the default one. This cannot be undone.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
