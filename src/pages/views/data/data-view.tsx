import { useRead } from '../../calls.ts'
import { prepare, routes } from '../../client.ts'
import { MemberSelect, useCast } from '../../components/cast.tsx'
import { Select } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { listValues, toWords } from '../../components/schema.ts'
import { Loaded } from '../../components/ui.tsx'
import { linkTo, param, place, setQuery } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { Browse } from './browse.tsx'
import { Changes } from './changes.tsx'
import { type ListOperation, useOperations } from './collections.ts'
import { RecordPage } from './record-page.tsx'

export function DataView() {
  const { member, error } = useCast()
  const operations = useOperations()
  const counts = useRead(
    member && prepare('get', routes.data, { query: { organizationId: member.organizationId } }),
  )
  const [name = 'customers', id] = place.value.path
  if (operations.length === 0 || !counts.value || !member) {
    return <Loaded state={{ error: error ?? counts.error }}>{() => null}</Loaded>
  }
  const { items } = counts.value
  const operation = operations.find(({ collection }) => collection === name)
  const { changes = 0, future } = overview.value ?? {}
  const collections = [
    // Collections with the most parameters come first.
    ...operations
      .toSorted((a, b) => b.parameters.length - a.parameters.length)
      .map(({ collection }) => {
        const total = items.find((one) => one.name === collection)?.totalCount ?? 0
        return { name: collection, label: toWords(collection), count: formatNumber(total) }
      }),
    // The changes of time are not counted.
    { name: 'changes', label: 'Changes', count: future === 'living' ? '' : formatNumber(changes) },
  ]
  return (
    <div class="beside">
      <div>
        <MemberSelect label="As seen by" />
        <ScopeSelect operation={operation} />
        <nav aria-label="Data">
          {collections.map((one) => (
            <a
              key={one.name}
              href={linkTo('data', [one.name])}
              aria-current={one.name === name ? 'true' : undefined}
            >
              {one.label} <span class="hint">{one.count}</span>
            </a>
          ))}
        </nav>
      </div>
      <div>
        {name === 'changes' ? (
          <Changes />
        ) : !operation ? (
          <p class="empty">No collection is called {name}. Choose one from the list.</p>
        ) : id === undefined ? (
          <Browse key={name} operation={operation} member={member} />
        ) : (
          <RecordPage key={name + id} {...{ operation, operations, member, id }} />
        )}
      </div>
    </div>
  )
}

function ScopeSelect({ operation }: { operation: ListOperation | undefined }) {
  const scope = operation?.parameters.find(({ name }) => name === 'scope')
  if (!scope) return null
  const first = String(scope.schema.default)
  const options = Object.fromEntries(
    listValues(scope.schema).map((value) => [value === first ? '' : value, value]),
  )
  return (
    <Select
      label="Scope"
      value={param('scope')}
      set={(one) => setQuery({ scope: one, page: undefined })}
      options={options}
    />
  )
}
