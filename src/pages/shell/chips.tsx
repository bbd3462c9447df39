import type { Overview } from '../../control/routes/overview.ts'
import type { Call } from '../calls.ts'
import { castBody, prepare, routes } from '../client.ts'
import { formatMove, plural } from '../components/format.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { Act } from '../components/ui.tsx'
import { linkTo } from '../place.ts'
import { useHeld } from './held.tsx'
import { overview } from './overview.ts'

export function Chips() {
  const differences = listDifferences(overview.value, useHeld().length)
  if (differences.length === 0) return null
  const text = <p>This restores every changed record from the dataset. It cannot be undone.</p>
  return (
    <ul class="chips" aria-label="Different from the start">
      {differences.map(({ icon, count, noun, to, removal, call }) => (
        <li key={icon} class="chip">
          <a href={to} title={`${count} ${noun}`}>
            <Icon name={icon} /> {count} <span class="chip-noun">{noun}</span>
          </a>
          <Act
            call={call}
            done={`${removal}: done.`}
            aria-label={removal}
            title={removal}
            ask={icon === 'pencil' ? { title: `${removal}?`, verb: removal, text } : undefined}
          >
            <Icon name="cross" />
          </Act>
        </li>
      ))}
    </ul>
  )
}

const linkToControl = (page: string, query = {}): string => linkTo('control', [page], query)

/**
 * Lists what differs from the start; nothing until that is known.
 * @param held the number of requests that gates hold
 */
export function listDifferences(found: Overview | undefined, held = 0) {
  if (!found) return []
  const { movedMs, faults, scenarios, changes, assumptions } = found
  const removeScenarios = prepare('delete', routes.scenarios)
  const release = prepare('post', routes.gates.release, { json: {} })
  const undo = prepare('delete', routes.data.changes, { query: {} })
  const restore = prepare('patch', routes.assumptions, { json: castBody(assumptions) })
  const changed = linkToControl('assumptions', { only: 'changed' })
  const all: readonly (readonly [IconName, number, string, to: string, removal: string, Call])[] = [
    ['clock', movedMs, '', linkToControl('clock'), 'Reset the clock', prepare('delete', routes.clock)],
    ['zap', faults, 'fault', linkToControl('faults'), 'Remove all faults', prepare('delete', routes.faults)],
    ['pause', held, 'held', linkTo('traffic'), 'Release the held requests', release],
    ['shuffle', scenarios, 'scenario', linkToControl('scenarios'), 'Remove all scenarios', removeScenarios],
    ['pencil', changes, 'change', linkTo('data', ['changes']), `Undo ${plural(changes, 'change')}`, undo],
    ['notEqual', Object.keys(assumptions).length, 'assumption', changed, 'Restore the assumptions', restore],
  ]
  return all
    .filter(([, number]) => number !== 0)
    .map(([icon, number, word, to, removal, call]) => {
      const noun = number === 1 || word === '' || word === 'held' ? word : `${word}s`
      return { icon, count: word === '' ? formatMove(number) : number, noun, to, removal, call }
    })
}
