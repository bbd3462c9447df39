import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { Code } from '../../components/code.tsx'
import { Select } from '../../components/form.tsx'
import { formatInstant, formatNumber } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { sendToService } from '../../components/response.tsx'
import { Save } from '../../components/save.tsx'
import { useChange } from '../../components/use-calls.ts'
import { baseUrl, formatCurl } from '../../curl.ts'
import { connection, requests } from '../../live.ts'
import { place, session, setQuery, show } from '../../place.ts'
import { useBodySearch } from './body-search.ts'
import { filterNames, linkToRequest, noFilter, parseFilter } from './filter.ts'
import { shown } from './listing.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'
import { Legend, Strip } from './strip.tsx'

/** Renders the live list of requests over time, and the details of one. */
export function TrafficView() {
  const [chosen] = place.value.path
  const id = chosen === undefined || !/^\d{1,15}$/.test(chosen) ? undefined : Number(chosen)
  const isEmpty = requests.value.length === 0
  useBodySearch(parseFilter(place.value.query).text)
  useEscape(id !== undefined)
  return (
    <div class={id === undefined ? 'traffic' : 'traffic is-open'}>
      <div class="traffic-side">
        <div class="row view-head">
          <h1>Traffic</h1>
          {!isEmpty && <Count />}
          {!isEmpty && <Actions />}
        </div>
        {isEmpty && connection.value === 'live' && <FirstRequest />}
        {isEmpty && connection.value !== 'live' && <p class="empty">Loading requests…</p>}
        {!isEmpty && (
          <>
            <Filters />
            <Strip requests={requests.value} />
            <RequestList current={id} />
          </>
        )}
        <Arrivals />
      </div>
      {id !== undefined && <RequestDetail id={id} />}
    </div>
  )
}

/** Renders the number of listed requests, and of all. */
function Count() {
  const all = formatNumber(requests.value.length)
  const isFiltered = filterNames.some((name) => parseFilter(place.value.query)[name] !== '')
  return <p class="hint">{isFiltered ? `${formatNumber(shown.value.length)} of ${all}` : all}</p>
}

/** Renders the filters of the list; the URL keeps them. */
function Filters() {
  const entries = requests.value
  const filter = parseFilter(place.value.query)
  const isGrouped = place.value.query.get('group') === 'operation'
  const callers = entries.map(({ caller }) => [`${caller?.id ?? 'none'}`, caller?.name ?? 'none'] as const)
  const operations = entries.map(({ operationId = 'none' }) => [operationId, operationId] as const)
  return (
    <search class="row traffic-filters">
      <label class="field traffic-search">
        Search{' '}
        <input
          type="search"
          data-search
          maxLength={1_000}
          placeholder="Search path, query, caller or body"
          value={filter.text}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        />
      </label>
      <Select
        label="Operation"
        value={filter.operationId}
        set={(operationId) => setQuery({ operationId })}
        options={{ '': 'Any operation', ...toOptions(operations) }}
      />
      <Select
        label="Caller"
        value={filter.caller}
        set={(caller) => setQuery({ caller })}
        options={{ '': 'Any caller', ...toOptions(callers) }}
      />
      <Select
        label="Only"
        value={filter.only}
        set={(only) => setQuery({ only })}
        options={{ '': 'All requests', warnings: 'With warnings', faults: 'With faults' }}
      />
      <Legend requests={entries} />
      <button
        type="button"
        class="small"
        aria-pressed={isGrouped}
        onClick={() => setQuery({ group: isGrouped ? '' : 'operation' })}
      >
        Group by operation
      </button>
      {filter.from !== '' && <TimeChip from={Number(filter.from)} />}
      {filterNames.some((name) => filter[name] !== '') && (
        <button type="button" class="small" onClick={() => setQuery(noFilter)}>
          Clear filters
        </button>
      )}
    </search>
  )
}

/** Returns each value with its label once. Order: by label. */
function toOptions(pairs: readonly (readonly [value: string, label: string])[]): Record<string, string> {
  return Object.fromEntries([...new Map(pairs)].toSorted(([, a], [, b]) => (a === b ? 0 : a < b ? -1 : 1)))
}

/** Renders the interval that the list is limited to, with a button to remove it. */
function TimeChip({ from }: { readonly from: number }) {
  const first = requests.value.find(({ startedMs }) => startedMs >= from)
  return (
    <span class="chip">
      <span>From {first ? formatInstant(first.startedAt, 'time') : 'a time without requests'}</span>
      <button type="button" aria-label="Show all times" onClick={() => setQuery({ from: '', to: '' })}>
        ✕
      </button>
    </span>
  )
}

/** Closes the details on Escape, unless the key is pressed in an input. */
function useEscape(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const close = (event: KeyboardEvent): void => {
      const { target, key } = event
      if (key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return
      if (target instanceof Element && target.matches('input, select, textarea')) return
      show(linkToRequest())
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
}

/** Renders buttons to clear the journal and export it. */
function Actions() {
  const { make, isBusy, error } = useChange()
  const clear = (): void => {
    void make(prepare('delete', routes.requests), 'Cleared the requests.')
  }
  return (
    <>
      <Save
        call={prepare('get', routes['requests.har'], { query: {} })}
        name={`requests-${session.value ?? 'default'}.har`}
        label="Export HAR"
      />
      <button type="button" class="small" disabled={isBusy} onClick={clear}>
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
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = (): void => {
      timer = undefined
      const count = shown.peek().filter(({ id }) => id > last).length
      last = shown.peek().at(-1)?.id ?? 0
      if (count > 0) setText(`${count} new request${count === 1 ? '' : 's'}, latest: ${last}.`)
    }
    const stop = effect(() => {
      if ((shown.value.at(-1)?.id ?? 0) !== last) timer ??= setTimeout(say, GATHERED_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return <output class="traffic-announced">{text}</output>
}

/** Explains how to send the first request, and sends it on demand. */
function FirstRequest() {
  const { member, error } = useCast()
  const [failure, setFailure] = useState<unknown>()
  const headers: Record<string, string> = member ? { Authorization: `Bearer ${member.token}` } : {}
  const request = { method: 'GET', url: `${baseUrl()}/members/me`, headers }
  const send = async (): Promise<void> => {
    try {
      await sendToService(request)
    } catch {
      setFailure(new Error('The connection broke off without a response.'))
    }
  }
  return (
    <section class="card traffic-first" aria-labelledby="traffic-first">
      <h2 id="traffic-first">No requests yet</h2>
      <p>Send one, and it appears here. No need to reload.</p>
      {member && <Code text={formatCurl(request)} subject="the request as curl" />}
      <Problem error={failure ?? error} />
      <p class="row">
        <button type="button" class="primary" onClick={() => void send()}>
          Send it from here
        </button>
      </p>
      <p>Or point your application here:</p>
      <Code text={baseUrl()} subject="the base URL" />
      <p class="hint">
        Every request below the base URL is listed, including those that fail or are cut off. Calls to the
        control plane are not.
      </p>
    </section>
  )
}
