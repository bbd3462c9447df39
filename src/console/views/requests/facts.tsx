import type { ComponentChildren } from 'preact'

import type { RequestSummary } from '../../../control/journal/view.ts'
import { Instant } from '../../parts/instant.tsx'
import { StatusTag } from '../../parts/status-tag.tsx'
import { durationText } from '../../parts/time.ts'

/** What is known of a request at a glance. */
export function Facts({ request }: { readonly request: RequestSummary }) {
  const { status, durationMs, time, operationId, caller, session } = request
  return (
    <dl class="request-facts">
      <Fact name="Status">
        <StatusTag status={status} />
      </Fact>
      <Fact name="Duration">{durationMs === undefined ? 'not known yet' : durationText(durationMs)}</Fact>
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
