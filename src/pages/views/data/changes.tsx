import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { RecordChange } from '../../../testing/records/types.ts'
import type { LatestChange } from '../../../testing/records/written-changes.ts'
import { atRecord, castBody, prepare, routes } from '../../client.ts'
import { Select } from '../../components/form.tsx'
import { Instant } from '../../components/format.tsx'
import { Json } from '../../components/json.tsx'
import { Act, Button, Card, Loaded, RequestLink } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, param, place, setQuery, show } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { type AnyRecord, formatCounts, getLabel, looks, singularize } from './labels.ts'

const [PAGE, MOST] = [50, 250]

/** Finds the change of a record; undefined if it is as in the dataset. */
export const useRecordChange = (collection: string, id: unknown): RecordChange | undefined =>
  useRead(prepare('get', routes.data.changes, { query: {} })).value?.items.find(
    (one) => one.collection === collection && one.id === id,
  )

const sayUndone = ({ undone }: { undone: Parameters<typeof formatCounts>[0] }): string =>
  `Undone: ${formatCounts(undone)}.`

/** Focuses the heading of the changes, because the button disappears with its change. */
const focusHeading = (): void => document.querySelector<HTMLElement>('main h1[tabindex]')?.focus()

export function Changes() {
  const count = overview.value?.changes ?? 0
  const text = (
    <p>
      This restores {count === 1 ? 'the record' : `all ${count} records`} from the dataset. Clock, faults,
      requests and assumptions stay.
    </p>
  )
  return (
    <>
      <div class="row view-head">
        <h1 tabIndex={-1}>Changes</h1>
        {count > 0 && (
          <Act
            call={prepare('delete', routes.data.changes, { query: {} })}
            done={sayUndone}
            after={focusHeading}
            ask={{ title: 'Undo all changes?', verb: 'Undo all', text }}
          >
            Undo all
          </Act>
        )}
      </div>
      <Feed />
    </>
  )
}

const kinds = { '': 'any', created: 'created', replaced: 'replaced', deleted: 'deleted' }

const authors = {
  '': 'anybody',
  clock: 'the clock',
  control: 'a person or test',
  service: 'requests',
  scenario: 'scenarios',
}

export function Feed({ since, children }: { since?: string | undefined; children?: ComponentChildren }) {
  const [by, kind] = [param('by'), param('kind')]
  const [least, setLimit] = useState(PAGE)
  const query = {
    latest: `${least}`,
    ...(kind !== '' && { kind: castBody(kind) }),
    ...(since !== undefined && { since }),
    ...(by !== '' && { by: castBody(by) }),
  }
  const state = useRead(prepare('get', routes.data.changes, { query }), overview.value?.now)
  return (
    <>
      <div class="row">
        {children}
        <Select label="By" value={by} set={(one) => setQuery({ by: one })} options={authors} />
        <Select label="Kind" value={kind} set={(one) => setQuery({ kind: one })} options={kinds} />
      </div>
      <Loaded state={state}>
        {({ items, totalCount }) => (
          <>
            {totalCount === 0 && (
              <p class="empty">
                No changes yet. Edit a record here, let your application write, or move the clock of a living
                tenant.
              </p>
            )}
            <ol class="list is-lined">
              {items.map((change) => (
                <FeedItem
                  key={`${change.collection} ${change.id}`}
                  change={change}
                  isUndoable={since === undefined && change.by !== 'clock'}
                />
              ))}
            </ol>
            {totalCount > items.length && least < MOST && (
              <Button run={() => setLimit(MOST)}>Show more of {totalCount}</Button>
            )}
            {totalCount > items.length && least === MOST && (
              <p class="hint">And {totalCount - items.length} earlier changes.</p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/** A change as it is listed: its author may not be known. */
type Listed = RecordChange & {
  readonly [Name in Exclude<keyof LatestChange, keyof RecordChange>]?: LatestChange[Name] | undefined
}

function FeedItem({ change, isUndoable }: { change: Listed; isUndoable: boolean }) {
  const { collection, id, kind, by, at, request, scenario, fields = [], before, after } = change
  const name = `${singularize(collection)} ${id}`
  const others = fields.filter((field) => field !== 'updatedDate')
  const shown = others.length > 0 ? others : fields
  const pick = (record: AnyRecord): AnyRecord =>
    Object.fromEntries(shown.map((field) => [field, record[field]]))
  return (
    <Change
      kind={kind}
      at={at}
      before={before && after ? pick(before) : before}
      after={before && after ? pick(after) : after}
    >
      {after ? <a href={linkTo('data', [collection, `${id}`])}>{name}</a> : name}
      <b>{getLabel(after ?? before ?? {})}</b>
      <span class="hint">
        {by === undefined ? 'before this session' : 'by '}
        {by === 'scenario'
          ? `scenario ${scenario}`
          : by === 'clock'
            ? 'the clock'
            : by === 'control' && 'hand'}
        {by === 'scenario' && request !== undefined && ' on '}
        {request !== undefined && <RequestLink id={request} />}
      </span>
      {isUndoable && <Undo change={change} />}
    </Change>
  )
}

interface ChangeProps {
  readonly kind: keyof typeof looks
  readonly at: string | undefined
  readonly before: AnyRecord | null | undefined
  readonly after: AnyRecord | null | undefined
  readonly children: ComponentChildren
}

/** Renders a change with its values before and after; those of a record that came or went on demand. */
function Change({ kind, at, before, after, children }: ChangeProps) {
  return (
    <li>
      <p class="row">
        {at !== undefined && <Instant at={at} part="minute" />}
        <span class={looks[kind]}>{kind}</span>
        {children}
      </p>
      {(before ?? after) && (
        <Json
          value={after ?? before}
          openDepth={0}
          before={before && after ? { value: before } : undefined}
        />
      )}
    </li>
  )
}

export function Undo({ change: { collection, id, kind } }: { change: RecordChange }) {
  // The page of a created record no longer exists.
  const leave = (): void => {
    const isShown = place.peek().path.join('/') === `${collection}/${id}`
    if (kind === 'created' && isShown) show(linkTo('data', [collection]), 'replace')
    else focusHeading()
  }
  return (
    <Act
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
export function History({ collection, id }: { collection: string; id: string }) {
  const call = prepare('get', routes.data.history[':collection'][':id'], atRecord(collection, id))
  const { items = [], totalCount = 0 } = useRead(call, overview.value?.now).value ?? {}
  if (items.length === 0) return null
  return (
    <Card title="History">
      <ul class="list is-lined">
        {items.toReversed().map(({ at, change, bySession, fields }) => {
          const collect = (side: 'before' | 'after') =>
            fields.length === 0 ? null : Object.fromEntries(fields.map((field) => [field.name, field[side]]))
          return (
            <Change
              key={`${at} ${bySession}`}
              kind={change}
              at={at}
              before={collect('before')}
              after={collect('after')}
            >
              {bySession && <span class="hint">by this session</span>}
            </Change>
          )
        })}
      </ul>
      {totalCount > items.length && (
        <p class="hint">{totalCount - items.length} earlier changes are not shown.</p>
      )}
    </Card>
  )
}
