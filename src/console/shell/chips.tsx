import type { Overview } from '../../control/routes/overview.ts'
import type { Call } from '../calls.ts'
import { castBody, prepare, routes } from '../client.ts'
import { formatMove } from '../components/format.tsx'
import { Act } from '../components/ui.tsx'
import { linkTo } from '../place.ts'
import { overview } from './overview.ts'

/** A difference from the start, as the header shows it. */
interface Difference {
  readonly sign: string
  readonly count: number | string
  /** In the singular; omitted on narrow screens. */
  readonly noun: string
  readonly to: string
  /** The name of its removal, as a button shows it. */
  readonly removal: string
  readonly call: Call
}

/** Renders what is not as at the start; each chip leads there and can be removed. */
export function Chips() {
  const differences = listDifferences(overview.value)
  if (differences.length === 0) return null
  const text = <p>This restores every changed record from the dataset. It cannot be undone.</p>
  return (
    <ul class="chips" aria-label="Different from the start">
      {differences.map(({ sign, count, noun, to, removal, call }) => (
        <li key={sign} class="chip">
          <a href={to}>
            <span aria-hidden="true">{sign}</span> {count} <span class="chip-noun">{noun}</span>
          </a>
          <Act
            call={call}
            done={`${removal}: done.`}
            aria-label={removal}
            title={removal}
            ask={noun.startsWith('change') ? { title: `${removal}?`, verb: removal, text } : undefined}
          >
            ×
          </Act>
        </li>
      ))}
    </ul>
  )
}

/** Lists what differs from the start; nothing until that is known. */
export function listDifferences(found: Overview | undefined): readonly Difference[] {
  if (!found) return []
  const { movedMs, faults, scenarios, changes, assumptions } = found
  const all: readonly Difference[] = [
    {
      sign: '◷',
      count: movedMs && formatMove(movedMs),
      noun: '',
      to: linkTo('control', ['clock']),
      removal: 'Reset the clock',
      call: prepare('delete', routes.clock),
    },
    {
      sign: '⚡',
      count: faults,
      noun: 'fault',
      to: linkTo('control', ['faults']),
      removal: 'Remove all faults',
      call: prepare('delete', routes.faults),
    },
    {
      sign: '≈',
      count: scenarios,
      noun: 'scenario',
      to: linkTo('control', ['scenarios']),
      removal: 'Remove all scenarios',
      call: prepare('delete', routes.scenarios),
    },
    {
      sign: '✎',
      count: changes,
      noun: 'change',
      to: linkTo('data', ['changes']),
      removal: 'Undo all changes',
      call: prepare('delete', routes.data.changes, { query: {} }),
    },
    {
      sign: '≠',
      count: Object.keys(assumptions).length,
      noun: 'assumption',
      to: linkTo('control', ['assumptions'], { only: 'changed' }),
      removal: 'Restore the assumptions',
      call: prepare('patch', routes.assumptions, { json: castBody(assumptions) }),
    },
  ]
  return all.flatMap((one) => {
    const { count, noun } = one
    if (count === 0) return []
    return [typeof count === 'string' || count === 1 ? one : { ...one, noun: `${noun}s` }]
  })
}
