import { useEffect, useRef, useState } from 'preact/hooks'

import { AsCurl } from '../../parts/as-curl.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useChange } from '../../parts/use-change.ts'
import { addressOf } from '../../place.ts'
import { Undo, type Undone } from './undo.tsx'
import { useChanges } from './use-changes.ts'
import { countsText, singular } from './words.ts'

const looks = { created: 'tag good', replaced: 'tag warn', deleted: 'tag bad' } as const

/** How many changes are listed at once. */
const LISTED = 200

/** What the session has changed of the data, each with a way back. */
export function Changes() {
  const changes = useChanges()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isAsking, setAsking] = useState(false)
  const count = changes?.totalCount ?? 0
  // The button that took a change back goes with it.
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) heading.current?.focus()
    before.current = count
  }, [count])
  return (
    <>
      <div class="row data-head">
        <h1 ref={heading} tabIndex={-1}>
          Changes
        </h1>
        {count > 0 && (
          <button type="button" onClick={() => setAsking(true)}>
            Undo all
          </button>
        )}
      </div>
      <section class="card" aria-label="Changes">
        {changes && count === 0 && (
          <p class="empty">
            Every record is as in the dataset. What this page, your application or a test changes is listed
            here, each with a way back.
          </p>
        )}
        <ol class="data-changes">
          {changes?.items.slice(0, LISTED).map((change) => (
            <li key={`${change.collection} ${change.id}`} class="row">
              <span class={looks[change.kind]}>{change.kind}</span>
              {change.kind === 'deleted' ? (
                <span>
                  {singular(change.collection)} {change.id}
                </span>
              ) : (
                <a href={addressOf('data', [change.collection, String(change.id)])}>
                  {singular(change.collection)} {change.id}
                </a>
              )}
              <Undo change={change} />
            </li>
          ))}
        </ol>
        {count > LISTED && <p class="hint">and {count - LISTED} more</p>}
      </section>
      {isAsking && <UndoAll count={count} onClose={() => setAsking(false)} />}
    </>
  )
}

function UndoAll({ count, onClose }: { readonly count: number; readonly onClose: () => void }) {
  const { make, isBusy, error } = useChange()
  const call = { method: 'DELETE', path: '/_sandbox/data/changes' } as const
  const undo = async (): Promise<void> => {
    if (await make<Undone>(call, ({ undone }) => `Taken back: ${countsText(undone)}.`)) onClose()
  }
  return (
    <Dialog
      title="Undo all changes?"
      onClose={onClose}
      onSubmit={() => void undo()}
      actions={
        <button type="submit" class="danger" disabled={isBusy}>
          Undo all
        </button>
      }
    >
      <p>
        {count === 1 ? 'The record is' : `All ${count} records are`} again as in the dataset. Clock, faults,
        requests and assumptions stay.
      </p>
      <Problem error={error} />
      <AsCurl call={call} />
    </Dialog>
  )
}
