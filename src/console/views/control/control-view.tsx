import type { ComponentType } from 'preact'

import { linkTo, place } from '../../place.ts'
import { Unknown } from '../../shell/messages.tsx'
import { AssumptionsPage } from './assumptions-page.tsx'
import { ClockPage } from './clock-page.tsx'
import { DatasetPage } from './dataset-page.tsx'
import { FaultsPage } from './faults-page.tsx'
import { ScenariosPage } from './scenarios-page.tsx'
import { SessionsPage } from './sessions-page.tsx'

const pages: Readonly<Record<string, { readonly label: string; readonly Page: ComponentType }>> = {
  faults: { label: 'Faults', Page: FaultsPage },
  scenarios: { label: 'Scenarios', Page: ScenariosPage },
  clock: { label: 'Clock', Page: ClockPage },
  sessions: { label: 'Sessions', Page: SessionsPage },
  assumptions: { label: 'Assumptions', Page: AssumptionsPage },
  dataset: { label: 'Dataset', Page: DatasetPage },
}

export function ControlView() {
  const [name = 'faults'] = place.value.path
  const Page = pages[name]?.Page ?? Unknown
  return (
    <>
      <h1 class="unseen">Control</h1>
      <nav class="nav row" aria-label="Control pages">
        {Object.entries(pages).map(([key, page]) => (
          <a
            key={key}
            href={linkTo('control', [key])}
            aria-current={page.Page === Page ? 'location' : undefined}
          >
            {page.label}
          </a>
        ))}
      </nav>
      <Page />
    </>
  )
}
