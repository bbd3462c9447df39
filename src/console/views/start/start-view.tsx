import { CallCard } from './call-card.tsx'
import { CastCard } from './cast-card.tsx'
import { DatasetCard } from './dataset-card.tsx'
import { FailStep } from './fail-step.tsx'
import { NextCard } from './next-card.tsx'
import { WatchStep } from './watch-step.tsx'

/** What somebody needs who is here for the first time: an address, a token, a call, and what comes of it. */
export function StartView() {
  return (
    <>
      <h1>Start</h1>
      <p class="start-lead">
        A stand-in for the Workspace REST Service. Point your application at the base URL, with the token of a
        member; watch its calls here, and make them fail.
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
