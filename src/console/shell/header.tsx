import type { SessionInfo } from '../../sessions/open-session.ts'
import { prepare, routes } from '../client.ts'
import { FailNext } from '../components/fail-next.tsx'
import { useChange, useRead } from '../components/use-calls.ts'
import { connection } from '../live.ts'
import { type ViewName, linkTo, place, session, switchSession, viewNames } from '../place.ts'
import { Chips } from './chips.tsx'

/** The labels of the views. */
export const viewLabels: Readonly<Record<ViewName, string>> = {
  start: 'Start',
  traffic: 'Traffic',
  data: 'Data',
  people: 'People',
  control: 'Control',
}

/** Renders the links between the pages of the sandbox, the session, the views, and what differs from the start. */
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
      <button type="button" class="small" aria-keyshortcuts="Control+K Meta+K" onClick={openPalette}>
        Actions <kbd>Ctrl K</kbd>
      </button>
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

/** Selects the session that the page shows and controls, or forks it. */
function SessionSwitch() {
  const { value } = useRead(prepare('get', routes.sessions))
  const { isBusy, fork } = useFork()
  const current = session.value ?? ''
  const known = value?.items ?? []
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
      <button
        type="button"
        class="small"
        title="Copy this session and switch to the copy"
        disabled={isBusy}
        onClick={() => void fork()}
      >
        Fork
      </button>
    </div>
  )
}

/** Prepares to copy a session, with all of its state, and to switch to the copy. */
export function useFork(from: Pick<SessionInfo, 'id' | 'name'> = { id: session.value ?? 'default' }) {
  const { make, isBusy } = useChange()
  const name = `fork of ${from.name ?? from.id}`.slice(0, 200)
  const fork = () =>
    make(prepare('post', routes.sessions, { json: { from: from.id, name } }), ({ id }) => {
      switchSession(id)
      return `Switched to ${id}, a copy of ${from.name ?? from.id}.`
    })
  return { isBusy, fork }
}
