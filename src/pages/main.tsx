import { effect, signal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { adminToken, isLocked, pendingCalls, revision, said, unlock } from './calls.ts'
import { Code } from './components/copy.tsx'
import { toWords } from './components/schema.ts'
import { Button, Form, Problem, Questions } from './components/ui.tsx'
import { connection, followJournal, overview, watchOverview } from './live.ts'
import { hasReturned, place, session, switchSession, type ViewName } from './place.ts'
import { Header } from './shell/header.tsx'
import { Palette, usePaletteKeys } from './shell/palette.tsx'
import { ControlView } from './views/control/control-view.tsx'
import { DataView } from './views/data/data-view.tsx'
import { StartView } from './views/start/start-view.tsx'
import { SyncView } from './views/sync/sync-view.tsx'
import { TrafficView } from './views/traffic/traffic-view.tsx'

const views: Readonly<Record<ViewName, ComponentType>> = {
  start: StartView,
  traffic: TrafficView,
  sync: SyncView,
  data: DataView,
  control: ControlView,
}

const findScrollers = (): readonly Element[] => [...document.querySelectorAll('main, main [role=grid]')]

/** How far each location was scrolled when it was left, and which link had the focus. */
const departures = new Map<string, { readonly tops: readonly number[]; readonly href: string | null }>()
let current = location.hash
effect(() => {
  void place.value
  const tops = findScrollers().map(({ scrollTop }) => scrollTop)
  departures.set(current, { tops, href: document.activeElement?.getAttribute('href') ?? null })
  current = location.hash
})

/** Whether the page still reads its first data, for at most two seconds. */
const isNew = signal(true)

/** The time without a call after which the first data is complete. Units: milliseconds. */
const SETTLED_MS = 120

function App() {
  const main = useRef<HTMLElement>(null)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const openPalette = (): void => setPaletteOpen(true)
  usePaletteKeys(openPalette)
  const { view, path } = place.value
  const shown = useRef(view)
  // Begins at the top with the focus on the view, or, after Back, where the reader has left it.
  useLayoutEffect(() => {
    document.title = `${toWords(view)} · workspace-sandbox`
    const { tops = [0], href } = (hasReturned() && departures.get(location.hash)) || {}
    findScrollers().forEach((one, at) => (one.scrollTop = tops[at] ?? one.scrollTop))
    const link = Array.from(document.links).find((one) => one.getAttribute('href') === href)
    const isLost = view === 'data' && document.activeElement === document.body
    if (link) link.focus({ preventScroll: true })
    else if (shown.current !== view || isLost) main.current?.focus()
    shown.current = view
  }, [view, path.join('/')])
  return (
    <>
      <Header openPalette={openPalette} />
      <main
        ref={main}
        tabIndex={-1}
        aria-label={toWords(view)}
        aria-busy={isNew.value || pendingCalls.value > 0}
      >
        <Content />
      </main>
      <Questions />
      {isPaletteOpen && <Palette close={() => setPaletteOpen(false)} />}
      <output class="announcer">{said}</output>
    </>
  )
}

function Content() {
  const View = views[place.value.view]
  useEffect(() => {
    const wait = pendingCalls.value > 0 || connection.value !== 'live' ? 2_000 : SETTLED_MS
    const timer = setTimeout(() => (isNew.value = false), wait)
    return () => clearTimeout(timer)
  }, [pendingCalls.value > 0, connection.value])
  if (isLocked.value) return <Unlock />
  if (connection.value === 'gone') return <Gone id={session.value ?? ''} />
  const isLost = connection.value === 'lost'
  return (
    <>
      {isLost && <Stopped />}
      {/* Keeps what was entered until the sandbox is back. */}
      <div class={isNew.value ? 'view is-new' : 'view'} hidden={isLost}>
        <View />
      </div>
    </>
  )
}

function Stopped() {
  const { seed, size, fixture, future } = overview.value ?? {}
  const known = seed === undefined ? {} : { seed, size, fixture, ...(future === 'living' && { future }) }
  const options = { port: location.port || '80', ...known }
  const flags = Object.entries(options).map(([name, value]) => ` --${name} ${value}`)
  return (
    <section class="card message" role="alert">
      <h1>The sandbox does not respond</h1>
      <p>
        Nothing responds at <code>{location.origin}</code>. Has it been stopped? Start it again, and this page
        reconnects by itself and reads everything anew. Add the other options that you gave, such as{' '}
        <code>--data</code> or <code>--config</code>:
      </p>
      <Code text={`npx workspace-sandbox${flags.join('')}`} subject="the command" />
    </section>
  )
}

function Gone({ id }: { id: string }) {
  return (
    <section class="card message" role="alert">
      <h1>Session {id} not found</h1>
      <p>It was deleted or has expired, or the sandbox was restarted or reseeded.</p>
      <Button class="primary" run={() => switchSession(undefined)}>
        Switch to the default session
      </Button>
    </section>
  )
}

function Unlock() {
  const [token, setToken] = useState('')
  return (
    <section class="card message">
      <h1>Admin token</h1>
      <p>
        This sandbox requires its admin token. Enter the token to use the console. It is kept until you close
        this tab.
      </p>
      <Problem error={adminToken.value === '' ? undefined : new Error('Invalid admin token.')} />
      <Form submit={() => token !== '' && unlock(token)}>
        <label>
          Token{' '}
          <input
            ref={(field) => field?.focus()}
            type="password"
            autocomplete="off"
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Unlock
        </button>
      </Form>
    </section>
  )
}

followJournal()
watchOverview()
// Others may have changed the data meanwhile.
addEventListener('focus', () => {
  revision.value += 1
})
render(<App />, document.body)
