import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'

import type { RequestSummary } from '../../../control/journal/view.ts'
import { requests } from '../../live.ts'
import { place } from '../../place.ts'
import { filterOf, letThroughBy } from './filter.ts'

/** What the list shows. */
export interface Listing {
  /** Those that the address's filter lets through. Order: newest first. */
  readonly shown: ReadonlySignal<readonly RequestSummary[]>
  readonly isPaused: ReadonlySignal<boolean>
  /** How many have come since the list was paused that it would show. */
  readonly waiting: ReadonlySignal<number>
  readonly pause: () => void
  readonly resume: () => void
}

/** The requests as the list shows them: all that come, or those of the moment at which it was paused. */
export function useListing(): Listing {
  const listing = useMemo(createListing, [])
  // Nothing is left to look at once the journal was emptied, or is that of another session.
  useEffect(() => effect(() => void (requests.value.length === 0 && listing.resume())), [])
  return listing
}

function createListing(): Listing {
  const paused = signal<readonly RequestSummary[] | undefined>()
  const letsThrough = computed(() => letThroughBy(filterOf(place.value.query)))
  return {
    shown: computed(() => (paused.value ?? requests.value).filter(letsThrough.value).toReversed()),
    isPaused: computed(() => paused.value !== undefined),
    waiting: computed(() =>
      paused.value ? since(paused.value, requests.value).filter(letsThrough.value).length : 0,
    ),
    pause: () => {
      paused.value = requests.value
    },
    resume: () => {
      paused.value = undefined
    },
  }
}

/** Those that came after others; all of them where ids began anew meanwhile. */
function since(before: readonly RequestSummary[], now: readonly RequestSummary[]): readonly RequestSummary[] {
  const last = before.at(-1)?.id ?? 0
  return (now.at(-1)?.id ?? 0) < last ? now : now.filter(({ id }) => id > last)
}
