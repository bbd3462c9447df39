import { Problem } from '../../parts/problem.tsx'
import { Save } from '../../parts/save.tsx'
import { useChange } from '../../parts/use-change.ts'
import { session } from '../../place.ts'
import type { Listing } from './listing.ts'

/** Holds the list still, empties the journal, takes it away. */
export function Actions({ listing }: { readonly listing: Listing }) {
  const { make, isBusy, error } = useChange()
  const isPaused = listing.isPaused.value
  const clear = (): void => {
    void make({ method: 'DELETE', path: '/_sandbox/requests' }, 'Cleared the requests.')
  }
  return (
    <div class="row requests-actions">
      <button
        type="button"
        class="small"
        aria-pressed={isPaused}
        onClick={isPaused ? listing.resume : listing.pause}
      >
        Pause
      </button>
      <button type="button" class="small" disabled={isBusy} onClick={clear}>
        Clear
      </button>
      <Save
        path="/_sandbox/requests.har"
        name={`requests-${session.value ?? 'default'}.har`}
        label="Export HAR"
      />
      <Problem error={error} />
    </div>
  )
}
