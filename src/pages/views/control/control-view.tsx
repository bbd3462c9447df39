import type { ComponentType } from 'preact'

import { toWords } from '../../components/schema.ts'
import { linkTo, place } from '../../place.ts'
import { AssumptionsPage } from './assumptions-page.tsx'
import { ClockPage, DatasetPage } from './clock-and-dataset.tsx'
import { FaultsPage, ScenariosPage } from './faults-and-scenarios.tsx'
import { SessionsPage } from './sessions-page.tsx'

const pages: Readonly<Record<string, ComponentType>> = {
  faults: FaultsPage,
  scenarios: ScenariosPage,
  clock: ClockPage,
  sessions: SessionsPage,
  assumptions: AssumptionsPage,
  dataset: DatasetPage,
}

export const controlPages: readonly string[] = Object.keys(pages)

export function ControlView() {
  const [name = 'faults'] = place.value.path
  const Page = pages[name] ?? FaultsPage
  return (
    <>
      <h1 class="unseen">Control</h1>
      <nav aria-label="Control pages">
        {controlPages.map((key) => (
          <a key={key} href={linkTo('control', [key])} aria-current={key === name ? 'location' : undefined}>
            {toWords(key)}
          </a>
        ))}
      </nav>
      <Page />
    </>
  )
}
