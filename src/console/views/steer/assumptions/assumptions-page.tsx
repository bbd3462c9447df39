import { useMemo } from 'preact/hooks'

import type { ListedAssumption } from '../../../../control/assumption-routes.ts'
import type { AssumptionReport } from '../../../../control/journal/assumptions-report.ts'
import type { Call } from '../../../calls.ts'
import { AsCurl } from '../../../parts/as-curl.tsx'
import { Card } from '../../../parts/card.tsx'
import { Input } from '../../../parts/input.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { showWith } from '../../../parts/query.ts'
import { Select } from '../../../parts/select.tsx'
import { useAnswer } from '../../../parts/use-answer.ts'
import { useChange } from '../../../parts/use-change.ts'
import { place, session } from '../../../place.ts'
import { usePulse } from '../pulse.ts'
import { AssumptionCard } from './assumption-card.tsx'
import { differs, patchOf, toDefaults } from './decision.ts'

/** What the document leaves open: how it is decided, and decided otherwise at once. */
export function AssumptionsPage() {
  const { value, error } = useAnswer<readonly ListedAssumption[]>({ path: '/_sandbox/assumptions' })
  const report = useAnswer<AssumptionReport>({ path: '/_sandbox/assumptions?used=true' }, usePulse()).value
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
        (query.get('only') !== 'changed' || differs(one))),
  )
  const changed = assumptions.filter(differs)
  return (
    <>
      <Card title="What is assumed">
        <p>
          Where the service’s document is silent, the sandbox decides, and you decide otherwise: in this
          session, at once. Answers follow, and so do the <a href={docsOf(session.value)}>reference</a> and{' '}
          <code>/openapi.json</code> of the session.
        </p>
        <div class="row">
          <Filter />
          <button
            type="button"
            aria-disabled={changed.length === 0}
            onClick={() => void make(patchOf(toDefaults(changed)), 'Everything is decided as by default.')}
          >
            Back to defaults
          </button>
        </div>
        <Problem error={error ?? failure} />
        <output class="hint">
          {found.length} of {assumptions.length} shown, {changed.length} decided otherwise, {used.size} used
          by {report?.requests ?? 0} requests.
        </output>
        <AsCurl call={changed.length > 0 ? patchOf(toDefaults(changed)) : listing} />
      </Card>
      <ul class="assumptions">
        {found.map((one) => (
          <AssumptionCard key={one.id} assumption={one} use={used.get(one.id)} isChosen={one.id === chosen} />
        ))}
      </ul>
      {value && found.length === 0 && <p class="empty steer-gap">None is like this.</p>}
    </>
  )
}

const listing: Call = { method: 'GET', path: '/_sandbox/assumptions' }

const docsOf = (id: string | undefined): string =>
  id === undefined ? '/docs' : `/docs?${new URLSearchParams({ session: id })}`

function matches({ id, subject, decision, name }: ListedAssumption, text: string): boolean {
  return `${id} ${subject} ${decision} ${name}`.toLowerCase().includes(text.trim().toLowerCase())
}

const kinds: Readonly<Record<string, string>> = {
  '': 'all of them',
  used: 'only those used',
  changed: 'only those decided otherwise',
}

const filterBy = (key: string) => (value: string) => showWith({ id: undefined, [key]: value })

/** What of the assumptions is shown; the address keeps it. */
function Filter() {
  const { query } = place.value
  return (
    <>
      <Input label="Filter" name="text" value={query.get('text') ?? ''} set={filterBy('text')} />
      <Select label="Show" value={query.get('only') ?? ''} set={filterBy('only')} options={kinds} />
    </>
  )
}
