import { useMemo } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { formatDuration } from '../../components/format.tsx'
import { StatusTag } from '../../components/status.tsx'
import { getTarget } from './filter.ts'

interface RowProps {
  readonly request: RequestSummary
  /** The link to its details. */
  readonly address: string
  readonly isShown: boolean
  /** Whether Tab stops here. */
  readonly isStop: boolean
  /** Its position in the list, if it is rendered apart from the others. */
  readonly away: number | undefined
}

/** Renders a request in the list, again only if it has changed. */
export function RequestRow({ request, address, isShown, isStop, away }: RowProps) {
  return useMemo(
    () => (
      <tr
        class={away === undefined ? 'request' : 'request is-away'}
        style={away === undefined ? undefined : { '--place': away }}
        aria-selected={isShown}
        data-id={request.id}
      >
        <td class="request-id">{request.id}</td>
        <td class="request-method">{request.method}</td>
        <td class="request-target">
          <a href={address} tabIndex={isStop ? 0 : -1} title={getTarget(request)}>
            <Target request={request} isBrief />
          </a>
        </td>
        <td class="request-operation">{request.operationId ?? 'none'}</td>
        <td class="request-caller">{request.caller?.name ?? 'none'}</td>
        <td class="request-status">
          <StatusTag status={request.status} />
        </td>
        <td class="request-duration">
          {request.durationMs !== undefined && formatDuration(request.durationMs)}
        </td>
        <td class="request-notes">
          <Notes request={request} />
        </td>
      </tr>
    ),
    [request, address, isShown, isStop, away],
  )
}

interface TargetProps {
  readonly request: RequestSummary
  /** Allows the common start of paths to be hidden on narrow screens. */
  readonly isBrief?: boolean
}

/** Renders path and query. */
export function Target({ request, isBrief = false }: TargetProps) {
  const { path } = request
  const query = getTarget(request).slice(path.length)
  const prefix = isBrief ? (/^\/v1\/organizations\/[^/]+(?=\/)/.exec(path)?.[0] ?? '') : ''
  return (
    <>
      {prefix && <span class="request-prefix">{prefix}</span>}
      <span>{path.slice(prefix.length)}</span>
      {query && <span class="request-query">{query}</span>}
    </>
  )
}

function Notes({ request: { warnings, fault } }: Pick<RowProps, 'request'>) {
  const text = warnings.map(({ message }) => message).join('\n')
  return (
    <>
      {fault !== undefined && (
        <span class="tag odd" title={`Fault ${fault}`}>
          {fault}
        </span>
      )}
      {warnings.length > 0 && (
        <span class="tag warn" title={text}>
          {warnings.length} warning{warnings.length > 1 ? 's' : ''}
        </span>
      )}
    </>
  )
}
