import { prepare, routes } from '../client.ts'
import { Icon } from '../components/icon.tsx'
import { Button } from '../components/ui.tsx'
import { useRead } from '../components/use-calls.ts'
import { connection } from '../live.ts'
import { type ViewName, linkTo, place, session, switchSession, viewNames } from '../place.ts'
import { Chips } from './chips.tsx'

export const viewLabels: Readonly<Record<ViewName, string>> = {
  start: 'Start',
  traffic: 'Traffic',
  data: 'Data',
  control: 'Control',
}

export function Header({ openPalette }: { openPalette: (text?: string) => void }) {
  const isLive = connection.value === 'live'
  return (
    <header class="bar">
      <a class="brand" href={linkTo('start')}>
        workspace-sandbox
      </a>
      <nav aria-label="Views">
        {viewNames.map((name) => (
          <a key={name} href={linkTo(name)} aria-current={name === place.value.view ? 'page' : undefined}>
            {viewLabels[name]}
          </a>
        ))}
        <a href="/_sandbox/docs/">Docs</a>
      </nav>
      <Chips />
      <span class={isLive ? 'tag good live' : 'tag live'}>{isLive ? 'live' : 'not connected'}</span>
      <SessionSwitch />
      <Button title="Fail a request" aria-label="Fail a request" run={() => openPalette('fail the next ')}>
        <Icon name="zap" />
      </Button>
      <Button
        title="Ctrl K"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label="All actions"
        run={() => openPalette()}
      >
        <Icon name="search" />
      </Button>
    </header>
  )
}

function SessionSwitch() {
  const known = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const current = session.value ?? ''
  const isListed = current === '' || known.some(({ id }) => id === current)
  return (
    <select
      aria-label="Session"
      title="Session"
      value={current}
      onChange={({ currentTarget }) => switchSession(currentTarget.value || undefined)}
    >
      <option value="">default</option>
      {!isListed && <option value={current}>{current}</option>}
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name === undefined ? id : `${name} (${id})`}
        </option>
      ))}
    </select>
  )
}
