import type { ComponentType } from 'preact'

import { addressOf, place } from '../../place.ts'
import { AssumptionsPage } from './assumptions/assumptions-page.tsx'
import { ClockPage } from './clock/clock-page.tsx'
import { DatasetPage } from './dataset/dataset-page.tsx'
import { FaultsPage } from './faults/faults-page.tsx'
import { SessionsPage } from './sessions/sessions-page.tsx'

interface Page {
  readonly label: string
  readonly Page: ComponentType
}

/** What is steered. Order: as the navigation lists it, the first being shown first. */
const pages: Readonly<Record<string, Page>> = {
  faults: { label: 'Faults', Page: FaultsPage },
  clock: { label: 'Clock', Page: ClockPage },
  sessions: { label: 'Sessions', Page: SessionsPage },
  assumptions: { label: 'Assumptions', Page: AssumptionsPage },
  dataset: { label: 'Dataset', Page: DatasetPage },
}

const first: Page = { label: 'Faults', Page: FaultsPage }

/** Steer: what the real service does not have, as pages of their own. */
export function SteerView() {
  const [name = ''] = place.value.path
  const shown = pages[name] ?? first
  return (
    <>
      <div class="steer-head">
        <h1>Steer</h1>
        <nav aria-label="What to steer">
          <ul>
            {Object.entries(pages).map(([key, page]) => (
              <li key={key}>
                <a
                  href={addressOf('steer', [key])}
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
