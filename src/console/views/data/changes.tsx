import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { Version } from '../../../living/timeline-types.ts'
import type { RecordChange } from '../../../records/types.ts'
import { RequestError, read } from '../../calls.ts'
import { atRecord, prepare, routes } from '../../client.ts'
import { Differences } from '../../components/diff.tsx'
import { Instant } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { Act, Card, Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, show } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { type AnyRecord, formatCounts, getLabel, looks, singularize } from './labels.ts'

const LISTED = 50

const useChanges = () => useRead(prepare('get', routes.data.changes, { query: {} }))

/** Finds the change of a record; undefined if it is as in the dataset. */
export const useRecordChange = (collection: string, id: unknown): RecordChange | undefined =>
  useChanges().value?.items.find((one) => one.collection === collection && one.id === id)

const sayUndone = ({ undone }: { readonly undone: Parameters<typeof formatCounts>[0] }): string =>
  `Undone: ${formatCounts(undone)}.`

export function Changes() {
  const state = useChanges()
  const heading = useRef<HTMLHeadingElement>(null)
  const count = state.value?.totalCount ?? 0
  const before = useRef(count)
  // The button disappears with its change.
  useLayoutEffect(() => {
    if (count < before.current && document.activeElement === document.body) heading.current?.focus()
    before.current = count
  }, [count])
  const text = (
    <p>
      This restores {count === 1 ? 'the record' : `all ${count} records`} from the dataset. Clock, faults,
      requests and assumptions stay.
    </p>
  )
  return (
    <>
      <div class="row data-head">
        <h1 ref={heading} tabIndex={-1}>
          Changes
        </h1>
        {count > 0 && (
          <Act
            call={prepare('delete', routes.data.changes, { query: {} })}
            done={sayUndone}
            ask={{ title: 'Undo all changes?', verb: 'Undo all', text }}
          >
            Undo all
          </Act>
        )}
      </div>
      <Loaded state={state}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">
              No changes yet. Edit a record here, or let your application write. Each change appears here, and
              you can undo it.
            </p>
          ) : (
            <ol class="list is-lined card">
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
    </>
  )
}

function RecordName({ change: { collection, id, kind } }: { readonly change: RecordChange }) {
  const name = `${singularize(collection)} ${id}`
  return kind === 'deleted' ? <>{name}</> : <a href={linkTo('data', [collection, `${id}`])}>{name}</a>
}

const readDifference = ({ collection, id }: RecordChange, until: AbortSignal) =>
  read(prepare('get', routes.data.changes[':collection'][':id'], atRecord(collection, id)), until)

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
  if (before && after) return <Differences before={before} after={after} />
  const record: AnyRecord = before ?? after ?? {}
  return (
    <details>
      <summary>{getLabel(record)}</summary>
      <Json value={record} />
    </details>
  )
}

export function Undo({ change: { collection, id, kind } }: { readonly change: RecordChange }) {
  // The page of a created record no longer exists.
  const leave = (): void => {
    const isShown = place.peek().path.join('/') === `${collection}/${id}`
    if (kind === 'created' && isShown) show(linkTo('data', [collection]), 'replace')
  }
  return (
    <Act
      class="small"
      call={prepare('delete', routes.data.changes[':collection'][':id'], atRecord(collection, id))}
      done={sayUndone}
      after={leave}
      aria-label={`Undo: ${singularize(collection)} ${id} was ${kind}`}
    >
      Undo
    </Act>
  )
}

/** Lists what time and the session have changed in a record, the latest change first; nothing if it is unchanged. */
export function History({ collection, id }: { readonly collection: string; readonly id: string }) {
  const call = prepare('get', routes.data.history[':collection'][':id'], atRecord(collection, id))
  const { items = [], totalCount = 0 } = useRead(call, overview.value?.now).value ?? {}
  if (items.length === 0) return null
  return (
    <Card title="History">
      <ul class="list is-lined">
        {items.toReversed().map((version, at) => (
          <li key={`${version.at} ${version.bySession}`}>
            <ShownVersion version={version} isOpen={at === 0} />
          </li>
        ))}
      </ul>
      {totalCount > items.length && (
        <p class="hint">{totalCount - items.length} earlier changes are not shown.</p>
      )}
    </Card>
  )
}

function ShownVersion({ version, isOpen }: { readonly version: Version; readonly isOpen: boolean }) {
  const { at, change, bySession, fields } = version
  const head = (
    <>
      <span class={looks[change]}>{change}</span> {at !== undefined && <Instant at={at} part="minute" />}{' '}
      {bySession && <span class="hint">by this session</span>}
    </>
  )
  if (fields.length === 0) return head
  const collect = (side: 'before' | 'after') =>
    Object.fromEntries(fields.map((field) => [field.name, field[side]]))
  return (
    <details open={isOpen}>
      <summary>
        {head} <span class="hint">{fields.map(({ name }) => name).join(', ')}</span>
      </summary>
      <Differences before={collect('before')} after={collect('after')} />
    </details>
  )
}
