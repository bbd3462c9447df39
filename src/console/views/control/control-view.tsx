import type { ComponentType } from 'preact'

import { linkTo, place } from '../../place.ts'
import { AssumptionsPage } from './assumptions/assumptions-page.tsx'
import { ClockPage } from './clock/clock-page.tsx'
import { DatasetPage } from './dataset/dataset-page.tsx'
import { FaultsPage } from './faults/faults-page.tsx'
import { SessionsPage } from './sessions/sessions-page.tsx'

interface Page {
  readonly label: string
  readonly Page: ComponentType
}

/** The pages. Order: as in the navigation. */
const pages: Readonly<Record<string, Page>> = {
  faults: { label: 'Faults', Page: FaultsPage },
  clock: { label: 'Clock', Page: ClockPage },
  sessions: { label: 'Sessions', Page: SessionsPage },
  assumptions: { label: 'Assumptions', Page: AssumptionsPage },
  dataset: { label: 'Dataset', Page: DatasetPage },
}

const first: Page = { label: 'Faults', Page: FaultsPage }

/** Renders the pages that control the sandbox: faults, clock, sessions, assumptions and dataset. */
export function ControlView() {
  const [name = ''] = place.value.path
  const shown = pages[name] ?? first
  return (
    <>
      <div class="control-head">
        <h1>Control</h1>
        <nav aria-label="Control pages">
          <ul>
            {Object.entries(pages).map(([key, page]) => (
              <li key={key}>
                <a
                  href={linkTo('control', [key])}
                  aria-current={page.Page === shown.Page ? 'location' : undefined}
                >
                  {page.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <shown.Page />
    </>
  )
}
