import { useState } from 'preact/hooks'

import type { Overview } from '../../control/routes/overview.ts'
import type { Call } from '../calls.ts'
import { castBody, prepare, routes } from '../client.ts'
import { Confirm } from '../components/dialog.tsx'
import { formatMove } from '../components/format.tsx'
import { useChange } from '../components/use-calls.ts'
import { linkTo } from '../place.ts'
import { overview } from './overview.ts'

/** A difference from the start, as the header shows it. */
interface Difference {
  readonly sign: string
  readonly count: number | string
  /** Omitted on narrow screens. */
  readonly noun: string
  readonly to: string
  /** The name of its removal, as a button shows it. */
  readonly removal: string
  readonly call: Call
  /** Whether to confirm the removal, because it cannot be undone. */
  readonly isFinal?: boolean
}

/** Renders what is not as at the start; each chip leads there and can be removed. */
export function Chips() {
  const { make, isBusy } = useChange()
  const [asked, setAsked] = useState<Difference>()
  const differences = listDifferences(overview.value)
  if (differences.length === 0) return null
  const remove = ({ call, removal }: Difference) => make(call, `${removal}: done.`)
  return (
    <ul class="chips" aria-label="Different from the start">
      {differences.map((one) => (
        <li key={one.sign} class="chip">
          <a href={one.to}>
            <span aria-hidden="true">{one.sign}</span> {one.count}
            <span class="chip-noun"> {one.noun}</span>
          </a>
          <button
            type="button"
            aria-label={one.removal}
            title={one.removal}
            disabled={isBusy}
            onClick={() => (one.isFinal ? setAsked(one) : void remove(one))}
          >
            ×
          </button>
        </li>
      ))}
      {asked && (
        <Confirm
          title={`${asked.removal}?`}
          verb={asked.removal}
          confirm={() => remove(asked)}
          close={() => setAsked(undefined)}
        >
          <p>This restores every changed record from the dataset. It cannot be undone.</p>
        </Confirm>
      )}
    </ul>
  )
}

/** Lists what differs from the start; nothing until that is known. */
export function listDifferences(found: Overview | undefined): readonly Difference[] {
  if (!found) return []
  const { movedMs, faults, scenarios, changes, assumptions } = found
  const overridden = Object.keys(assumptions).length
  const all: readonly Difference[] = [
    {
      sign: '◷',
      count: movedMs === 0 ? 0 : formatMove(movedMs),
      noun: '',
      to: linkTo('control', ['clock']),
      removal: 'Reset the clock',
      call: prepare('delete', routes.clock),
    },
    {
      sign: '⚡',
      count: faults,
      noun: faults === 1 ? 'fault' : 'faults',
      to: linkTo('control', ['faults']),
      removal: 'Remove all faults',
      call: prepare('delete', routes.faults),
    },
    {
      sign: '≈',
      count: scenarios,
      noun: scenarios === 1 ? 'scenario' : 'scenarios',
      to: linkTo('control', ['scenarios']),
      removal: 'Remove all scenarios',
      call: prepare('delete', routes.scenarios),
    },
    {
      sign: '✎',
      count: changes,
      noun: changes === 1 ? 'change' : 'changes',
      to: linkTo('data', ['changes']),
      removal: 'Undo all changes',
      call: prepare('delete', routes.data.changes, { query: {} }),
      isFinal: true,
    },
    {
      sign: '≠',
      count: overridden,
      noun: overridden === 1 ? 'assumption' : 'assumptions',
      to: linkTo('control', ['assumptions'], { only: 'changed' }),
      removal: 'Restore the assumptions',
      call: prepare('patch', routes.assumptions, { json: castBody(assumptions) }),
    },
  ]
  return all.filter(({ count }) => count !== 0)
}
