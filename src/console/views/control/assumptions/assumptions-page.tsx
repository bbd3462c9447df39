import { useMemo } from 'preact/hooks'

import type { ListedAssumption } from '../../../../control/routes/assumptions.ts'
import { listAssumptions, reportAssumptions } from '../../../client.ts'
import { Card } from '../../../components/card.tsx'
import { Input, Select } from '../../../components/form.tsx'
import { Problem } from '../../../components/problem.tsx'
import { useRead, useChange } from '../../../components/use-calls.ts'
import { place, session, setQuery } from '../../../place.ts'
import { useJournalRevision } from '../use-journal.ts'
import { AssumptionCard } from './assumption-card.tsx'
import { isOverridden, patchAssumptions, getDefaults } from './override.ts'

/** Lists the assumptions, to review and override them. */
export function AssumptionsPage() {
  const { value, error } = useRead(listAssumptions)
  const report = useRead(reportAssumptions, useJournalRevision()).value
  const { make, error: failure } = useChange()
  const assumptions = value ?? []
  const used = useMemo(() => new Map(report?.assumptions.map((one) => [one.id, one])), [report])
  const { query } = place.value
  const chosen = query.get('id')
  const found = assumptions.filter(
    (one) =>
      one.id === chosen ||
      (matches(one, query.get('text') ?? '') &&
        (query.get('only') !== 'used' || used.has(one.id)) &&
        (query.get('only') !== 'changed' || isOverridden(one))),
  )
  const changed = assumptions.filter(isOverridden)
  return (
    <>
      <Card title="Assumptions">
        <p>
          Where the service’s documentation is silent, the sandbox makes an assumption. You can override most
          of them for this session. Responses change at once, and so do the{' '}
          <a href={getDocsLink(session.value)}>reference</a> and <code>/openapi.json</code> of the session.
        </p>
        <div class="row">
          <Filter />
          <button
            type="button"
            aria-disabled={changed.length === 0}
            onClick={() =>
              void make(patchAssumptions(getDefaults(changed)), 'All assumptions use their defaults.')
            }
          >
            Restore defaults
          </button>
        </div>
        <Problem error={error ?? failure} />
        <output class="hint">
          {found.length} of {assumptions.length} shown, {changed.length} overridden, {used.size} used by{' '}
          {report?.requests ?? 0} requests.
        </output>
      </Card>
      <ul class="assumptions">
        {found.map((one) => (
          <AssumptionCard key={one.id} assumption={one} use={used.get(one.id)} isChosen={one.id === chosen} />
        ))}
      </ul>
      {value && found.length === 0 && <p class="empty control-gap">No assumptions match.</p>}
    </>
  )
}

const getDocsLink = (id: string | undefined): string =>
  id === undefined ? '/docs' : `/docs?${new URLSearchParams({ session: id })}`

function matches({ id, subject, decision, name }: ListedAssumption, text: string): boolean {
  return `${id} ${subject} ${decision} ${name}`.toLowerCase().includes(text.trim().toLowerCase())
}

const kinds: Readonly<Record<string, string>> = {
  '': 'All',
  used: 'Used',
  changed: 'Overridden',
}

const createSetter = (key: string) => (value: string) => setQuery({ id: undefined, [key]: value })

/** Filters the assumptions; the URL keeps the filter. */
function Filter() {
  const { query } = place.value
  return (
    <>
      <Input label="Filter" name="text" value={query.get('text') ?? ''} set={createSetter('text')} />
      <Select label="Show" value={query.get('only') ?? ''} set={createSetter('only')} options={kinds} />
    </>
  )
}
