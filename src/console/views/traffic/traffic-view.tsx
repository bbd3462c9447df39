import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { Code } from '../../components/code.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { Save } from '../../components/save.tsx'
import { useChange } from '../../components/use-calls.ts'
import { baseUrl, formatCurl } from '../../curl.ts'
import { connection, requests } from '../../live.ts'
import { place, session, show } from '../../place.ts'
import { linkToRequest } from './filter.ts'
import { Filters } from './filters.tsx'
import { type Listing, useListing } from './listing.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

/** Renders the live list of requests and the details of one. */
export function TrafficView() {
  const listing = useListing()
  const [chosen] = place.value.path
  const id = chosen === undefined || !/^\d{1,15}$/.test(chosen) ? undefined : Number(chosen)
  useEscape(id !== undefined)
  return (
    <div class={id === undefined ? 'requests' : 'requests is-open'}>
      <div class="requests-side">
        <div class="row requests-head">
          <h1>Traffic</h1>
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
    return connection.value === 'live' ? <FirstRequest /> : <p class="empty">Loading requests…</p>
  }
  return (
    <>
      <Filters />
      <RequestList listing={listing} current={current} />
    </>
  )
}

/** Renders the number of listed requests, and of all. */
function Count({ listing }: { readonly listing: Listing }) {
  const all = requests.value.length
  const shown = listing.shown.value.length
  const text =
    shown === all || listing.isPaused.value
      ? formatNumber(shown)
      : `${formatNumber(shown)} of ${formatNumber(all)}`
  return <p class="hint requests-count">{text}</p>
}

/** Closes the details on Escape, unless the key is pressed in an input. */
function useEscape(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const close = (event: KeyboardEvent): void => {
      const { target, key } = event
      if (key !== 'Escape' || event.defaultPrevented) return
      if (target instanceof Element && target.matches('input, select, textarea')) return
      show(linkToRequest())
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
}

/** Renders buttons to pause the list, clear the journal and export it. */
function Actions({ listing }: { readonly listing: Listing }) {
  const { make, isBusy, error } = useChange()
  const isPaused = listing.isPaused.value
  const clear = (): void => {
    void make(prepare('delete', routes.requests), 'Cleared the requests.')
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
        call={prepare('get', routes['requests.har'], { query: {} })}
        name={`requests-${session.value ?? 'default'}.har`}
        label="Export HAR"
      />
      <Problem error={error} />
    </div>
  )
}

/** The interval of announcements. Units: milliseconds. */
const GATHERED_MS = 2_000

/** Announces new requests to screen readers from time to time. */
function Arrivals({ listing }: { readonly listing: Listing }) {
  const [text, setText] = useState('')
  useEffect(() => {
    let last = listing.shown.peek()[0]?.id ?? 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = (): void => {
      timer = undefined
      const shown = listing.shown.peek()
      const count = shown.filter(({ id }) => id > last).length
      last = shown[0]?.id ?? 0
      if (count > 0) setText(`${count} new request${count === 1 ? '' : 's'}, latest: ${last}.`)
    }
    const stop = effect(() => {
      if ((listing.shown.value[0]?.id ?? 0) !== last) timer ??= setTimeout(say, GATHERED_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return <output class="requests-announced">{text}</output>
}

/** Explains how to send the first request. */
function FirstRequest() {
  const { member, error } = useCast()
  const base = baseUrl()
  const headers: Record<string, string> = member ? { Authorization: `Bearer ${member.token}` } : {}
  const command = formatCurl({ method: 'GET', url: `${base}/members/me`, headers })
  return (
    <section class="card requests-first" aria-labelledby="requests-first">
      <h2 id="requests-first">No requests yet</h2>
      <p>Send one, and it appears here. No need to reload.</p>
      {member && <Code text={command} subject="the request as curl" />}
      <Problem error={error} />
      <p>Or point your application here:</p>
      <Code text={base} subject="the base URL" />
      <p class="hint">
        Every request below the base URL is listed, including those that fail or are cut off. Calls that this
        page makes under <code>/_sandbox</code> are not.
      </p>
    </section>
  )
}
