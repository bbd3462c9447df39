import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { RecordedMessage, RequestSummary } from '../../../journal/view.ts'
import { prepare, prepareFault, routes } from '../../client.ts'
import { useCast } from '../../components/cast.tsx'
import { Instant, formatDuration } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { StatusTag } from '../../components/status.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { connection, requests } from '../../live.ts'
import { place, setQuery, show } from '../../place.ts'
import { getTarget, linkToRequest } from './filter.ts'
import { shown } from './listing.ts'
import { Message, Pairs } from './message.tsx'
import { Replay } from './replay.tsx'
import { formatBytes } from './request-row.tsx'
import { Why } from './why.tsx'

/** Renders a request with its response and the reasons for it. */
export function RequestDetail({ id }: { readonly id: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wanted = useMemo(() => computed(() => requests.value.find((one) => one.id === id)), [id])
  const request = wanted.value
  // On narrow screens this replaces the list, and with it the focused element.
  useEffect(() => {
    const isAlone = document.querySelector('.traffic-list')?.checkVisibility() === false
    if (isAlone && document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <section class="traffic-detail" aria-label={`Request ${id}`}>
      <div class="row view-head">
        <Neighbour id={id} step={-1} label="↑ Earlier" />
        <Neighbour id={id} step={1} label="↓ Later" />
        <span class="hint">Request {id}</span>
        <button type="button" class="small" onClick={() => show(linkToRequest())}>
          Close
        </button>
      </div>
      <h2 ref={heading} tabIndex={-1} class="mono">
        {request ? `${request.method} ${getTarget(request)}` : `Request ${id}`}
      </h2>
      {request && <Parts key={id} request={request} />}
      {!request && (
        <p class="empty">
          {connection.value === 'live'
            ? `Request ${id} is not in this session’s journal, which keeps the last 1,000 requests.`
            : 'Loading the request…'}
        </p>
      )}
    </section>
  )
}

interface NeighbourProps {
  readonly id: number
  readonly step: number
  readonly label: string
}

/** Renders a button that shows the request before or after another in the list. */
function Neighbour({ id, step, label }: NeighbourProps) {
  const at = shown.value.findIndex((request) => request.id === id)
  const next = at === -1 ? undefined : shown.value[at + step]
  const turn = (): void => show(linkToRequest(next?.id), 'replace')
  return (
    <button type="button" class="small" disabled={!next} onClick={turn}>
      {label}
    </button>
  )
}

/** Reads a request with its full bodies, as far as the journal has them. */
function useEntry({ id, status, durationMs, startedMs, warnings }: RequestSummary) {
  const again = `${startedMs} ${status} ${durationMs} ${warnings.length}`
  const call = prepare('get', routes.requests[':id'], { param: { id: `${id}` } })
  const { value, error } = useRead(call, again)
  const isCut = value?.request.truncated ?? value?.response?.truncated
  const query = { since: `${id - 1}`, limit: '1' }
  const har = useRead(isCut ? prepare('get', routes['requests.har'], { query }) : undefined, again).value
  const full = har?.log.entries[0]
  // After a reset, the journal may have another request with the same id.
  if (!value || value.startedMs !== startedMs) return { error }
  const { request, response } = value
  const entry = full
    ? {
        ...value,
        request: complete(request, full.request.postData?.text),
        response: response && complete(response, full.response.content.text),
      }
    : value
  return { entry, error }
}

function complete(message: RecordedMessage, text: string | undefined): RecordedMessage {
  const { body, truncated, ...rest } = message
  return truncated && body !== undefined && text?.startsWith(body) ? { ...rest, body: text } : message
}

/** Renders the facts of a request, and its parts in tabs. */
function Parts({ request }: { readonly request: RequestSummary }) {
  const { status, durationMs, query, warnings, fault } = request
  const { entry, error } = useEntry(request)
  const { members, member } = useCast()
  const token = members.find(({ id }) => id === request.caller?.id)?.token
  const reasons = warnings.length + (fault === undefined ? 0 : 1)
  const tabs = [
    { name: 'response', label: 'Response' },
    { name: 'request', label: 'Request' },
    { name: 'why', label: reasons > 0 ? `Why (${reasons})` : 'Why' },
    { name: 'replay', label: 'Replay' },
  ] as const
  const chosen = tabs.find(({ name }) => name === place.value.query.get('tab'))?.name ?? 'response'
  const missing =
    durationMs === undefined
      ? 'No response yet. It appears here when it arrives.'
      : `No response: the request ended with ${status}.`
  return (
    <>
      <Facts request={request} />
      <Problem error={error} />
      <Tabs
        label="Parts of the request"
        tabs={tabs}
        chosen={chosen}
        onChoose={(tab) => setQuery({ tab: tab === 'response' ? '' : tab })}
      >
        {entry &&
          chosen === 'response' &&
          (entry.response ? (
            <Message name="response" message={entry.response} />
          ) : (
            <p class="hint">{missing}</p>
          ))}
        {entry && chosen === 'request' && (
          <>
            {query.length > 0 && <h3>Query</h3>}
            <Pairs pairs={query.map(({ name, value }) => [name, value])} />
            <Message name="request" message={entry.request} />
          </>
        )}
        {chosen === 'why' && (
          <Why
            request={request}
            basis={entry?.basis}
            token={token ?? member?.token}
            isCallers={token !== undefined}
          />
        )}
        {entry && chosen === 'replay' && <Replay entry={entry} members={members} />}
      </Tabs>
    </>
  )
}

/** Renders the main facts of a request, and a button that makes the next one like it fail. */
function Facts({ request }: { readonly request: RequestSummary }) {
  const { status, durationMs, bytes, time, startedAt, operationId, caller } = request
  const { make, isBusy, error } = useChange()
  const facts = {
    Status: <StatusTag status={status} />,
    Duration: durationMs === undefined ? 'in progress' : formatDuration(durationMs),
    Size: bytes === undefined ? 'none' : formatBytes(bytes),
    Operation: operationId ?? 'none',
    Caller: caller ? `${caller.name} (${caller.id}, ${caller.organizationId})` : 'none',
    'Real time': <Instant at={startedAt} part="time" />,
    'Session time': <Instant at={time} />,
  }
  const fail = (): void => {
    const call = prepareFault({ operationId, status: 503, times: 1 })
    void make(call, `The next ${operationId} fails with 503.`)
  }
  return (
    <>
      <dl class="traffic-facts">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {operationId !== undefined && (
        <p class="row">
          <button type="button" class="small" disabled={isBusy} onClick={fail}>
            <span aria-hidden="true">⚡</span> Fail the next {operationId}
          </button>
          <Problem error={error} />
        </p>
      )}
    </>
  )
}
