import { useEffect, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Code, Save } from '../../components/code.tsx'
import { Search } from '../../components/form.tsx'
import { formatNumber, plural } from '../../components/format.tsx'
import { useEscape } from '../../components/keys.ts'
import { TryIt } from '../../components/service.tsx'
import { classifyStatus, getColour, statusClasses } from '../../components/status.tsx'
import { Act, Button, Card, Problem } from '../../components/ui.tsx'
import { baseUrl, formatCurl } from '../../curl.ts'
import { connection, requests } from '../../live.ts'
import { param, place, session, setQuery, show } from '../../place.ts'
import { hasDropped, isFiltered, isGrouped, linkToRequest, shown, useBodySearch } from './listing.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

export function TrafficView() {
  const [chosen = ''] = place.value.path
  const id = /^\d{1,15}$/.test(chosen) ? Number(chosen) : undefined
  const isEmpty = requests.value.length === 0
  useBodySearch()
  useEscape(id === undefined ? undefined : () => show(linkToRequest()))
  return (
    <div class={`traffic ${id === undefined ? '' : 'is-open'}`}>
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
            <RequestList current={id} />
          </>
        )}
        <Arrivals />
      </div>
      {id !== undefined && <RequestDetail id={id} />}
    </div>
  )
}

function Actions() {
  const all = `${hasDropped.value ? 'the last ' : ''}${formatNumber(requests.value.length)}`
  return (
    <>
      <span class="hint">{isFiltered.value ? `${formatNumber(shown.value.length)} of ${all}` : all}</span>
      <Save
        call={prepare('get', routes['requests.har'], { query: {} })}
        name={`requests-${session.value ?? 'default'}.har`}
        label="Export HAR"
      />
      <Act call={prepare('delete', routes.requests)} done="Cleared the requests.">
        Clear
      </Act>
    </>
  )
}

/** The interval of announcements. Units: milliseconds. */
const GATHERED_MS = 2_000

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

const FIRST = '/members/me'

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

/** Renders the filters of the list, with the number of requests of each status class; the URL keeps them. */
function Filters() {
  const counts = Map.groupBy(requests.value, ({ status }) => classifyStatus(status))
  const status = param('status')
  return (
    <search class="row traffic-filters">
      <Search label="Search" placeholder="Search path, query, operation, caller, fault or body" />
      <fieldset class="row" aria-label="Status">
        {statusClasses.map((name) => {
          const count = counts.get(name)?.length ?? 0
          if (count === 0 && name !== status) return null
          return (
            <Button
              key={name}
              pressed={name === status}
              run={() => setQuery({ status: name === status ? '' : name })}
            >
              <span style={{ color: getColour(name) }}>■</span> {name === 'broken' ? 'cut off' : name}{' '}
              <b>{formatNumber(count)}</b>
            </Button>
          )
        })}
      </fieldset>
      <Button pressed={isGrouped.value} run={() => setQuery({ group: isGrouped.value ? '' : 'operation' })}>
        Group by operation
      </Button>
      {isFiltered.value && <Button run={() => setQuery({ text: '', status: '' })}>Clear filters</Button>}
    </search>
  )
}
