import { type Call, useRead } from '../calls.ts'
import { prepare, routes, castBody } from '../client.ts'
import { Field } from '../components/form.tsx'
import { formatMove, plural } from '../components/format.tsx'
import { toWords } from '../components/schema.ts'
import { Icon, type IconName, Button, Act } from '../components/ui.tsx'
import { connection, journalRevision, overview } from '../live.ts'
import { linkTo, place, session, switchSession, viewNames } from '../place.ts'

export function Header({ openPalette }: { openPalette: () => void }) {
  const isLive = connection.value === 'live'
  return (
    <header class="bar">
      <a class="brand" href={linkTo('start')}>
        workspace-sandbox
      </a>
      <nav aria-label="Views">
        {viewNames.map((name) => (
          <a key={name} href={linkTo(name)} aria-current={name === place.value.view ? 'page' : undefined}>
            {toWords(name)}
          </a>
        ))}
        <a href="/_sandbox/docs/">Docs</a>
      </nav>
      <Chips />
      <span class={isLive ? 'tag good live' : 'tag live'}>{isLive ? 'live' : 'not connected'}</span>
      <SessionSwitch />
      <Button title="Ctrl K" aria-keyshortcuts="Control+K Meta+K" aria-label="All actions" run={openPalette}>
        <Icon name="search" />
      </Button>
    </header>
  )
}

function SessionSwitch() {
  const { items = [] } = useRead(prepare('get', routes.sessions)).value ?? {}
  const named = items.map(({ id, name }) => [id, name === undefined ? id : `${name} (${id})`])
  return (
    <Field
      label="Session"
      hint="Session"
      value={session.value ?? ''}
      set={(id) => switchSession(id || undefined)}
      options={{ '': 'default', ...Object.fromEntries(named) }}
    />
  )
}

const linkToControl = (page: string, query = {}): string => linkTo('control', [page], query)

/** Renders what differs from the start, each with a button that removes it; Changes has the one that undoes them. */
function Chips() {
  const held = useRead(prepare('get', routes.gates), journalRevision.value).value?.items.length ?? 0
  if (!overview.value) return null
  const { movedMs, faults, scenarios, changes, assumptions } = overview.value
  const overridden = Object.keys(assumptions).length
  const changed = linkToControl('assumptions', { text: 'overridden' })
  const restore = prepare('patch', routes.assumptions, { json: castBody(assumptions) })
  const release = prepare('post', routes.gates.release, { json: {} })
  const removeScenarios = prepare('delete', routes.scenarios)
  const all: readonly (readonly [IconName, number, string, to: string, verb: string, Call | undefined])[] = [
    ['clock', movedMs, '', linkToControl('clock'), 'Reset the clock', prepare('delete', routes.clock)],
    ['zap', faults, 'fault', linkToControl('faults'), 'Remove', prepare('delete', routes.faults)],
    ['pause', held, 'held request', linkTo('traffic'), 'Release', release],
    ['shuffle', scenarios, 'scenario', linkToControl('scenarios'), 'Remove', removeScenarios],
    ['pencil', changes, 'change', linkTo('data', ['changes']), 'Undo', undefined],
    ['notEqual', overridden, 'assumption', changed, 'Restore', restore],
  ]
  const differences = all.filter(([, number]) => number !== 0)
  if (differences.length === 0) return null
  return (
    <ul class="chips" aria-label="Different from the start">
      {differences.map(([icon, number, word, to, verb, call]) => {
        const count = word === '' ? formatMove(number) : number
        const noun = number === 1 || word === '' ? word : `${word}s`
        const removal = word === '' ? verb : `${verb} ${plural(number, word)}`
        return (
          <li key={icon} class="chip">
            <a href={to} title={`${count} ${noun}`}>
              <Icon name={icon} /> {count} <span class="chip-noun">{noun}</span>
            </a>
            {call && (
              <Act class="quiet" call={call} done={`${removal}: done.`} aria-label={removal} title={removal}>
                <Icon name="cross" />
              </Act>
            )}
          </li>
        )
      })}
    </ul>
  )
}
