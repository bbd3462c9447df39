import { useLayoutEffect, useRef } from 'preact/hooks'

import type { ListedAssumption } from '../../../control/routes/assumptions.ts'
import type { UsedAssumption } from '../../../explain/report.ts'
import { listAssumptions, reportAssumptions } from '../../client.ts'
import { Select } from '../../components/form.tsx'
import { Problem } from '../../components/problem.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { linkTo, place, setQuery } from '../../place.ts'
import { AssumptionDetail } from './assumption-detail.tsx'
import { getDefaults, isOverridden, patchAssumptions } from './override.ts'
import { useJournalRevision } from './use-journal.ts'

const kinds: Readonly<Record<string, string>> = { '': 'all', used: 'used', changed: 'overridden' }

/** Lists the assumptions to search, beside the selected one with its alternatives. */
export function AssumptionsPage() {
  const { value, error } = useRead(listAssumptions)
  const report = useRead(reportAssumptions, useJournalRevision()).value
  const { make, error: failure } = useChange()
  const assumptions = value ?? []
  const used = new Map(report?.assumptions.map((one) => [one.id, one]))
  const { query } = place.value
  const [text, only] = [query.get('text') ?? '', query.get('only') ?? '']
  const found = assumptions.filter(
    (one) =>
      matches(one, text) &&
      (only !== 'used' || used.has(one.id)) &&
      (only !== 'changed' || isOverridden(one)),
  )
  const chosen = assumptions.find(({ id }) => id === query.get('id')) ?? found[0]
  const changed = assumptions.filter(isOverridden)
  return (
    <div class="assumptions">
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
            value={only}
            set={(to) => setQuery({ id: undefined, only: to })}
            options={kinds}
          />
          {changed.length > 0 && (
            <button
              type="button"
              onClick={() =>
                void make(patchAssumptions(getDefaults(changed)), 'All assumptions use their defaults.')
              }
            >
              Restore {changed.length === 1 ? 'the default' : `${changed.length} defaults`}
            </button>
          )}
        </div>
        <Problem error={error ?? failure} />
        <output class="hint">
          {found.length} of {assumptions.length}, {changed.length} overridden, {used.size} used by{' '}
          {report?.requests ?? 0} requests
        </output>
        <ul class="assumption-list">
          {found.map((one) => (
            <Row key={one.id} assumption={one} use={used.get(one.id)} isChosen={one === chosen} />
          ))}
        </ul>
        {value && found.length === 0 && <p class="empty">No assumptions match.</p>}
      </section>
      {chosen && <AssumptionDetail key={chosen.id} assumption={chosen} use={used.get(chosen.id)} />}
    </div>
  )
}

function matches({ id, subject, decision, name }: ListedAssumption, text: string): boolean {
  return `${id} ${subject} ${decision} ${name}`.toLowerCase().includes(text.trim().toLowerCase())
}

interface RowProps {
  readonly assumption: ListedAssumption
  /** Undefined if no request depends on it. */
  readonly use: UsedAssumption | undefined
  readonly isChosen: boolean
}

function Row({ assumption, use, isChosen }: RowProps) {
  const { id, subject } = assumption
  const row = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const query = new URLSearchParams(place.value.query)
  query.set('id', id)
  return (
    <li ref={row}>
      <a href={linkTo('control', ['assumptions'], query)} aria-current={isChosen ? 'true' : undefined}>
        <span class="mono">{id}</span> {subject}{' '}
        {isOverridden(assumption) && <span class="tag odd">overridden</span>}{' '}
        {use && (
          <span class="hint">
            {use.count} {use.count === 1 ? 'request' : 'requests'}
          </span>
        )}
      </a>
    </li>
  )
}
