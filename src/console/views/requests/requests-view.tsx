import { useEffect } from 'preact/hooks'

import { isLive, requests } from '../../live.ts'
import { numberText } from '../../parts/number.ts'
import { place, show } from '../../place.ts'
import { Actions } from './actions.tsx'
import { addressOfRequest } from './address.ts'
import { Arrivals } from './arrivals.tsx'
import { Filters } from './filters.tsx'
import { FirstRequest } from './first-request.tsx'
import { type Listing, useListing } from './listing.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

/** Requests: what the application asks, as it asks it, and each of them in full. */
export function RequestsView() {
  const listing = useListing()
  const [chosen] = place.value.path
  const id = chosen === undefined || !/^\d{1,15}$/.test(chosen) ? undefined : Number(chosen)
  useEscape(id !== undefined)
  return (
    <div class={id === undefined ? 'requests' : 'requests is-open'}>
      <div class="requests-side">
        <div class="row requests-head">
          <h1>Requests</h1>
          {requests.value.length > 0 && <Count listing={listing} />}
          {requests.value.length > 0 && <Actions listing={listing} />}
        </div>
        <Listed listing={listing} current={id} />
        <Arrivals listing={listing} />
      </div>
      {id !== undefined && <RequestDetail id={id} listing={listing} />}
    </div>
  )
}

interface ListedProps {
  readonly listing: Listing
  readonly current: number | undefined
}

function Listed({ listing, current }: ListedProps) {
  if (requests.value.length === 0) {
    return isLive.value ? <FirstRequest /> : <p class="empty">Reading the requests…</p>
  }
  return (
    <>
      <Filters />
      <RequestList listing={listing} current={current} />
    </>
  )
}

/** How many are listed, of how many. */
function Count({ listing }: { readonly listing: Listing }) {
  const all = requests.value.length
  const shown = listing.shown.value.length
  const text =
    shown === all || listing.isPaused.value ? numberText(shown) : `${numberText(shown)} of ${numberText(all)}`
  return <p class="hint requests-count">{text}</p>
}

/** Closes the request that is shown, unless Escape means something where it is pressed. */
function useEscape(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const close = (event: KeyboardEvent): void => {
      const { target, key } = event
      if (key !== 'Escape' || event.defaultPrevented) return
      if (target instanceof Element && target.matches('input, select, textarea')) return
      show(addressOfRequest())
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
}
