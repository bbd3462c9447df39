import { useSignalEffect } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { CallLog } from './call-log.tsx'
import { isLocked, pendingCalls } from './calls.ts'
import { Announcer } from './components/announcer.tsx'
import { Gone } from './gone.tsx'
import { goneSession, isLive } from './live.ts'
import { type ViewName, linkTo, place, session, viewNames } from './place.ts'
import { SessionSwitch } from './session-switch.tsx'
import { Unlock } from './unlock.tsx'
import { ChartsView } from './views/charts/charts-view.tsx'
import { ControlView } from './views/control/control-view.tsx'
import { DataView } from './views/data/data-view.tsx'
import { RequestsView } from './views/requests/requests-view.tsx'
import { StartView } from './views/start/start-view.tsx'

const views: Readonly<Record<ViewName, { readonly label: string; readonly View: ComponentType }>> = {
  start: { label: 'Start', View: StartView },
  requests: { label: 'Requests', View: RequestsView },
  data: { label: 'Data', View: DataView },
  control: { label: 'Control', View: ControlView },
  charts: { label: 'Charts', View: ChartsView },
}

/** Renders the navigation bar, the current view and the log of calls. */
export function App() {
  const main = useRef<HTMLElement>(null)
  const { view } = place.value
  const { label, View } = views[view]
  const isGone = goneSession.value !== undefined && goneSession.value === session.value
  const shown = useRef(view)
  useSignalEffect(() => {
    document.title = `${views[place.value.view].label} · workspace-sandbox`
  })
  // Moves the focus to the start of a newly selected view.
  useLayoutEffect(() => {
    if (shown.current !== view) main.current?.focus()
    shown.current = view
  }, [view])
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header class="bar">
        <p class="brand">
          <a href={linkTo('start')}>workspace-sandbox</a>
        </p>
        <nav aria-label="Views">
          <ul>
            {viewNames.map((name) => (
              <li key={name}>
                <a href={linkTo(name)} aria-current={name === view ? 'page' : undefined}>
                  {views[name].label}
                </a>
              </li>
            ))}
            <li>
              <a href="/docs">Reference</a>
            </li>
          </ul>
        </nav>
        <SessionSwitch />
        <p class={isLive.value ? 'live is-live' : 'live'}>{isLive.value ? 'live' : 'not connected'}</p>
      </header>
      <main ref={main} tabIndex={-1} aria-label={label} aria-busy={pendingCalls.value > 0}>
        {isLocked.value ? <Unlock /> : isGone ? <Gone id={goneSession.value ?? ''} /> : <View />}
      </main>
      <CallLog />
      <Announcer />
    </>
  )
}
