import { untracked } from '@preact/signals'

import type { RequestSummary } from '../../../journal/view.ts'
import { Instant, formatDuration, formatInstant, formatMove } from '../../components/format.tsx'
import { StatusTag, classifyStatus, getColour } from '../../components/status.tsx'
import { shortenPath } from '../../curl.ts'
import { decode, getTarget, linkToRequest } from './filter.ts'
import { type GroupItem, type Item, type RequestItem, openGroups } from './listing.ts'

/** Renders a request, a move of the clock, or an operation. */
export function Row({ item, isShown }: { readonly item: Item; readonly isShown: boolean }) {
  if (item.kind === 'request') return <RequestRow item={item} isShown={isShown} />
  if (item.kind === 'group') return <GroupRow group={item} />
  return (
    <tr class="request request-mark">
      <td>
        <span class="tag odd">◷ {formatMove(item.movedMs)}</span> Clock moved to{' '}
        <Instant at={item.request.time} />
      </td>
    </tr>
  )
}

function RequestRow({ item, isShown }: { readonly item: RequestItem; readonly isShown: boolean }) {
  const { request, pauseMs, pattern } = item
  const { id, method, path, status, bytes, durationMs, caller, startedAt, time } = request
  const search = decode(getTarget(request).slice(path.length + 1))
  return (
    <tr
      class={pattern ? 'request is-in-pattern' : 'request'}
      aria-selected={isShown}
      data-id={id}
      data-pause={pauseMs === undefined ? undefined : ''}
    >
      <td class="request-time mono" title={`Real time ${startedAt}, session time ${time}`}>
        {formatInstant(startedAt, 'time')}
      </td>
      <td class="mono">{method}</td>
      <td class="mono" title={getTarget(request)}>
        <a href={untracked(() => linkToRequest(id))} tabIndex={-1}>
          {shortenPath(path)}
        </a>
      </td>
      <td class="request-query mono" title={search}>
        {search}
      </td>
      <td>
        <StatusTag status={status} />
      </td>
      <td class="request-caller">{caller?.name ?? 'none'}</td>
      <td class="request-size number">{bytes === undefined ? '' : formatBytes(bytes)}</td>
      <td class="request-duration number">{durationMs !== undefined && formatDuration(durationMs)}</td>
      <td class="request-waterfall">
        <Waterfall item={item} />
      </td>
      <td class="request-notes">
        <Notes item={item} />
      </td>
    </tr>
  )
}

/** Renders the time of a request on the axis of its stretch, and the span of a pattern that begins with it. */
function Waterfall({ item }: { readonly item: RequestItem }) {
  const { request, startMs, scaleMs, pauseMs, patternMs } = item
  const { startedMs, durationMs, status, fault } = request
  const from = startedMs - startMs
  // A pending request is open to the right.
  const length = durationMs ?? scaleMs - from
  const toStyle = (lengthMs: number) => ({
    color: getColour(classifyStatus(status)),
    '--from': `${(from / scaleMs) * 100}%`,
    '--length': `${(lengthMs / scaleMs) * 100}%`,
  })
  return (
    <>
      <span
        class={fault === undefined ? 'request-bar' : 'request-bar is-fault'}
        title={`${formatDuration(from)} after the start of an axis of ${formatDuration(scaleMs)}`}
        style={toStyle(length)}
      />
      {patternMs !== undefined && <span class="request-span" style={toStyle(patternMs)} />}
      {pauseMs !== undefined && <span class="request-pause">{formatDuration(pauseMs)} later</span>}
    </>
  )
}

/** Renders the pattern that begins with a request, its fault, the request that it repeats, and its warnings. */
function Notes({ item: { request, retryOf, pattern, patternMs } }: { readonly item: RequestItem }) {
  const { fault, warnings } = request
  return (
    <>
      {patternMs !== undefined && (
        <span class="tag warn" title={`${pattern}, within ${formatDuration(patternMs)}`}>
          {pattern}
        </span>
      )}
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

/** Renders an operation with the number of its requests and their typical duration. */
function GroupRow({ group: { name, requests, patterns, isOpen } }: { readonly group: GroupItem }) {
  const failed = requests.filter(({ status }) => typeof status !== 'number' || status >= 400).length
  const median = findMedian(requests)
  const toggle = (): void => {
    const others = [...openGroups.peek()].filter((one) => one !== name)
    openGroups.value = new Set(isOpen ? others : [...others, name])
  }
  return (
    <tr class="request request-group">
      <td>
        <button type="button" class="small" tabIndex={-1} aria-expanded={isOpen} onClick={toggle}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name === 'none' ? 'no operation' : name}
        </button>{' '}
        <b>{requests.length}</b> {failed > 0 && <span class="tag bad">{failed} failed</span>}{' '}
        {patterns.map((label) => (
          <span key={label} class="tag warn">
            {label}
          </span>
        ))}{' '}
        <span class="hint">
          {median !== undefined && `median ${formatDuration(median)}, `}
          {formatBytes(requests.reduce((total, { bytes = 0 }) => total + bytes, 0))} in all
        </span>
      </td>
    </tr>
  )
}

function findMedian(requests: readonly RequestSummary[]): number | undefined {
  const durations = requests.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b)
  return durations[Math.floor(durations.length / 2)]
}

/** Formats a size, as in `820 B`, `12.4 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
