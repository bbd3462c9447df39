import type { Overview } from '../../control/routes/overview.ts'
import type { Call } from '../calls.ts'
import { castBody, prepare, routes } from '../client.ts'
import { formatMove, plural } from '../components/format.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { Act } from '../components/ui.tsx'
import { useRead } from '../components/use-calls.ts'
import { linkTo } from '../place.ts'
import { journalRevision, overview } from './overview.ts'

const text = 'This restores every changed record from the dataset. It cannot be undone.'

/** Renders what differs from the start, each with a button that removes it. */
export function Chips() {
  const held = useRead(prepare('get', routes.gates), journalRevision.value).value?.items ?? []
  const differences = listDifferences(overview.value, held.length)
  if (differences.length === 0) return null
  return (
    <ul class="chips" aria-label="Different from the start">
      {differences.map(({ icon, count, noun, to, removal, call }) => (
        <li key={icon} class="chip">
          <a href={to} title={`${count} ${noun}`}>
            <Icon name={icon} /> {count} <span class="chip-noun">{noun}</span>
          </a>
          <Act
            class="quiet"
            call={call}
            done={`${removal}: done.`}
            aria-label={removal}
            title={removal}
            ask={icon === 'pencil' ? { verb: removal, text } : undefined}
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
  const overridden = Object.keys(assumptions).length
  const removeScenarios = prepare('delete', routes.scenarios)
  const release = prepare('post', routes.gates.release, { json: {} })
  const undo = prepare('delete', routes.data.changes, { query: {} })
  const restore = prepare('patch', routes.assumptions, { json: castBody(assumptions) })
  const changed = linkToControl('assumptions', { only: 'changed' })
  const all: readonly (readonly [IconName, number, string, to: string, verb: string, Call])[] = [
    ['clock', movedMs, '', linkToControl('clock'), 'Reset the clock', prepare('delete', routes.clock)],
    ['zap', faults, 'fault', linkToControl('faults'), 'Remove', prepare('delete', routes.faults)],
    ['pause', held, 'held', linkTo('traffic'), 'Release', release],
    ['shuffle', scenarios, 'scenario', linkToControl('scenarios'), 'Remove', removeScenarios],
    ['pencil', changes, 'change', linkTo('data', ['changes']), 'Undo', undo],
    ['notEqual', overridden, 'assumption', changed, 'Restore', restore],
  ]
  return all
    .filter(([, number]) => number !== 0)
    .map(([icon, number, word, to, verb, call]) => {
      const noun = number === 1 || word === '' || word === 'held' ? word : `${word}s`
      const what = word === 'held' ? plural(number, 'held request') : plural(number, word)
      const removal = word === '' ? verb : `${verb} ${what}`
      return { icon, count: word === '' ? formatMove(number) : number, noun, to, removal, call }
    })
}
