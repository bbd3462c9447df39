import { useEffect, useState } from 'preact/hooks'

import type { Health } from '../../../../control/host.ts'
import { Instant } from '../../../parts/instant.tsx'
import { useAnswer } from '../../../parts/use-answer.ts'
import { addressOf } from '../../../place.ts'

/** A dataset is being made: for how long already. */
export function Seeding() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="steer-gap">
      <progress aria-label="Making the dataset" />
      Making the dataset: {seconds} s
    </p>
  )
}

interface Collections {
  readonly items: readonly { readonly name: string; readonly totalCount: number }[]
}

/** What a dataset that was just made has. */
export function Made({ health }: { readonly health: Health }) {
  const { value } = useAnswer<Collections>({ path: '/_sandbox/data' })
  return (
    <div class="steer-gap">
      <h3>Made just now</h3>
      <p>
        Seed {health.seed}, size {health.size}, fixture {health.fixture}, time <Instant at={health.now} />,
        fingerprint <code>{health.fingerprint}</code>
      </p>
      <ul class="dataset-counts">
        {value?.items.map(({ name, totalCount }) => (
          <li key={name}>
            <a href={addressOf('data', [name])}>{name}</a> <b>{totalCount}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
