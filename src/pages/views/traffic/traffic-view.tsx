import { prepare, routes, baseUrl } from '../../client.ts'
import { Search } from '../../components/form.tsx'
import { classifyStatus, formatNumber, statusClasses } from '../../components/format.tsx'
import { Save } from '../../components/service.tsx'
import { Act, Button } from '../../components/ui.tsx'
import { connection, requests } from '../../live.ts'
import { linkTo, param, place, session, setQuery } from '../../place.ts'
import { hasDropped, isFiltered, shown, useBodySearch, RequestList } from './request-list.tsx'
import { RequestPage } from './request-page.tsx'

export function TrafficView() {
  const [chosen = ''] = place.value.path
  const id = /^\d{1,15}$/.test(chosen) ? Number(chosen) : undefined
  const isEmpty = requests.value.length === 0
  useBodySearch()
  return (
    <div class={`traffic ${id === undefined ? '' : 'is-open'}`}>
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
        {isEmpty && connection.value !== 'live' && <p class="empty loading">Loading requests…</p>}
        {!isEmpty && <Filters />}
        {!isEmpty && <RequestList current={id} />}
      </div>
      {id !== undefined && <RequestPage id={id} />}
    </div>
  )
}

function Actions() {
  const count = requests.value.length
  const all = `${hasDropped.value ? 'the last ' : ''}${formatNumber(count)}`
  return (
    <span class="row">
      <span class="hint">{isFiltered.value ? `${formatNumber(shown.value.length)} of ${all}` : all}</span>
      <Save
        call={prepare('get', routes['requests.har'], { query: {} })}
        name={`requests-${session.value ?? 'default'}.har`}
        label="Export HAR"
      />
      <Act call={prepare('delete', routes.requests)} done="Cleared the requests.">
        Clear
      </Act>
    </span>
  )
}

/** Renders the filters of the list, with the number of requests of each status class; the URL keeps them. */
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
      {isFiltered.value && <Button run={() => setQuery({ text: '', status: '' })}>Clear filters</Button>}
    </search>
  )
}
