import type { ScopeCounts } from '../../../control/visibility.ts'
import { numberText } from '../../parts/number.ts'

const WIDTH = 120

/** How many customers each scope covers: the numbers, and how they compare. */
export function ScopeBar({ counts: { mine, team, all } }: { readonly counts: ScopeCounts }) {
  const widthOf = (count: number): number => (all === 0 ? 0 : (WIDTH * count) / all)
  return (
    <span class="data-scope">
      <svg width={WIDTH} height="10" viewBox={`0 0 ${WIDTH} 10`} aria-hidden="true">
        <rect class="data-all" width={WIDTH} height="10" rx="2" />
        <rect class="data-team" width={widthOf(team)} height="10" rx="2" />
        <rect class="data-mine" y="2" width={widthOf(mine)} height="6" rx="2" />
      </svg>
      <span class="hint">
        mine {numberText(mine)}, team {numberText(team)}, all {numberText(all)}
      </span>
    </span>
  )
}
