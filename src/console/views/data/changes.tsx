import { useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { RecordChange } from '../../../records/types.ts'
import { prepare, routes } from '../../client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead, useChange } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import { formatCounts, singularize } from './labels.ts'

const looks = { created: 'tag good', replaced: 'tag warn', deleted: 'tag bad' } as const

/** The number of changes to list. */
const LISTED = 200

/** Lists the changes of the session, to undo them. */
export function Changes() {
  const changes = useChanges()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isAsking, setAsking] = useState(false)
  const count = changes?.totalCount ?? 0
  // The button disappears with its change.
  const before = useRef(count)
  useLayoutEffect(() => {
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
            No changes yet. Changes made by this page, your application or a test appear here, and you can
            undo them.
          </p>
        )}
        <ol class="data-changes">
          {changes?.items.slice(0, LISTED).map((change) => (
            <li key={`${change.collection} ${change.id}`} class="row">
              <span class={looks[change.kind]}>{change.kind}</span>
              {change.kind === 'deleted' ? (
                <span>
                  {singularize(change.collection)} {change.id}
                </span>
              ) : (
                <a href={linkTo('data', [change.collection, String(change.id)])}>
                  {singularize(change.collection)} {change.id}
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
  const call = prepare('delete', routes.data.changes, { query: {} })
  const undo = async (): Promise<void> => {
    if (await make(call, ({ undone }) => `Undone: ${formatCounts(undone)}.`)) onClose()
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
        This restores {count === 1 ? 'the record' : `all ${count} records`} from the dataset. Clock, faults,
        requests and assumptions stay.
      </p>
      <Problem error={error} />
    </Dialog>
  )
}

/** Renders a button that undoes a change. */
export function Undo({ change }: { readonly change: RecordChange }) {
  const { collection, id, kind } = change
  const { make, isBusy, error } = useChange()
  const undo = async (): Promise<void> => {
    const isUndone = await make(
      prepare('delete', routes.data.changes[':collection'][':id'], {
        param: { collection, id: `${id}` },
        query: {},
      }),
      ({ undone }) => `Undone: ${formatCounts(undone)}.`,
    )
    // The page of a created record no longer exists.
    const isShown = place.value.path.join('/') === `${collection}/${id}`
    if (isUndone && kind === 'created' && isShown) show(linkTo('data', [collection]), 'replace')
  }
  return (
    <>
      <button
        type="button"
        class="small"
        disabled={isBusy}
        aria-label={`Undo: ${singularize(collection)} ${id} was ${kind}`}
        onClick={() => void undo()}
      >
        Undo
      </button>
      <Problem error={error} />
    </>
  )
}

/** The changes of a session. */
export interface Changed {
  /** Order: by collection, then as first changed. */
  readonly items: readonly RecordChange[]
  readonly totalCount: number
}

/** Loads the changes of the page's session; undefined until then. */
export const useChanges = (): Changed | undefined =>
  useRead(prepare('get', routes.data.changes, { query: {} })).value
