import { useEffect, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Code, Save } from '../../components/code.tsx'
import { formatNumber, plural } from '../../components/format.tsx'
import { useEscape } from '../../components/keys.ts'
import { TryIt } from '../../components/service.tsx'
import { Act, Card, Problem } from '../../components/ui.tsx'
import { baseUrl, formatCurl } from '../../curl.ts'
import { connection, requests } from '../../live.ts'
import { place, session, show } from '../../place.ts'
import { Filters, Strip } from './filters.tsx'
import { isFiltered, linkToRequest, shown, useBodySearch } from './listing.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

/** Renders the live list of requests over time, and the details of one. */
export function TrafficView() {
  const [chosen = ''] = place.value.path
  const id = /^\d{1,15}$/.test(chosen) ? Number(chosen) : undefined
  const isEmpty = requests.value.length === 0
  useBodySearch()
  useEscape(id === undefined ? undefined : () => show(linkToRequest()))
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

/** Renders the number of listed requests, and buttons to export the journal and clear it. */
function Actions() {
  const all = formatNumber(requests.value.length)
  return (
    <>
      <span class="hint">{isFiltered.value ? `${formatNumber(shown.value.length)} of ${all}` : all}</span>
      <Save
        call={prepare('get', routes['requests.har'], { query: {} })}
        name={`requests-${session.value ?? 'default'}.har`}
        label="Export HAR"
      />
      <Act class="small" call={prepare('delete', routes.requests)} done="Cleared the requests.">
        Clear
      </Act>
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
      if (count > 0) setText(`${plural(count, 'new request')}, latest: ${last}.`)
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
