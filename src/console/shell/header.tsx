import { prepare, routes } from '../client.ts'
import { FailNext } from '../components/fail-next.tsx'
import { fork } from '../components/fork.ts'
import { Act, Button } from '../components/ui.tsx'
import { useRead } from '../components/use-calls.ts'
import { connection } from '../live.ts'
import { type ViewName, linkTo, place, session, switchSession, viewNames } from '../place.ts'
import { Chips } from './chips.tsx'

export const viewLabels: Readonly<Record<ViewName, string>> = {
  start: 'Start',
  traffic: 'Traffic',
  data: 'Data',
  people: 'People',
  control: 'Control',
}

export function Header({ openPalette }: { readonly openPalette: () => void }) {
  const { view } = place.value
  const search = session.value === undefined ? '' : `?${new URLSearchParams({ session: session.value })}`
  const sites: readonly Link[] = [
    { label: 'Console', to: linkTo('start'), current: 'true' },
    { label: 'Docs', to: `/docs/getting-started${search}` },
    { label: 'API reference', to: `/docs${search}` },
  ]
  const views = viewNames.map((name): Link => {
    return { label: viewLabels[name], to: linkTo(name), current: name === view ? 'page' : undefined }
  })
  const isLive = connection.value === 'live'
  return (
    <header class="bar">
      <p class="brand">
        <a href={linkTo('start')}>workspace-sandbox</a>
      </p>
      <FailNext isSmall />
      <Button class="small" aria-keyshortcuts="Control+K Meta+K" run={openPalette}>
        Actions <kbd>Ctrl K</kbd>
      </Button>
      {/* As on the pages of the documentation. */}
      <Links label="Site" links={sites} />
      <SessionSwitch />
      <div class="places">
        <Links label="Views" links={views} />
        <p class={isLive ? 'live is-live' : 'live'}>{isLive ? 'live' : 'not connected'}</p>
        <Chips />
      </div>
    </header>
  )
}

interface Link {
  readonly label: string
  readonly to: string
  readonly current?: 'page' | 'true' | undefined
}

function Links({ label, links }: { readonly label: string; readonly links: readonly Link[] }) {
  return (
    <nav aria-label={label}>
      <ul>
        {links.map((link) => (
          <li key={link.label}>
            <a href={link.to} aria-current={link.current}>
              {link.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SessionSwitch() {
  const known = useRead(prepare('get', routes.sessions)).value?.items ?? []
  const current = session.value ?? ''
  const isListed = current === '' || known.some(({ id }) => id === current)
  return (
    <div class="session-switch">
      <label>
        <span>Session</span>{' '}
        <select
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
      </label>
      <Act class="small" title="Copy this session and switch to the copy" {...fork()}>
        Fork
      </Act>
    </div>
  )
}
