import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { prepareFault, prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { Instant, formatDuration } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { StatusTag } from '../../components/status.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useChange, useRead } from '../../components/use-calls.ts'
import { connection, requests } from '../../live.ts'
import { place, setQuery, show } from '../../place.ts'
import { useFullBodies } from './entry.ts'
import { getTarget, linkToRequest } from './filter.ts'
import { shown } from './listing.ts'
import { Message } from './message.tsx'
import { formatBytes } from './request-row.tsx'
import { SendAgain } from './send-again.tsx'
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
      <Neighbours id={id} />
      <h2 ref={heading} tabIndex={-1} class="mono">
        {request ? `${request.method} ${getTarget(request)}` : `Request ${id}`}
      </h2>
      {request && <Parts key={id} request={request} />}
      {!request && connection.value === 'live' && (
        <p class="empty">
          Request {id} is not in this session’s journal, which keeps the last 1,000 requests.
        </p>
      )}
    </section>
  )
}

/** Renders links to the previous and next request in the list. */
function Neighbours({ id }: { readonly id: number }) {
  const entries = shown.value
  const at = entries.findIndex((request) => request.id === id)
  const [earlier, later] = at === -1 ? [] : [entries[at - 1], entries[at + 1]]
  return (
    <div class="row traffic-nav">
      <button type="button" class="small" disabled={!earlier} onClick={() => turn(earlier)}>
        ↑ Earlier
      </button>
      <button type="button" class="small" disabled={!later} onClick={() => turn(later)}>
        ↓ Later
      </button>
      <p class="hint">Request {id}</p>
      <button type="button" class="small" onClick={() => show(linkToRequest())}>
        Close
      </button>
    </div>
  )
}

function turn(to: RequestSummary | undefined): void {
  if (to) show(linkToRequest(to.id), 'replace')
}

/** Renders the facts of a request, and its parts in tabs. */
function Parts({ request }: { readonly request: RequestSummary }) {
  const { id, status, startedMs, caller, query, warnings, fault } = request
  const isOpen = request.durationMs === undefined
  const again = `${startedMs} ${status} ${isOpen} ${warnings.length}`
  const { value: found, error } = useRead(
    prepare('get', routes.requests[':id'], { param: { id: `${id}` } }),
    again,
  )
  const entry = useFullBodies(found)
  const { members, member } = useCast()
  const tokens = new Map<number | undefined, string>(members.map((one) => [one.id, one.token]))
  const token = tokens.get(caller?.id)
  const reasons = warnings.length + (fault === undefined ? 0 : 1)
  const tabs = [
    { name: 'response', label: 'Response' },
    { name: 'request', label: 'Request' },
    { name: 'why', label: reasons > 0 ? `Why (${reasons})` : 'Why' },
    { name: 'replay', label: 'Replay' },
  ] as const
  const chosen = tabs.find(({ name }) => name === place.value.query.get('tab'))?.name ?? 'response'
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
        {chosen === 'response' && isOpen && (
          <p class="hint">No response yet. It appears here when it arrives.</p>
        )}
        {chosen === 'response' && entry?.response && <Message name="response" message={entry.response} />}
        {chosen === 'response' && entry && !entry.response && !isOpen && (
          <p class="hint">No response: the request ended with {status}.</p>
        )}
        {chosen === 'request' && entry && (
          <Message name="request" message={entry.request} query={query.map((one) => [one.name, one.value])} />
        )}
        {chosen === 'why' && (
          <Why
            request={request}
            basis={entry?.basis}
            token={token ?? member?.token}
            isCallers={token !== undefined}
          />
        )}
        {chosen === 'replay' && entry && <SendAgain entry={entry} tokens={tokens} />}
      </Tabs>
    </>
  )
}

/** Renders the main facts of a request, and a button that makes the next one like it fail. */
function Facts({ request }: { readonly request: RequestSummary }) {
  const { status, durationMs, bytes, time, startedAt, operationId, caller } = request
  const facts = {
    Status: <StatusTag status={status} />,
    Duration: durationMs === undefined ? 'in progress' : formatDuration(durationMs),
    Size: bytes === undefined ? 'none' : formatBytes(bytes),
    Operation: operationId ?? 'none',
    Caller: caller ? `${caller.name} (${caller.id}, ${caller.organizationId})` : 'none',
    'Real time': <Instant at={startedAt} part="time" />,
    'Session time': <Instant at={time} />,
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
      {operationId !== undefined && <FailNextOne operationId={operationId} />}
    </>
  )
}

function FailNextOne({ operationId }: { readonly operationId: string }) {
  const { make, isBusy, error } = useChange()
  const fail = (): void => {
    const call = prepareFault({ operationId, status: 503, times: 1 })
    void make(call, `The next ${operationId} fails with 503.`)
  }
  return (
    <p class="row">
      <button type="button" class="small" disabled={isBusy} onClick={fail}>
        <span aria-hidden="true">⚡</span> Fail the next {operationId}
      </button>
      <Problem error={error} />
    </p>
  )
}
