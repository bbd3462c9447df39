import { useLayoutEffect, useRef } from 'preact/hooks'

import { prepare, readDocument, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { Select } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { MemberSelect } from '../../components/member-select.tsx'
import { Problem } from '../../components/problem.tsx'
import { listValues } from '../../components/schema.ts'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, place, setQuery, show } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { Browse } from './browse.tsx'
import { Changes } from './changes.tsx'
import { type ListOperation, listOperations } from './contract.ts'
import { formatTitle } from './labels.ts'
import { RecordPage } from './record-page.tsx'

/** Renders the tenant's data as a member sees it, to browse and edit. */
export function DataView() {
  const { member, error } = useCast()
  const { value: document, error: undescribed } = useRead(readDocument)
  const { value: counts, error: uncounted } = useRead(
    member && prepare('get', routes.data, { query: { organizationId: member.organizationId } }),
  )
  const { path } = place.value
  useFocusFallback(path.join('/'))
  if (!document || !counts || !member) {
    return (
      <>
        <h1>Data</h1>
        <Problem error={error ?? undescribed ?? uncounted} />
      </>
    )
  }
  const operations = listOperations(
    document,
    counts.items.map(({ name }) => name),
  )
  const [name = 'customers', id] = path
  const operation = operations.find(({ collection }) => collection === name)
  return (
    <div class="data">
      <div class="data-side">
        <MemberSelect label="As seen by" isBrief />
        <ScopeSelect operation={operation} />
        <Rail
          operations={operations}
          counts={new Map(counts.items.map((one) => [one.name, one.totalCount]))}
          current={name}
        />
      </div>
      <div class="data-main">
        {name === 'changes' ? (
          <Changes />
        ) : !operation ? (
          <>
            <h1>Data</h1>
            <p class="empty">No collection is called {name}.</p>
          </>
        ) : id === undefined ? (
          <Browse key={name} operation={operation} member={member} />
        ) : (
          <RecordPage
            key={`${name} ${id}`}
            operation={operation}
            operations={operations}
            member={member}
            id={id}
          />
        )}
      </div>
    </div>
  )
}

/** Selects the scope of a list that has one. */
function ScopeSelect({ operation }: { readonly operation: ListOperation | undefined }) {
  const scope = operation?.parameters.find(({ name }) => name === 'scope')
  if (!scope) return null
  const first = String(scope.schema.default)
  const options = Object.fromEntries(
    listValues(scope.schema).map((value) => [value === first ? '' : value, value]),
  )
  return (
    <Select label="Scope" value={place.value.query.get('scope') ?? ''} set={setScope} options={options} />
  )
}

const setScope = (scope: string): void => setQuery({ scope, page: undefined })

interface RailProps {
  readonly operations: readonly ListOperation[]
  /** The number of the organization's records in each collection. */
  readonly counts: ReadonlyMap<string, number>
  /** The current collection or page. */
  readonly current: string
}

/** Renders the navigation between collections: a sidebar, or a select on narrow screens. */
function Rail({ operations, counts, current }: RailProps) {
  // Collections with the most parameters come first.
  const names = operations
    .toSorted((a, b) => b.parameters.length - a.parameters.length)
    .map(({ collection }) => collection)
  const items = [...names, 'changes'].map((name) => {
    const count = name === 'changes' ? overview.value?.changes : counts.get(name)
    return { name, label: formatTitle(name), count: count === undefined ? '' : formatNumber(count) }
  })
  return (
    <>
      <nav class="data-rail" aria-label="Data">
        <ul>
          {items.map(({ name, label, count }) => (
            <li key={name}>
              <a href={linkTo('data', [name])} aria-current={name === current ? 'true' : undefined}>
                {label} <span class="hint">{count}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="data-rail-select">
        <Select
          label="Collection"
          value={current}
          set={(name) => show(linkTo('data', [name]))}
          options={Object.fromEntries(items.map(({ name, label, count }) => [name, `${label} ${count}`]))}
        />
      </div>
    </>
  )
}

/** Moves the focus to the view if the focused element disappears. */
function useFocusFallback(shown: string): void {
  const before = useRef(shown)
  useLayoutEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (document.activeElement === document.body) document.querySelector('main')?.focus()
  }, [shown])
}
