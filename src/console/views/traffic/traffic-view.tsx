import { useEffect, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Code } from '../../components/code.tsx'
import { Save } from '../../components/code.tsx'
import { formatNumber } from '../../components/format.tsx'
import { Card } from '../../components/layout.tsx'
import { Problem } from '../../components/problem.tsx'
import { TryIt } from '../../components/service.tsx'
import { useChange } from '../../components/use-calls.ts'
import { baseUrl, formatCurl } from '../../curl.ts'
import { connection, requests } from '../../live.ts'
import { place, session, setQuery, show } from '../../place.ts'
import { filter, isFiltered, linkToRequest, useBodySearch } from './filter.ts'
import { isGrouped, shown } from './listing.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'
import { Legend, Strip } from './strip.tsx'

/** Renders the live list of requests over time, and the details of one. */
export function TrafficView() {
  const [chosen] = place.value.path
  const id = chosen === undefined || !/^\d{1,15}$/.test(chosen) ? undefined : Number(chosen)
  const isEmpty = requests.value.length === 0
  useBodySearch()
  useEscape(id !== undefined)
  return (
    <div class={id === undefined ? 'traffic' : 'traffic is-open'}>
      <div class="traffic-side">
        <div class="row view-head">
          <h1>Traffic</h1>
          {!isEmpty && <Actions />}
        </div>
        {isEmpty && connection.value === 'live' && <FirstRequest />}
        {isEmpty && connection.value !== 'live' && <p class="empty">Loading requests…</p>}
        {!isEmpty && (
          <>
            <Filters />
            <Strip />
            <RequestList current={id} />
          </>
        )}
        <Arrivals />
      </div>
      {id !== undefined && <RequestDetail id={id} />}
    </div>
  )
}

/** Renders the filters of the list; the URL keeps them. */
function Filters() {
  return (
    <search class="row traffic-filters">
      <input
        type="search"
        data-search
        maxLength={1_000}
        aria-label="Search"
        placeholder="Search path, query, operation, caller, fault or body"
        value={filter.value.text}
        onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
      />
      <Legend />
      <button
        type="button"
        class="small"
        aria-pressed={isGrouped.value}
        onClick={() => setQuery({ group: isGrouped.value ? '' : 'operation' })}
      >
        Group by operation
      </button>
      {isFiltered.value && (
        <button type="button" class="small" onClick={() => setQuery({ text: '', status: '' })}>
          Clear filters
        </button>
      )}
    </search>
  )
}

/** Closes the details on Escape, unless the key is pressed in an input. */
function useEscape(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const close = ({ target, key, defaultPrevented }: KeyboardEvent): void => {
      if (key !== 'Escape' || defaultPrevented || document.querySelector('dialog[open]')) return
      if (target instanceof Element && target.matches('input, select, textarea')) return
      show(linkToRequest())
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
}

/** Renders the number of listed requests, and buttons to export the journal and clear it. */
function Actions() {
  const { make, isBusy, error } = useChange()
  const all = formatNumber(requests.value.length)
  return (
    <>
      <span class="hint">{isFiltered.value ? `${formatNumber(shown.value.length)} of ${all}` : all}</span>
      <Save
        call={prepare('get', routes['requests.har'], { query: {} })}
        name={`requests-${session.value ?? 'default'}.har`}
        label="Export HAR"
      />
      <button
        type="button"
        class="small"
        disabled={isBusy}
        onClick={() => void make(prepare('delete', routes.requests), 'Cleared the requests.')}
      >
        Clear
      </button>
      <Problem error={error} />
    </>
  )
}

/** The interval of announcements. Units: milliseconds. */
const GATHERED_MS = 2_000

/** Announces new requests to screen readers from time to time. */
function Arrivals() {
  const [text, setText] = useState('')
  useEffect(() => {
    let last = shown.peek().at(-1)?.id ?? 0
    const timer = setInterval(() => {
      const count = shown.peek().filter(({ id }) => id > last).length
      last = shown.peek().at(-1)?.id ?? 0
      if (count > 0) setText(`${count} new request${count === 1 ? '' : 's'}, latest: ${last}.`)
    }, GATHERED_MS)
    return () => clearInterval(timer)
  }, [])
  return <output class="unseen">{text}</output>
}

/** The path of the request to send first. */
const FIRST = '/members/me'

/** Explains how to send the first request, and sends it on demand. */
function FirstRequest() {
  const { member, error } = useCast()
  const { token = '' } = member ?? {}
  const request = { method: 'GET', url: baseUrl() + FIRST, headers: { Authorization: `Bearer ${token}` } }
  return (
    <Card title="No requests yet">
      <p>Send one, and it appears here. No need to reload.</p>
      <Problem error={error} />
      {member && <Code text={formatCurl(request)} subject="the request as curl" />}
      {member && <TryIt label="Send it from here" path={FIRST} token={token} />}
      <p>Or point your application here:</p>
      <Code text={baseUrl()} subject="the base URL" />
    </Card>
  )
}
