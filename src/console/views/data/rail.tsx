import { numberText } from '../../parts/number.ts'
import { addressOf, show } from '../../place.ts'
import type { ListOperation } from './contract.ts'
import { useChanges } from './use-changes.ts'
import { titleOf } from './words.ts'

export interface RailProps {
  readonly operations: readonly ListOperation[]
  /** How many records of each collection the organization has. */
  readonly counts: ReadonlyMap<string, number>
  /** What is shown. */
  readonly current: string
}

interface Stop {
  readonly name: string
  readonly label: string
  readonly count: number | undefined
}

/** What there is to look at: beside it where there is room, else a list to choose from. */
export function Rail({ operations, counts, current }: RailProps) {
  const changes = useChanges()
  // What can be asked most about comes first.
  const stops = operations
    .toSorted((a, b) => b.parameters.length - a.parameters.length)
    .map(({ collection }): Stop => {
      return { name: collection, label: titleOf(collection), count: counts.get(collection) }
    })
  const others: readonly Stop[] = [
    { name: 'tree', label: 'Manager tree', count: undefined },
    { name: 'changes', label: 'Changes', count: changes?.totalCount },
  ]
  const all = [...stops, ...others]
  return (
    <>
      <nav class="data-rail" aria-label="Data">
        <ul>
          {all.map((stop) => (
            <li key={stop.name} class={stop === others[0] ? 'data-apart' : undefined}>
              <a
                href={addressOf('data', [stop.name])}
                aria-current={stop.name === current ? 'true' : undefined}
              >
                {stop.label}{' '}
                <span class="data-count">{stop.count !== undefined && numberText(stop.count)}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <label class="field data-rail-select">
        What{' '}
        <select
          value={current}
          onChange={({ currentTarget }) => show(addressOf('data', [currentTarget.value]))}
        >
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
