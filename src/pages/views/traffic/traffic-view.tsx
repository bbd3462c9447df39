import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Search } from '../../components/form.tsx'
import { formatNumber } from '../../components/format.tsx'
import { classifyStatus, statusClasses } from '../../components/format.tsx'
import { Code, Save } from '../../components/service.tsx'
import { TryIt, toRequest } from '../../components/service.tsx'
import { Act, Button, Card, Problem } from '../../components/ui.tsx'
import { baseUrl, formatCurl } from '../../curl.ts'
import { connection, requests } from '../../live.ts'
import { param, place, session, setQuery } from '../../place.ts'
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
        {isEmpty && connection.value === 'live' && <FirstRequest />}
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

const FIRST = '/members/me'

function FirstRequest() {
  const { member, error } = useCast()
  return (
    <Card title="No requests yet">
      <p>Send one, and it appears here. No need to reload.</p>
      <Problem error={error} />
      {member && <Code text={formatCurl(toRequest(FIRST, member.token))} subject="the request as curl" />}
      {member && <TryIt label="Send it from here" path={FIRST} token={member.token} />}
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
