import { formatNumber } from '../../components/format.tsx'
import { linkTo, show } from '../../place.ts'
import { useChanges } from './changes.tsx'
import type { ListOperation } from './contract.ts'
import { formatTitle } from './labels.ts'

export interface RailProps {
  readonly operations: readonly ListOperation[]
  /** The number of the organization's records in each collection. */
  readonly counts: ReadonlyMap<string, number>
  /** The current collection or page. */
  readonly current: string
}

interface NavItem {
  readonly name: string
  readonly label: string
  readonly count: number | undefined
}

/** Renders the navigation between collections: a sidebar, or a select on narrow screens. */
export function Rail({ operations, counts, current }: RailProps) {
  const changes = useChanges()
  // Collections with the most parameters come first.
  const collections = operations
    .toSorted((a, b) => b.parameters.length - a.parameters.length)
    .map(({ collection }): NavItem => {
      return { name: collection, label: formatTitle(collection), count: counts.get(collection) }
    })
  const others: readonly NavItem[] = [{ name: 'changes', label: 'Changes', count: changes?.totalCount }]
  const all = [...collections, ...others]
  return (
    <>
      <nav class="data-rail" aria-label="Data">
        <ul>
          {all.map((item) => (
            <li key={item.name} class={item === others[0] ? 'data-apart' : undefined}>
              <a href={linkTo('data', [item.name])} aria-current={item.name === current ? 'true' : undefined}>
                {item.label}{' '}
                <span class="data-count">{item.count !== undefined && formatNumber(item.count)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <label class="field data-rail-select">
        Collection{' '}
        <select value={current} onChange={({ currentTarget }) => show(linkTo('data', [currentTarget.value]))}>
          {all.map(({ name, label, count }) => (
            <option key={name} value={name}>
              {label} {count !== undefined && `(${count})`}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
