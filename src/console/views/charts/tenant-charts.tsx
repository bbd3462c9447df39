import { useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { type Cast, useCast } from '../../components/cast.ts'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, setQuery } from '../../place.ts'
import { BarTable } from './bars.tsx'

/** The number of values to show at first. */
const SHOWN = 8

interface Subject {
  readonly collection: 'customers' | 'signals'
  readonly by: string
  readonly caption: string
  /** Whether the service can filter by this field, so that values link to their records. */
  readonly isFilter: boolean
}

/** The charts. Order: as shown. */
const subjects: readonly Subject[] = [
  { collection: 'customers', by: 'segment', caption: 'Customers by segment', isFilter: true },
  { collection: 'customers', by: 'country', caption: 'Customers by country', isFilter: true },
  { collection: 'signals', by: 'status', caption: 'Signals by status', isFilter: true },
  { collection: 'signals', by: 'severity', caption: 'Signals by severity', isFilter: false },
  { collection: 'signals', by: 'category', caption: 'Signals by category', isFilter: false },
]

/** Renders charts of an organization's data. */
export function TenantCharts() {
  const cast = useCast()
  const { organizations, member } = cast
  const wanted = place.value.query.get('organization')
  const chosen = organizations.find(({ id }) => id === (wanted ?? member?.organizationId)) ?? organizations[0]
  return (
    <section aria-labelledby="charts-tenant">
      <div class="row charts-head">
        <h2 id="charts-tenant">Tenant</h2>
        <label class="field">
          Organization{' '}
          <select
            value={chosen?.id}
            onChange={({ currentTarget }) => setQuery({ organization: currentTarget.value })}
          >
            {organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name} ({id})
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosen &&
        (['customers', 'signals'] as const).map((collection) => (
          <div key={collection} class="columns charts-row">
            {subjects
              .filter((subject) => subject.collection === collection)
              .map((subject) => (
                <SubjectChart
                  key={subject.caption}
                  subject={subject}
                  organizationId={chosen.id}
                  cast={cast}
                />
              ))}
          </div>
        ))}
    </section>
  )
}

interface SubjectChartProps {
  readonly subject: Subject
  readonly organizationId: string
  readonly cast: Cast
}

function SubjectChart({ subject, organizationId, cast }: SubjectChartProps) {
  const { collection, by, caption } = subject
  const parts = { param: { collection }, query: { by, organizationId } }
  const { value, error } = useRead(prepare('get', routes.data[':collection'].counts, parts))
  const [isWhole, setWhole] = useState(false)
  const items = (value?.items ?? []).toSorted(compareNumbers)
  const shown = isWhole ? items : items.slice(0, SHOWN)
  return (
    <div class="card">
      <Problem error={error} />
      {value && (
        <BarTable
          caption={caption}
          head={`${by.slice(0, 1).toUpperCase()}${by.slice(1)}`}
          total={value.recordCount}
          rows={shown.map((item) => ({
            key: `${item.value}`,
            label: <Label item={item} subject={subject} organizationId={organizationId} cast={cast} />,
            count: item.count,
          }))}
        />
      )}
      {items.length > SHOWN && (
        <button type="button" class="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show ${SHOWN}` : `Show all ${items.length}`}
        </button>
      )}
    </div>
  )
}

interface CountItem {
  readonly value: string | number | boolean | null
  readonly label: string
  readonly count: number
  readonly valueCount?: number | undefined
}

/** Compares numbers by size, and leaves other values in the order of their counts. */
function compareNumbers(a: CountItem, b: CountItem): number {
  return typeof a.value === 'number' && a.label === `${a.value}` ? a.value - Number(b.value) : 0
}

interface LabelProps extends SubjectChartProps {
  readonly item: CountItem
}

/** Renders a value's label, linked to its records. */
function Label({ item: { value, label }, subject, organizationId, cast }: LabelProps) {
  if (!subject.isFilter || value === null) return label
  // Data is shown as a member sees it, so that member must belong to this organization.
  const [someone] = cast.organizations.find(({ id }) => id === organizationId)?.members ?? []
  const choose = (): void => {
    if (someone && cast.member?.organizationId !== organizationId) cast.choose(someone.token)
  }
  const query = new URLSearchParams({ [subject.by]: `${value}` })
  return (
    <a href={linkTo('data', [subject.collection], query)} onClick={choose}>
      {label}
    </a>
  )
}
