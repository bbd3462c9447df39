import { useState } from 'preact/hooks'

import type { CountItem, Counts } from '../../../control/data/data.ts'
import { type Cast, useCast } from '../../parts/cast.ts'
import { Problem } from '../../parts/problem.tsx'
import { showWith } from '../../parts/query.ts'
import { useAnswer } from '../../parts/use-answer.ts'
import { addressOf, place } from '../../place.ts'
import { BarTable } from './bars.tsx'

/** How many values are shown at first. */
const SHOWN = 8

interface Subject {
  readonly collection: 'customers' | 'signals'
  readonly by: string
  readonly caption: string
  /** Whether the service filters by it, so that the records can be shown. */
  readonly isFilter: boolean
}

/** What of the tenant is shown. Order: as shown. */
const subjects: readonly Subject[] = [
  { collection: 'customers', by: 'segment', caption: 'Customers by segment', isFilter: true },
  { collection: 'customers', by: 'country', caption: 'Customers by country', isFilter: true },
  { collection: 'signals', by: 'status', caption: 'Signals by status', isFilter: true },
  { collection: 'signals', by: 'severity', caption: 'Signals by severity', isFilter: false },
  { collection: 'signals', by: 'category', caption: 'Signals by category', isFilter: false },
]

/** What an organization's data consists of. */
export function TenantPictures() {
  const cast = useCast()
  const { organizations, member } = cast
  const asked = place.value.query.get('organization')
  const chosen = organizations.find(({ id }) => id === (asked ?? member?.organizationId)) ?? organizations[0]
  return (
    <section aria-labelledby="pictures-tenant">
      <div class="row pictures-head">
        <h2 id="pictures-tenant">The tenant</h2>
        <label class="field">
          Organization{' '}
          <select
            value={chosen?.id}
            onChange={({ currentTarget }) => showWith({ organization: currentTarget.value })}
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
          <div key={collection} class="columns pictures-row">
            {subjects
              .filter((subject) => subject.collection === collection)
              .map((subject) => (
                <SubjectPicture
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

interface SubjectPictureProps {
  readonly subject: Subject
  readonly organizationId: string
  readonly cast: Cast
}

function SubjectPicture({ subject, organizationId, cast }: SubjectPictureProps) {
  const { collection, by, caption } = subject
  const query = new URLSearchParams({ by, organizationId })
  const { value, error } = useAnswer<Counts>({ path: `/_sandbox/data/${collection}/counts?${query}` })
  const [isWhole, setWhole] = useState(false)
  const items = (value?.items ?? []).toSorted(byNumber)
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

/** Numbers by size; other values stay as they are, by how many have them. */
function byNumber(a: CountItem, b: CountItem): number {
  return typeof a.value === 'number' && a.label === `${a.value}` ? a.value - Number(b.value) : 0
}

interface LabelProps extends SubjectPictureProps {
  readonly item: CountItem
}

/** What a value is called; leads to the records that have it. */
function Label({ item: { value, label }, subject, organizationId, cast }: LabelProps) {
  if (!subject.isFilter || value === null) return label
  // The data is shown as a member sees it, who must be of this organization.
  const [someone] = cast.organizations.find(({ id }) => id === organizationId)?.members ?? []
  const choose = (): void => {
    if (someone && cast.member?.organizationId !== organizationId) cast.choose(someone.token)
  }
  const query = new URLSearchParams({ [subject.by]: `${value}` })
  return (
    <a href={addressOf('data', [subject.collection], query)} onClick={choose}>
      {label}
    </a>
  )
}
