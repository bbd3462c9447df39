import { computed } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { ExaminedRequest, RequestSummary } from '../../../control/journal/view.ts'
import { isLive, requests } from '../../live.ts'
import { useCast } from '../../parts/cast.ts'
import { Problem } from '../../parts/problem.tsx'
import { useAnswer } from '../../parts/use-answer.ts'
import { show } from '../../place.ts'
import { addressOfRequest } from './address.ts'
import { AskWhy } from './ask-why.tsx'
import { Facts } from './facts.tsx'
import type { Listing } from './listing.ts'
import { Message } from './message.tsx'
import { Basis, FaultOf, Warnings } from './reasons.tsx'
import { Target } from './request-row.tsx'
import { SendAgain } from './send-again.tsx'
import { useWhole } from './use-whole.ts'

interface DetailProps {
  readonly id: number
  readonly listing: Listing
}

/** One request: what was asked, what was answered, and why. */
export function RequestDetail({ id, listing }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wanted = useMemo(() => computed(() => requests.value.find((one) => one.id === id)), [id])
  const request = wanted.value
  // Where it stands in place of the list, nothing else could have the focus.
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
      {request && <Known key={id} request={request} />}
      {!request && isLive.value && (
        <p class="empty">
          The journal of this session has no request {id}, or no more: it keeps the last 1,000.
        </p>
      )}
    </section>
  )
}

/** Leads to the requests before and after in the list. */
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
      <button type="button" class="small" onClick={() => show(addressOfRequest())}>
        Close
      </button>
    </div>
  )
}

function turn(to: RequestSummary | undefined): void {
  if (to) show(addressOfRequest(to.id), 'replace')
}

function Known({ request }: { readonly request: RequestSummary }) {
  const { id, status, startedMs, method, fault, caller, query } = request
  const isOpen = request.durationMs === undefined
  const { value: found, error } = useAnswer<ExaminedRequest>(
    { path: `/_sandbox/requests/${id}` },
    `${startedMs} ${status} ${isOpen}`,
  )
  const value = useWhole(found)
  const { organizations, member } = useCast()
  const token = organizations.flatMap(({ members }) => members).find((one) => one.id === caller?.id)?.token
  const explains = token ?? member?.token
  return (
    <>
      <Facts request={request} />
      <Warnings request={request} />
      {fault !== undefined && <FaultOf id={fault} />}
      <Problem error={error} />
      {value && (
        <Message title="Request" message={value.request} query={query.map((one) => [one.name, one.value])} />
      )}
      {isOpen && <p class="hint">There is no answer yet. It is shown as soon as there is one.</p>}
      {value?.response && <Message title="Answer" message={value.response} />}
      {value && !value.response && !isOpen && (
        <p class="hint">There was no answer: the request ended with {status}.</p>
      )}
      {value?.basis && <Basis basis={value.basis} />}
      {method === 'GET' && request.operationId !== undefined && explains !== undefined && (
        <AskWhy request={request} token={explains} isCallers={token !== undefined} />
      )}
      {value && <SendAgain request={value} token={token} />}
    </>
  )
}
