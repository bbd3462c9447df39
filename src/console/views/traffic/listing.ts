import { type ReadonlySignal, computed, effect, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { requests } from '../../live.ts'
import { place } from '../../place.ts'
import { parseFilter, createMatcher } from './filter.ts'

/** The state of the list of requests. */
export interface Listing {
  /** The requests that match the filter. Order: newest first. */
  readonly shown: ReadonlySignal<readonly RequestSummary[]>
  readonly isPaused: ReadonlySignal<boolean>
  /** The number of matching requests since the list was paused. */
  readonly waiting: ReadonlySignal<number>
  readonly pause: () => void
  readonly resume: () => void
}

/** Provides the requests of the list: live, or as they were when it was paused. */
export function useListing(): Listing {
  const listing = useMemo(createListing, [])
  // Resumes when the journal is cleared or the session changes.
  useEffect(() => effect(() => void (requests.value.length === 0 && listing.resume())), [])
  return listing
}

function createListing(): Listing {
  const paused = signal<readonly RequestSummary[] | undefined>()
  const matches = computed(() => createMatcher(parseFilter(place.value.query)))
  return {
    shown: computed(() => (paused.value ?? requests.value).filter(matches.value).toReversed()),
    isPaused: computed(() => paused.value !== undefined),
    waiting: computed(() =>
      paused.value ? listNewer(paused.value, requests.value).filter(matches.value).length : 0,
    ),
    pause: () => {
      paused.value = requests.value
    },
    resume: () => {
      paused.value = undefined
    },
  }
}

/** Lists the requests after others, or all if the ids started again. */
function listNewer(
  before: readonly RequestSummary[],
  now: readonly RequestSummary[],
): readonly RequestSummary[] {
  const last = before.at(-1)?.id ?? 0
  return (now.at(-1)?.id ?? 0) < last ? now : now.filter(({ id }) => id > last)
}
