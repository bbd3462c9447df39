import { useState } from 'preact/hooks'

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
  readonly text: string
  readonly to: string
  /** What removing it does. */
  readonly removal: string
  readonly call: Call
  /** The question before it is removed, because it cannot be restored. */
  readonly question?: string
}

/** Renders what is not as at the start; each chip leads there and can be removed. */
export function Chips() {
  const { make, isBusy } = useChange()
  const [asked, setAsked] = useState<Difference>()
  const differences = listDifferences()
  if (differences.length === 0) return null
  const remove = ({ call, removal }: Difference): void => {
    void make(call, `${removal}: done.`)
  }
  return (
    <ul class="chips" aria-label="Different from the start">
      {differences.map((difference) => (
        <li key={difference.sign} class="chip">
          <a href={difference.to}>
            <span aria-hidden="true">{difference.sign}</span> {difference.text}
          </a>
          <button
            type="button"
            aria-label={difference.removal}
            title={difference.removal}
            disabled={isBusy}
            onClick={() => (difference.question === undefined ? remove(difference) : setAsked(difference))}
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
          <p>{asked.question}</p>
        </Confirm>
      )}
    </ul>
  )
}

function listDifferences(): readonly Difference[] {
  const found = overview.value
  if (!found) return []
  const { movedMs, faults, changes, assumptions } = found
  const overridden = Object.keys(assumptions).length
  return [
    movedMs !== 0 && {
      sign: '◷',
      text: formatMove(movedMs),
      to: linkTo('control', ['clock']),
      removal: 'Reset the clock',
      call: prepare('delete', routes.clock),
    },
    faults > 0 && {
      sign: '⚡',
      text: count(faults, 'fault'),
      to: linkTo('control', ['faults']),
      removal: 'Remove all faults',
      call: prepare('delete', routes.faults),
    },
    changes > 0 && {
      sign: '✎',
      text: count(changes, 'change'),
      to: linkTo('data', ['changes']),
      removal: 'Undo all changes',
      call: prepare('delete', routes.data.changes, { query: {} }),
      question: `This restores ${count(changes, 'record')} from the dataset. It cannot be undone.`,
    },
    overridden > 0 && {
      sign: '≠',
      text: count(overridden, 'assumption'),
      to: linkTo('control', ['assumptions'], { only: 'changed' }),
      removal: 'Restore the assumptions',
      call: prepare('patch', routes.assumptions, { json: castBody(assumptions) }),
    },
  ].filter((one) => one !== false)
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
