import { Card } from '../../parts/card.tsx'
import { addressOf } from '../../place.ts'

/** Where to go on from here. Order: as people need it. */
const ways = [
  {
    to: addressOf('data', ['customers']),
    label: 'Look at the data',
    what: 'as a member sees it, and change it',
  },
  {
    to: addressOf('steer', ['clock']),
    label: 'Move the clock',
    what: 'renewals come due, filters by date answer anew',
  },
  {
    to: addressOf('steer', ['sessions']),
    label: 'Open a session',
    what: 'isolated, one for each test: its own changes, faults and requests',
  },
  {
    to: addressOf('steer', ['assumptions']),
    label: 'See what is assumed',
    what: 'where the service’s document is silent, and decide it otherwise',
  },
] as const

/** What else there is. */
export function NextCard() {
  return (
    <Card title="And then">
      <ul class="start-links">
        {ways.map(({ to, label, what }) => (
          <li key={to}>
            <a href={to}>{label}</a>: {what}.
          </li>
        ))}
      </ul>
    </Card>
  )
}
