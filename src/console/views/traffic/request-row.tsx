import type { VNode } from 'preact'

import type { RequestSummary } from '../../../journal/view.ts'
import { formatDuration, formatInstant } from '../../components/format.tsx'
import { StatusTag, classifyStatus } from '../../components/status.tsx'
import { decode, getTarget, linkToRequest } from './filter.ts'
import type { Context, Pattern } from './timeline.ts'

interface RowProps {
  readonly request: RequestSummary
  readonly context: Context
  /** Whether its details are shown. */
  readonly isShown: boolean
  /** Whether Tab stops here. */
  readonly isStop: boolean
  /** The query that its link keeps. */
  readonly query: string
}

const rendered = new WeakMap<RequestSummary, { readonly inputs: readonly unknown[]; readonly row: VNode }>()

/** Renders a request in the list. Returns the same row as before, which is skipped, if nothing about it has changed. */
export function renderRow(props: RowProps): VNode {
  const { request, context, isShown, isStop, query } = props
  const { pattern, ...facts } = context
  const inputs = [...Object.values(facts), pattern === undefined, isShown, isStop, query]
  const known = rendered.get(request)
  if (known?.inputs.every((value, at) => value === inputs[at])) return known.row
  const row = <RequestRow key={request.id} {...props} />
  rendered.set(request, { inputs, row })
  return row
}

function RequestRow({ request, context, isShown, isStop }: RowProps) {
  const { startMs, scaleMs, pauseMs, retryOf, pattern } = context
  const { id, method, status, bytes, durationMs, caller, startedAt, time } = request
  const { path, query: search } = shortenTarget(request)
  return (
    <tr
      class={pattern === undefined ? 'request' : 'request is-in-pattern'}
      aria-selected={isShown}
      data-id={id}
      data-pause={pauseMs === undefined ? undefined : ''}
    >
      <td class="request-time" title={`Real time ${startedAt}, session time ${time}`}>
        {formatInstant(startedAt, 'time')}
      </td>
      <td class="request-method">{method}</td>
      <td class="request-path" title={getTarget(request)}>
        <a href={linkToRequest(id)} tabIndex={isStop ? 0 : -1} data-stop>
          {path}
        </a>
      </td>
      <td class="request-query" title={search}>
        {search}
      </td>
      <td class="request-status">
        <StatusTag status={status} />
      </td>
      <td class="request-caller">{caller?.name ?? 'none'}</td>
      <td class="request-size">{bytes === undefined ? '' : formatBytes(bytes)}</td>
      <td class="request-duration">{durationMs !== undefined && formatDuration(durationMs)}</td>
      <td class="request-waterfall">
        <Bar {...request} axisMs={startMs} scaleMs={scaleMs} />
        {pauseMs !== undefined && <span class="request-pause">{formatDuration(pauseMs)} later</span>}
      </td>
      <td class="request-notes">
        <Notes request={request} retryOf={retryOf} />
      </td>
    </tr>
  )
}

interface BarProps extends Pick<RequestSummary, 'startedMs' | 'durationMs' | 'status' | 'fault'> {
  readonly axisMs: number
  readonly scaleMs: number
}

/** Renders the time of a request on the axis of its stretch; a pending one is open to the right. */
function Bar({ startedMs, durationMs, status, fault, axisMs, scaleMs }: BarProps) {
  const from = startedMs - axisMs
  const length = durationMs ?? scaleMs - from
  const place = `${formatDuration(from)} after the start of an axis of ${formatDuration(scaleMs)}`
  return (
    <span
      class={`request-bar is-${classifyStatus(status)}${fault === undefined ? '' : ' is-fault'}`}
      title={place}
      style={{ '--from': `${(from / scaleMs) * 100}%`, '--length': `${(length / scaleMs) * 100}%` }}
    />
  )
}

/** Renders the fault of a request, what it repeats, and its warnings. */
function Notes({ request: { warnings, fault }, retryOf }: Pick<RowProps, 'request'> & Partial<Context>) {
  return (
    <>
      {fault !== undefined && (
        <span class="tag odd" title={`Fault ${fault} acted on it`}>
          ⚡ <span>{fault}</span>
        </span>
      )}
      {retryOf !== undefined && (
        <span class="tag" title={`Repeats the failed request ${retryOf}`}>
          ↻ {retryOf}
        </span>
      )}
      {warnings.length > 0 && (
        <span class="tag warn" title={warnings.map(({ message }) => message).join('\n')}>
          ⚠ {warnings.length}
        </span>
      )}
    </>
  )
}

/** Renders a pattern over several requests, above the first of them, with its span in the waterfall. */
export function PatternRow({ pattern, context }: { readonly pattern: Pattern; readonly context: Context }) {
  const { label, message, startMs, endMs } = pattern
  const { startMs: axisMs, scaleMs } = context
  const from = Math.min(100, ((startMs - axisMs) / scaleMs) * 100)
  const length = ((endMs - startMs) / scaleMs) * 100
  return (
    <tr class="request request-mark">
      <td class="request-mark-text" title={message}>
        <span class="tag warn">{label}</span> in {formatDuration(endMs - startMs)}
      </td>
      <td class="request-waterfall" aria-label={label}>
        <span class="request-span" style={{ '--from': `${from}%`, '--length': `${length}%` }} />
      </td>
    </tr>
  )
}

/** Splits the target of a request: the path without version and organization, and the query, decoded. */
function shortenTarget(request: RequestSummary): { readonly path: string; readonly query: string } {
  const { path } = request
  const prefix = /^\/v1\/organizations\/[^/]+(?=\/)/.exec(path)?.[0] ?? (path.startsWith('/v1/') ? '/v1' : '')
  return { path: path.slice(prefix.length), query: decode(getTarget(request).slice(path.length + 1)) }
}

/** Formats a size, as in `820 B`, `12.4 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
