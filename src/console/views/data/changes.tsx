import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { RecordChange } from '../../../records/types.ts'
import { RequestError, read } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { Confirm } from '../../components/dialog.tsx'
import { Differences, listDifferences } from '../../components/diff.tsx'
import { Json } from '../../components/json.tsx'
import { Loaded, Problem } from '../../components/problem.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import { type AnyRecord, formatCounts, getLabel, singularize } from './labels.ts'

const looks = { created: 'tag good', replaced: 'tag warn', deleted: 'tag bad' } as const

/** The number of changes to list. */
const LISTED = 50

/** Loads the changes of the page's session. */
const useChanges = () => useRead(prepare('get', routes.data.changes, { query: {} }))

/** Finds the change of a record; undefined if it is as in the dataset. */
export const useRecordChange = (collection: string, id: unknown): RecordChange | undefined =>
  useChanges().value?.items.find((one) => one.collection === collection && one.id === id)

/** Lists the changes of the session with their differences, to undo them. */
export function Changes() {
  const state = useChanges()
  const { make, error } = useChange()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isAsking, setAsking] = useState(false)
  const count = state.value?.totalCount ?? 0
  // The button disappears with its change.
  useLayoutEffect(() => {
    if (state.value && document.activeElement === document.body) heading.current?.focus()
  }, [count])
  const undoAll = () =>
    make(
      prepare('delete', routes.data.changes, { query: {} }),
      ({ undone }) => `Undone: ${formatCounts(undone)}.`,
    )
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
      <Problem error={error} />
      <Loaded state={state}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">
              No changes yet. Edit a record here, or let your application write. Each change appears here, and
              you can undo it.
            </p>
          ) : (
            <ol class="card list data-changes">
              {items.slice(0, LISTED).map((change) => (
                <li key={`${change.collection} ${change.id}`}>
                  <p class="row">
                    <span class={looks[change.kind]}>{change.kind}</span>
                    <RecordName change={change} />
                    <Undo change={change} />
                  </p>
                  <Difference change={change} />
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      {count > LISTED && <p class="hint">and {count - LISTED} more</p>}
      {isAsking && (
        <Confirm title="Undo all changes?" verb="Undo all" confirm={undoAll} close={() => setAsking(false)}>
          <p>
            This restores {count === 1 ? 'the record' : `all ${count} records`} from the dataset. Clock,
            faults, requests and assumptions stay.
          </p>
        </Confirm>
      )}
    </>
  )
}

function RecordName({ change: { collection, id, kind } }: { readonly change: RecordChange }) {
  const name = `${singularize(collection)} ${id}`
  return kind === 'deleted' ? <>{name}</> : <a href={linkTo('data', [collection, `${id}`])}>{name}</a>
}

/** Reads a changed record and its original. */
const readDifference = ({ collection, id }: RecordChange, until: AbortSignal) =>
  read(
    prepare('get', routes.data.changes[':collection'][':id'], {
      param: { collection, id: `${id}` },
      query: {},
    }),
    until,
  )

/** Renders the fields of a changed record that differ from the original. */
export function Difference({ change }: { readonly change: RecordChange }) {
  const [value, setValue] = useState<Awaited<ReturnType<typeof readDifference>>>()
  // Reads after the list of changes, because a change that was undone cannot be compared.
  useEffect(() => {
    const controller = new AbortController()
    readDifference(change, controller.signal).then(setValue, (error: unknown) => {
      if (!controller.signal.aborted && !(error instanceof RequestError)) throw error
    })
    return () => controller.abort()
  }, [change])
  if (!value) return null
  const { before, after } = value
  if (before && after) return <Differences differences={listDifferences(before, after)} />
  const record: AnyRecord = before ?? after ?? {}
  return (
    <details>
      <summary>{getLabel(record)}</summary>
      <Json value={record} />
    </details>
  )
}

/** Renders a button that undoes a change. */
export function Undo({ change }: { readonly change: RecordChange }) {
  const { collection, id, kind } = change
  const { make, isBusy, error } = useChange()
  const undo = async (): Promise<void> => {
    const param = { collection, id: `${id}` }
    const call = prepare('delete', routes.data.changes[':collection'][':id'], { param, query: {} })
    const isUndone = await make(call, ({ undone }) => `Undone: ${formatCounts(undone)}.`)
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
