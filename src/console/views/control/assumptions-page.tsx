import { useLayoutEffect, useRef } from 'preact/hooks'

import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import { castBody, listAssumptions, prepare, reportAssumptions, routes } from '../../client.ts'
import { Select } from '../../components/form.tsx'
import { Loaded, Problem } from '../../components/problem.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { linkTo, place, setQuery } from '../../place.ts'
import { journalRevision, overview } from '../../shell/overview.ts'
import { AssumptionDetail } from './assumption-detail.tsx'

const kinds = { '': 'all', used: 'used', changed: 'overridden' }

/** Lists the assumptions to search, beside the selected one with its alternatives; narrow screens show one of both. */
export function AssumptionsPage() {
  const state = useRead(listAssumptions)
  return <Loaded state={state}>{(all) => <Assumptions all={all} />}</Loaded>
}

function Assumptions({ all }: { readonly all: readonly ListedAssumption[] }) {
  const report = useRead(reportAssumptions, journalRevision.value).value
  const { make, error } = useChange()
  const used = new Map(report?.assumptions.map((one) => [one.id, one]))
  const { assumptions: defaults = {} } = overview.value ?? {}
  const isChanged = ({ name }: ListedAssumption): boolean => name !== null && name in defaults
  const { query } = place.value
  const [text, only, id] = ['text', 'only', 'id'].map((name) => query.get(name) ?? '')
  const found = all.filter(
    (one) =>
      matches(one, text ?? '') &&
      (only !== 'used' || used.has(one.id)) &&
      (only !== 'changed' || isChanged(one)),
  )
  const chosen = all.find((one) => one.id === id) ?? found[0]
  const changed = all.filter(isChanged).length
  const restore = prepare('patch', routes.assumptions, { json: castBody(defaults) })
  return (
    <div class={id ? 'assumptions is-open' : 'assumptions'}>
      <section class="card" aria-label="Assumptions">
        <p class="hint">
          Where the service’s documentation is silent, the sandbox assumes something. You can try each
          alternative.
        </p>
        <div class="row">
          <label class="field">
            Search{' '}
            <input
              type="search"
              data-search
              value={text}
              onInput={({ currentTarget }) => setQuery({ id: undefined, text: currentTarget.value })}
            />
          </label>
          <Select
            label="Show"
            value={only ?? ''}
            set={(to) => setQuery({ id: undefined, only: to })}
            options={kinds}
          />
          {changed > 0 && (
            <button type="button" onClick={() => void make(restore, 'All assumptions use their defaults.')}>
              Restore {changed === 1 ? 'the default' : `${changed} defaults`}
            </button>
          )}
        </div>
        <Problem error={error} />
        <output class="hint">
          {found.length} of {all.length}, {changed} overridden, {used.size} used by {report?.requests ?? 0}{' '}
          requests
        </output>
        <ul class="list">
          {found.map((one) => (
            <Row
              key={one.id}
              assumption={one}
              count={used.get(one.id)?.count}
              isChanged={isChanged(one)}
              isChosen={one === chosen}
            />
          ))}
        </ul>
        {found.length === 0 && (
          <p class="empty">No assumptions match. Search for another word, or show all of them.</p>
        )}
      </section>
      {chosen && (
        <div>
          <a class="assumptions-back" href={linkTo('control', ['assumptions'], withId(undefined))}>
            ← All assumptions
          </a>
          <AssumptionDetail
            key={chosen.id}
            assumption={chosen}
            use={used.get(chosen.id)}
            isChanged={isChanged(chosen)}
          />
        </div>
      )}
    </div>
  )
}

function matches({ id, subject, decision, name }: ListedAssumption, text: string): boolean {
  return `${id} ${subject} ${decision} ${name}`.toLowerCase().includes(text.trim().toLowerCase())
}

/** Returns the current query with another assumption. */
function withId(id: string | undefined): URLSearchParams {
  const query = new URLSearchParams(place.value.query)
  query.delete('id')
  if (id !== undefined) query.set('id', id)
  return query
}

interface RowProps {
  readonly assumption: ListedAssumption
  /** The number of requests that depend on it. */
  readonly count: number | undefined
  readonly isChanged: boolean
  readonly isChosen: boolean
}

function Row({ assumption: { id, subject }, count, isChanged, isChosen }: RowProps) {
  const row = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={row}>
      <a href={linkTo('control', ['assumptions'], withId(id))} aria-current={isChosen ? 'true' : undefined}>
        <span class="mono">{id}</span> {subject} {isChanged && <span class="tag odd">overridden</span>}{' '}
        {count !== undefined && <span class="hint">{count === 1 ? '1 request' : `${count} requests`}</span>}
      </a>
    </li>
  )
}
