import type { MemberVisibility } from '../../../lab/explain/visibility.ts'
import { prepare, readDocument, routes } from '../../client.ts'
import { MemberSelect, useCast } from '../../components/cast.tsx'
import { Select } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { listValues, toWords } from '../../components/schema.ts'
import { Loaded } from '../../components/ui.tsx'
import { useRead } from '../../components/use-calls.ts'
import { linkTo, param, place, setQuery, show } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { Browse } from './browse.tsx'
import { Changes } from './changes.tsx'
import { type ListOperation, listOperations } from './contract.ts'
import { RecordPage } from './record-page.tsx'

export function DataView() {
  const { member, error } = useCast()
  const document = useRead(readDocument)
  const counts = useRead(
    member && prepare('get', routes.data, { query: { organizationId: member.organizationId } }),
  )
  const visibility = useRead(prepare('get', routes.visibility)).value
  const sees = visibility?.items.find(({ memberId }) => memberId === member?.id)
  const { path } = place.value
  if (!document.value || !counts.value || !member) {
    return (
      <div class="data">
        <div class="data-side" />
        <Loaded isTable state={{ error: error ?? document.error ?? counts.error }}>
          {() => null}
        </Loaded>
      </div>
    )
  }
  const { items } = counts.value
  const operations = listOperations(
    document.value,
    items.map(({ name }) => name),
  )
  const [name = 'customers', id] = path
  const operation = operations.find(({ collection }) => collection === name)
  const { changes = 0, future } = overview.value ?? {}
  const collections = [
    // Collections with the most parameters come first.
    ...operations
      .toSorted((a, b) => b.parameters.length - a.parameters.length)
      .flatMap(({ collection }) => items.find((one) => one.name === collection) ?? [])
      .map(({ name: one, totalCount }) => {
        return { name: one, label: toWords(one), count: formatNumber(countSeen(sees, one) ?? totalCount) }
      }),
    // The changes of time are not counted.
    { name: 'changes', label: 'Changes', count: future === 'living' ? '' : formatNumber(changes) },
  ]
  return (
    <div class="data beside">
      <div class="data-side">
        <MemberSelect label="As seen by" isBrief />
        <ScopeSelect operation={operation} />
        <div class="data-choice">
          <Select
            label="Collection"
            value={name}
            set={(one) => show(linkTo('data', [one]))}
            options={Object.fromEntries(
              collections.map((one) => [one.name, `${one.label} ${one.count && `(${one.count})`}`]),
            )}
          />
        </div>
        <nav class="nav" aria-label="Data">
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

/** Counts the records that a member sees in the scope of the page; undefined for lists without scopes. */
function countSeen(sees: MemberVisibility | undefined, name: string): number | undefined {
  const counts = name === 'customers' || name === 'signals' ? sees?.[name] : undefined
  const scope = param('scope')
  return counts?.[scope === 'mine' || scope === 'team' ? scope : 'all']
}

const setScope = (scope: string): void => setQuery({ scope, page: undefined })

function ScopeSelect({ operation }: { operation: ListOperation | undefined }) {
  const scope = operation?.parameters.find(({ name }) => name === 'scope')
  if (!scope) return null
  const first = String(scope.schema.default)
  const options = Object.fromEntries(
    listValues(scope.schema).map((value) => [value === first ? '' : value, value]),
  )
  return <Select label="Scope" value={param('scope')} set={setScope} options={options} />
}
