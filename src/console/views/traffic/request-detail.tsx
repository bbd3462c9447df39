import { computed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { prepare, routes } from '../../client.ts'
import { useCast } from '../../components/cast.ts'
import { Instant, formatDuration } from '../../components/format.tsx'
import { Problem } from '../../components/problem.tsx'
import { StatusTag } from '../../components/status.tsx'
import { useRead } from '../../components/use-calls.ts'
import { connection, requests } from '../../live.ts'
import { show } from '../../place.ts'
import { AskWhy } from './ask-why.tsx'
import { linkToRequest } from './filter.ts'
import type { Listing } from './listing.ts'
import { Message } from './message.tsx'
import { Basis, FaultSection, Warnings } from './reasons.tsx'
import { Target } from './request-row.tsx'
import { SendAgain } from './send-again.tsx'
import { useFullBodies } from './use-full-bodies.ts'

interface DetailProps {
  readonly id: number
  readonly listing: Listing
}

/** Renders a request with its response and the reasons for it. */
export function RequestDetail({ id, listing }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wanted = useMemo(() => computed(() => requests.value.find((one) => one.id === id)), [id])
  const request = wanted.value
  // On narrow screens this replaces the list, and with it the focused element.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <section class="requests-detail" aria-label={`Request ${id}`}>
      <Neighbours id={id} listing={listing} />
      <h2 ref={heading} tabIndex={-1} class="mono">
        {request ? (
          <>
            {request.method} <Target request={request} />
          </>
        ) : (
          `Request ${id}`
        )}
      </h2>
      {request && <RequestSections key={id} request={request} />}
      {!request && connection.value === 'live' && (
        <p class="empty">
          Request {id} is not in this session’s journal, which keeps the last 1,000 requests.
        </p>
      )}
    </section>
  )
}

/** Renders links to the previous and next request in the list. */
function Neighbours({ id, listing }: DetailProps) {
  const entries = listing.shown.value
  const place = entries.findIndex((request) => request.id === id)
  const [newer, older] = place === -1 ? [] : [entries[place - 1], entries[place + 1]]
  return (
    <div class="row request-nav">
      <button type="button" class="small" disabled={!newer} onClick={() => turn(newer)}>
        Newer
      </button>
      <button type="button" class="small" disabled={!older} onClick={() => turn(older)}>
        Older
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

function RequestSections({ request }: { readonly request: RequestSummary }) {
  const { id, status, startedMs, method, fault, caller, query } = request
  const isOpen = request.durationMs === undefined
  const { value: found, error } = useRead(
    prepare('get', routes.requests[':id'], { param: { id: `${id}` } }),
    `${startedMs} ${status} ${isOpen}`,
  )
  const value = useFullBodies(found)
  const { organizations, member } = useCast()
  const token = organizations.flatMap(({ members }) => members).find((one) => one.id === caller?.id)?.token
  const explains = token ?? member?.token
  return (
    <>
      <Facts request={request} />
      <Warnings request={request} />
      {fault !== undefined && <FaultSection id={fault} />}
      <Problem error={error} />
      {value && (
        <Message title="Request" message={value.request} query={query.map((one) => [one.name, one.value])} />
      )}
      {isOpen && <p class="hint">No response yet. It appears here when it arrives.</p>}
      {value?.response && <Message title="Response" message={value.response} />}
      {value && !value.response && !isOpen && (
        <p class="hint">No response: the request ended with {status}.</p>
      )}
      {value?.basis && <Basis basis={value.basis} />}
      {method === 'GET' && request.operationId !== undefined && explains !== undefined && (
        <AskWhy request={request} token={explains} isCallers={token !== undefined} />
      )}
      {value && <SendAgain request={value} token={token} />}
    </>
  )
}

/** Renders the main facts of a request. */
function Facts({ request }: { readonly request: RequestSummary }) {
  const { status, durationMs, time, operationId, caller, session } = request
  return (
    <dl class="request-facts">
      <Fact name="Status">
        <StatusTag status={status} />
      </Fact>
      <Fact name="Duration">{durationMs === undefined ? 'in progress' : formatDuration(durationMs)}</Fact>
      <Fact name="Operation">{operationId ?? 'none'}</Fact>
      <Fact name="Caller">{caller ? `${caller.name} (${caller.id}, ${caller.organizationId})` : 'none'}</Fact>
      <Fact name="Session time">
        <Instant at={time} />
      </Fact>
      <Fact name="Session">{session}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
