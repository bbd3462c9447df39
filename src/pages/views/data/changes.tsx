import { useState } from 'preact/hooks'

import type { RecordChange } from '../../../testing/records/types.ts'
import type { LatestChange } from '../../../testing/records/written-changes.ts'
import { useRead } from '../../calls.ts'
import { atRecord, castBody, prepare, routes } from '../../client.ts'
import { Difference } from '../../components/difference.tsx'
import { Field } from '../../components/form.tsx'
import { Instant, formatInstant, plural } from '../../components/format.tsx'
import { Tree } from '../../components/tree.tsx'
import { Act, Button, Folded, Loaded, RequestLink } from '../../components/ui.tsx'
import { linkTo, param, place, setQuery, show } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { countByCollection, formatCounts, getLabel, looks, singularize } from './collections.ts'

const [PAGE, MOST] = [50, 250]

type UndoableChange = Pick<RecordChange, 'kind'> & { readonly collection: string; readonly id: unknown }

/** Finds the change of a record; undefined if it is as in the dataset. */
export function useRecordChange(collection: string, id: unknown): UndoableChange | undefined {
  const call = prepare('get', routes.data.history[':collection'][':id'], atRecord(collection, id))
  const own = useRead(call, overview.value?.now).value?.items.find(({ bySession }) => bySession)
  return own && { collection, id, kind: own.change === 'changed' ? 'replaced' : own.change }
}

const sayUndone = ({ undone }: { undone: Parameters<typeof formatCounts>[0] }): string =>
  `Undone: ${formatCounts(undone)}.`

/** Focuses the heading of the changes, because the button disappears with its change. */
const focusHeading = (): void => document.querySelector<HTMLElement>('main h1[tabindex]')?.focus()

const kinds = { '': 'any', created: 'created', replaced: 'replaced', deleted: 'deleted' }

const authors = {
  '': 'anybody',
  clock: 'the clock',
  control: 'a person or test',
  service: 'requests',
  scenario: 'scenarios',
}

/** Lists the latest changes of the session, by whomever and whatever, since its start or an instant. */
export function Changes() {
  const { changes = 0, now = '' } = overview.value ?? {}
  const [by, kind, since] = [param('by'), param('kind'), param('since')]
  const [limit, setLimit] = useState(PAGE)
  const query = {
    latest: `${limit}`,
    ...(since !== '' && { since }),
    ...(by !== '' && { by: castBody(by) }),
    ...(kind !== '' && { kind: castBody(kind) }),
  }
  const state = useRead(prepare('get', routes.data.changes, { query }), now)
  const verb = `Undo ${plural(changes, 'change')}`
  return (
    <>
      <div class="row is-apart">
        <h1 tabIndex={-1}>Changes</h1>
        {changes > 0 && (
          <Act
            class="bad"
            call={prepare('delete', routes.data.changes)}
            done={sayUndone}
            after={focusHeading}
            ask={{
              verb,
              text: 'This restores every changed record from the dataset. Clock, faults, requests and assumptions stay.',
            }}
          >
            {verb}
          </Act>
        )}
      </div>
      <div class="row">
        <Field label="By" value={by} set={(one) => setQuery({ by: one })} options={authors} />
        <Field label="Kind" value={kind} set={(one) => setQuery({ kind: one })} options={kinds} />
        {since !== '' && (
          <Button title="Show all" run={() => setQuery({ since: '' })}>
            since {formatInstant(since)} ×
          </Button>
        )}
      </div>
      {since > now && <p class="hint">The clock went back: this is what has not happened yet.</p>}
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
              {groupByCause(items).map((group) => (
                <Group
                  key={`${group[0]?.collection} ${group[0]?.id}`}
                  changes={group}
                  isUndoable={since === '' && group[0]?.by !== 'clock'}
                />
              ))}
            </ol>
            {totalCount > items.length && limit < MOST && (
              <Button run={() => setLimit(MOST)}>Show more of {totalCount}</Button>
            )}
            {totalCount > items.length && limit === MOST && (
              <p class="hint">And {totalCount - items.length} earlier changes.</p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/** A change as it is listed: its author may not be known. */
export type ListedChange = RecordChange & {
  readonly [Name in Exclude<keyof LatestChange, keyof RecordChange>]?: LatestChange[Name] | undefined
}

/** Groups the neighbours that one scenario, request or call has changed at once, those that take others along first. */
function groupByCause(changes: readonly ListedChange[]): readonly (readonly ListedChange[])[] {
  const isPart = ({ before, after }: ListedChange): number => Number('customerId' in (before ?? after ?? {}))
  const groups = Map.groupBy(changes, ({ by, at, request, scenario, kind, ...change }) => {
    const isAlone = by === undefined || (kind !== 'deleted' && by === 'control')
    return isAlone ? `${change.collection} ${change.id}` : [by, at, request, scenario, kind].join(' ')
  })
  return Array.from(groups.values(), (group) => group.toSorted((a, b) => isPart(a) - isPart(b)))
}

/** Renders changes with one cause; the records that took others along, and on demand those. */
function Group({ changes, isUndoable }: { changes: readonly ListedChange[]; isUndoable: boolean }) {
  const [first, ...rest] = changes
  if (!first) return null
  // A customer, an automation or a brief takes its parts along, also when it is undone.
  const hasParts = first.kind === 'deleted' && rest.length > 0
  const text = formatCounts(countByCollection(rest))
  return (
    <>
      <FeedItem change={first} also={text} isUndoable={isUndoable} />
      {rest.length > 0 && (
        <li>
          <Folded title={`${hasParts ? 'With it' : 'At once'}: ${text}`}>
            {() => (
              <ol class="list is-lined">
                {rest.map((change) => (
                  <FeedItem
                    key={`${change.collection} ${change.id}`}
                    change={change}
                    isUndoable={isUndoable && !hasParts}
                  />
                ))}
              </ol>
            )}
          </Folded>
        </li>
      )}
    </>
  )
}

interface FeedItemProps {
  readonly change: ListedChange
  /** The other changes of the same cause. */
  readonly also?: string
  readonly isUndoable: boolean
}

function FeedItem({ change, also = '', isUndoable }: FeedItemProps) {
  const { collection, id, kind, by, at, request, scenario, before = null, after = null } = change
  const name = `${singularize(collection)} ${id}`
  const author = { scenario: `scenario ${scenario}`, clock: 'the clock', control: 'hand', service: '' }
  return (
    <li>
      <div class="row">
        {at !== undefined && <Instant at={at} part="minute" />}
        <span class={looks[kind]}>{kind}</span>
        {after ? <a href={linkTo('data', [collection, `${id}`])}>{name}</a> : name}
        <b>{getLabel(after ?? before ?? {})}</b>
        <span class="hint">
          {by === undefined ? 'before this session' : `by ${author[by]}`}
          {by === 'scenario' && request !== undefined && ' on '}
          {request !== undefined && <RequestLink id={request} />}
        </span>
        {isUndoable && <Undo change={change} also={kind === 'deleted' ? also : ''} />}
      </div>
      {before && after ? (
        <Difference before={before} after={after} />
      ) : (
        <Folded title={plural(Object.keys(after ?? before ?? {}).length, 'field')}>
          {() => <Tree value={after ?? before} subject="the record" collection={collection} />}
        </Folded>
      )}
    </li>
  )
}

export function Undo({ change, also = '' }: { change: UndoableChange; also?: string }) {
  const { collection, id, kind } = change
  // The page of a created record no longer exists.
  const leave = (): void => {
    const isShown = place.peek().path.join('/') === `${collection}/${String(id)}`
    if (kind === 'created' && isShown) show(linkTo('data', [collection]), 'replace')
    else focusHeading()
  }
  return (
    <Act
      call={prepare('delete', routes.data.changes[':collection'][':id'], atRecord(collection, id))}
      done={sayUndone}
      after={leave}
      aria-label={`Undo: ${singularize(collection)} ${String(id)} was ${kind}`}
    >
      {also === '' ? 'Undo' : 'Undo all of it'}
    </Act>
  )
}
