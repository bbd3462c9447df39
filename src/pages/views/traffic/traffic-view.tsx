import { prepare, readHar, routes, baseUrl } from '../../client.ts'
import { type Bar, Bars } from '../../components/bars.tsx'
import { Search } from '../../components/form.tsx'
import {
  classifyStatus,
  colours,
  formatInstant,
  formatNumber,
  plural,
  statusClasses,
} from '../../components/format.tsx'
import { saveFile } from '../../components/service.tsx'
import { Act, Button } from '../../components/ui.tsx'
import { MAX_REQUESTS, connection, requests } from '../../live.ts'
import { linkTo, param, place, session, setQuery } from '../../place.ts'
import { isFiltered, shown, useBodySearch, RequestList } from './request-list.tsx'
import { RequestPage } from './request-page.tsx'

export function TrafficView() {
  const [chosen = ''] = place.value.path
  const id = /^\d{1,15}$/.test(chosen) ? Number(chosen) : undefined
  const isEmpty = requests.value.length === 0
  useBodySearch()
  return (
    <div class="traffic">
      <div class="traffic-side">
        <div class="row is-apart">
          <h1>Traffic</h1>
          {!isEmpty && <Actions />}
        </div>
        {isEmpty && connection.value === 'live' && (
          <p class="empty">
            No requests yet. Send one to <code>{baseUrl()}</code>, or try one at{' '}
            <a href={linkTo('start')}>Start</a>: it appears here at once.
          </p>
        )}
        {isEmpty && connection.value !== 'live' && <p class="empty">Loading requests…</p>}
        {!isEmpty && <Filters />}
        {!isEmpty && <Timeline />}
        {!isEmpty && <RequestList current={id} />}
      </div>
      {id !== undefined && <RequestPage id={id} />}
    </div>
  )
}

function Actions() {
  const count = requests.value.length
  const hasDropped = count >= MAX_REQUESTS && requests.value[0]?.id !== 1
  const all = `${hasDropped ? 'the last ' : ''}${plural(count, 'request')}`
  return (
    <span class="row">
      <span class="hint">{isFiltered.value ? `${formatNumber(shown.value.length)} of ${all}` : all}</span>
      <Button run={() => saveFile(readHar, `requests-${session.value ?? 'default'}.har`)}>Export HAR</Button>
      <Act call={prepare('delete', routes.requests)} done="Cleared the requests.">
        Clear
      </Act>
    </span>
  )
}

const BARS = 60

function Timeline() {
  const all = requests.value
  const start = all[0]?.startedMs ?? 0
  const width = Math.max(1, ((all.at(-1)?.startedMs ?? 0) - start + 1) / BARS)
  const groups = Map.groupBy(all, ({ startedMs }) => Math.floor((startedMs - start) / width))
  const bars = Array.from({ length: BARS }, (_, at): Bar => {
    const counts = Map.groupBy(groups.get(at) ?? [], ({ status }) => classifyStatus(status))
    const startedAt = new Date(Date.parse(all[0]?.startedAt ?? '') + at * width).toISOString()
    return {
      label: formatInstant(startedAt, 'time'),
      parts: statusClasses.flatMap((name) => {
        const count = counts.get(name)?.length ?? 0
        return count === 0 ? [] : [[colours[name], name, count] as const]
      }),
    }
  })
  const select = (first: number, last: number): void => {
    const chosen = bars.flatMap((_, at) => (at >= first && at <= last ? (groups.get(at) ?? []) : []))
    setQuery({ from: `${chosen[0]?.id ?? ''}`, to: `${chosen.at(-1)?.id ?? ''}` })
  }
  return <Bars label="Requests by time; drag to filter" bars={bars} select={select} />
}

function Filters() {
  const counts = Map.groupBy(requests.value, ({ status }) => classifyStatus(status))
  const status = param('status')
  return (
    <search class="row">
      <Search label="Search path, query, operation, caller, fault or body" />
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
              {name === 'broken' ? 'cut off' : name} <b>{formatNumber(count)}</b>
            </Button>
          )
        })}
      </fieldset>
      {isFiltered.value && (
        <Button run={() => setQuery({ text: '', status: '', from: '', to: '' })}>Clear filters</Button>
      )}
    </search>
  )
}
