import { Card } from '../../components/card.tsx'
import { linkTo } from '../../place.ts'
import { CallCard } from './call-card.tsx'
import { CastCard } from './cast-card.tsx'
import { DatasetCard } from './dataset-card.tsx'
import { FailStep } from './fail-step.tsx'
import { WatchStep } from './watch-step.tsx'

/** Renders the first steps: a URL, a token, a call and its effect. */
export function StartView() {
  return (
    <>
      <h1>Start</h1>
      <p class="start-lead">
        A mock server for the Workspace REST Service. Point your application at the base URL with a member’s
        token, watch its requests here, and make them fail.
      </p>
      <div class="columns start-grid">
        <CallCard />
        <div>
          <WatchStep />
          <FailStep />
        </div>
        <DatasetCard />
        <NextCard />
      </div>
      <CastCard />
    </>
  )
}

/** Links to the other features. Order: as users need them. */
const ways = [
  {
    to: linkTo('data', ['customers']),
    label: 'View the data',
    description: 'as a member sees it, and edit it',
  },
  {
    to: linkTo('control', ['clock']),
    label: 'Move the clock',
    description: 'renewals come due, and filters by date return other records',
  },
  {
    to: linkTo('control', ['sessions']),
    label: 'Open a session',
    description: 'for example one per test, with its own changes, faults and requests',
  },
  {
    to: linkTo('control', ['assumptions']),
    label: 'Review the assumptions',
    description: 'made where the service’s documentation is silent, and override them',
  },
] as const

/** Renders links to the other features. */
function NextCard() {
  return (
    <Card title="Next steps">
      <ul class="start-links">
        {ways.map(({ to, label, description }) => (
          <li key={to}>
            <a href={to}>{label}</a>: {description}.
          </li>
        ))}
      </ul>
    </Card>
  )
}
