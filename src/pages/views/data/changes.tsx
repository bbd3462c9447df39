import { useState } from 'preact/hooks'

import type { ListedChange } from '../../../testing/records/types.ts'
import { useRead } from '../../calls.ts'
import { atRecord, castBody, prepare, routes } from '../../client.ts'
import { ParamField } from '../../components/form.tsx'
import { Instant, formatInstant, formatNumber, plural } from '../../components/format.tsx'
import { Tree } from '../../components/tree.tsx'
import {
  Act,
  Button,
  Card,
  Folded,
  Loaded,
  RequestLink,
  focusHeading,
  useMore,
} from '../../components/ui.tsx'
import { overview } from '../../live.ts'
import { linkTo, param, place, setQuery, show } from '../../place.ts'
import { countByCollection, formatCounts, getLabel, looks, singularize } from './collections.ts'

const sayUndone = ({ undone }: { undone: Parameters<typeof formatCounts>[0] }): string =>
  `Undone: ${formatCounts(undone)}.`

const authors = {
  '': 'anybody',
  clock: 'the clock',
  control: 'a person or test',
  service: 'requests',
  scenario: 'scenarios',
}

export function Changes() {
  const { changes = 0, now = '' } = overview.value ?? {}
  const [by, since] = [param('by'), param('since')]
  const query = {
    latest: '250',
    ...(since !== '' && { since }),
    ...(by !== '' && { by: castBody(by) }),
  }
  const state = useRead(prepare('get', routes.data.changes, { query }), now)
  const [groups, more] = useMore(groupByCause(state.value?.items ?? []), 50, 50)
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
        <ParamField name="by" label="By" options={authors} />
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
            <Feed groups={groups} isUndoable={since === ''} />
            {more}
            {totalCount > items.length && (
              <p class="hint">And {totalCount - items.length} earlier changes.</p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

type Group = readonly ListedChange[]

const isPart = ({ before, after }: ListedChange): number => Number('customerId' in (before ?? after ?? {}))

/** Groups the neighbours that one scenario, request or call has changed at once, those that take others along first. */
function groupByCause(changes: Group): readonly Group[] {
  const groups = Map.groupBy(changes, ({ by, at, request, scenario, kind, ...change }) => {
    const isAlone = by === undefined || (kind !== 'deleted' && by === 'control')
    return isAlone ? `${change.collection} ${change.id}` : [by, at, request, scenario, kind].join(' ')
  })
  return Array.from(groups.values(), (group) => group.toSorted((a, b) => isPart(a) - isPart(b)))
}

function Feed({ groups, isUndoable }: { groups: readonly Group[]; isUndoable: boolean }) {
  return (
    <ol class="list is-lined">
      {groups.map((changes) => (
        <FeedItem key={`${changes[0]?.collection} ${changes[0]?.id}`} {...{ changes, isUndoable }} />
      ))}
    </ol>
  )
}

/** Renders the first of the changes with one cause, and folded those that came with it. */
function FeedItem({ changes, isUndoable }: { changes: Group; isUndoable: boolean }) {
  const [change, ...rest] = changes
  if (!change) return null
  const { collection, id, kind, by, at, request, scenario, before = null, after = null } = change
  const did = kind === 'replaced' ? 'changed' : kind
  const name = `${singularize(collection)} ${id}`
  const author = { scenario: `scenario ${scenario}`, clock: 'the clock', control: 'hand', service: '' }
  // A customer, an automation or a brief takes its parts along, also when it is undone.
  const hasParts = kind === 'deleted' && rest.length > 0
  return (
    <li>
      <div class="row">
        {at !== undefined && <Instant at={at} part="minute" />}
        <span class={looks[did]}>{did}</span>
        {after ? <a href={linkTo('data', [collection, `${id}`])}>{name}</a> : name}
        <b>{getLabel(after ?? before ?? {})}</b>
        <span class="hint">
          {by === undefined ? 'before this session' : `by ${author[by]}`}
          {by === 'scenario' && request !== undefined && ' on '}
          {request !== undefined && <RequestLink id={request} />}
        </span>
        {isUndoable && by !== 'clock' && <Undo {...{ collection, id, did, hasParts }} />}
      </div>
      {before && after ? (
        <Difference before={before} after={after} />
      ) : (
        <Folded title={plural(Object.keys(after ?? before ?? {}).length, 'field')}>
          {() => <Tree value={after ?? before} subject="the record" collection={collection} />}
        </Folded>
      )}
      {rest.length > 0 && (
        <Folded title={`${hasParts ? 'With it' : 'At once'}: ${formatCounts(countByCollection(rest))}`}>
          {() => <Feed groups={rest.map((one) => [one])} isUndoable={isUndoable && !hasParts} />}
        </Folded>
      )}
    </li>
  )
}

interface UndoProps {
  readonly collection: string
  readonly id: string | number
  readonly did: keyof typeof looks
  readonly hasParts?: boolean
}

function Undo({ collection, id, did, hasParts = false }: UndoProps) {
  // The page of a created record no longer exists.
  const leave = (): void => {
    const isShown = place.peek().path.join('/') === `${collection}/${id}`
    if (did === 'created' && isShown) show(linkTo('data', [collection]), 'replace')
    else focusHeading()
  }
  return (
    <Act
      call={prepare('delete', routes.data.changes[':collection'][':id'], atRecord(collection, id))}
      done={sayUndone}
      after={leave}
      aria-label={`Undo: ${singularize(collection)} ${id} was ${did}`}
    >
      {hasParts ? 'Undo all of it' : 'Undo'}
    </Act>
  )
}

export function History({ collection, id }: { collection: string; id: string }) {
  const call = prepare('get', routes.data.history[':collection'][':id'], atRecord(collection, id))
  const { items = [], totalCount = 0 } = useRead(call, overview.value?.now).value ?? {}
  const [chosen = items.length - 1, setChosen] = useState<number>()
  const { fields = [] } = items[chosen] ?? {}
  const own = items.find(({ bySession }) => bySession)?.change
  if (items.length === 0) return null
  return (
    <Card title={`History (${totalCount})`}>
      <ol class="strip">
        {items.map(({ at = '', change, bySession }, index) => (
          <li key={at + change} class={looks[change].replace('tag ', '')}>
            <Button
              class="quiet"
              pressed={index === chosen}
              title={bySession ? 'by this session' : 'by time'}
              run={() => setChosen(index)}
            >
              {formatInstant(at, 'minute')} {change}
            </Button>
          </li>
        ))}
      </ol>
      <Difference
        before={Object.fromEntries(fields.map(({ name, before }) => [name, before]))}
        after={Object.fromEntries(fields.map(({ name, after }) => [name, after]))}
      />
      {own && <Undo {...{ collection, id }} did={own} />}
    </Card>
  )
}

/** Renders the paths at which two versions of a record differ, each with its old and new value; its date if nothing else. */
function Difference({ before, after }: { before: object; after: object }) {
  const found = listDifferences(before, after)
  const others = found.filter(({ path }) => path !== 'updatedDate')
  const [shown, more] = useMore(others.length > 0 ? others : found, 6)
  return (
    <ul class="list mono">
      {shown.map(({ path, from, to }) => (
        <li key={path}>
          <span class="hint">{path || 'record'}</span> {from !== undefined && <del>{abridge(from)}</del>}
          {' → '}
          {to === undefined ? <span class="hint">gone</span> : <ins>{abridge(to)}</ins>}
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  )
}

const abridge = (value: unknown): string => {
  const text = Number.isInteger(value) ? formatNumber(Number(value)) : JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)} … (${formatNumber(text.length)} characters)` : text
}

interface PathDifference {
  readonly path: string
  readonly from: unknown
  readonly to: unknown
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Lists the paths at which two values differ, as in `products[dataHub].metrics.rowsPerDay`. */
function listDifferences(from: unknown, to: unknown, path = ''): readonly PathDifference[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  if (!isObject(from) || !isObject(to) || Array.isArray(from) !== Array.isArray(to))
    return [{ path, from, to }]
  const [before, after] = [indexParts(from), indexParts(to)]
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((name) => {
    const inner = Array.isArray(to) ? `${path}[${name}]` : [path, name].filter(Boolean).join('.')
    return listDifferences(before.get(name), after.get(name), inner)
  })
}

/** Indexes the parts of a value by name; those of a list by what identifies them, or their place. */
const indexParts = (value: object): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(value).map(([name, part]) => {
      const { key, id } = Array.isArray(value) ? Object(part) : {}
      return [String(key ?? id ?? name), part] as const
    }),
  )
