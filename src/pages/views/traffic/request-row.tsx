import { untracked } from '@preact/signals'

import { Instant, formatBytes, formatDuration, formatInstant, formatMove } from '../../components/format.tsx'
import { StatusTag, classifyStatus, getColour } from '../../components/status.tsx'
import { Button } from '../../components/ui.tsx'
import { getOrganization, getTarget, shortenPath } from '../../curl.ts'
import { decode } from '../../place.ts'
import { Release } from '../../shell/held.tsx'
import { type GroupItem, type Item, type RequestItem, linkToRequest, openGroups } from './listing.ts'

interface RowProps<T extends Item> {
  readonly item: T
  readonly index: number
  readonly isShown: boolean
}

export function Row({ item, index, isShown }: RowProps<Item>) {
  if (item.kind === 'request') return <RequestRow item={item} index={index} isShown={isShown} />
  if (item.kind === 'group') return <GroupRow group={item} index={index} />
  return (
    <tr class="request request-mark" aria-rowindex={index}>
      <td>
        <span class="tag odd">◷ {formatMove(item.movedMs)}</span> Clock moved to{' '}
        <Instant at={item.request.time} />
      </td>
    </tr>
  )
}

/** The start of the problem of an injected fault, whose id is in the tooltip. */
const OWN_FAULT = /^Injected by \S+; /

function RequestRow({ item, index, isShown }: RowProps<RequestItem>) {
  const { request, pauseMs, pattern } = item
  const { id, method, path, status, bytes, durationMs, caller, startedAt, time, problem } = request
  const search = decode(getTarget(request).slice(path.length).replaceAll('+', ' '))
  const organization = caller && getOrganization(path)
  const isPending = status === 'pending'
  return (
    <tr
      class={`request ${pattern ? 'is-in-pattern' : ''} ${isPending ? 'is-pending' : ''}`}
      aria-selected={isShown}
      aria-rowindex={index}
      data-id={id}
      data-pause={pauseMs === undefined ? undefined : ''}
    >
      <td class="request-time mono" title={`Real time ${startedAt}, session time ${time}`}>
        {formatInstant(startedAt, 'time')}
      </td>
      <td class="mono">{method}</td>
      <td class="request-path mono" title={[getTarget(request), problem].filter(Boolean).join('\n')}>
        {organization !== undefined && organization !== caller?.organizationId && (
          <span class="tag odd">{organization}</span>
        )}
        <a href={untracked(() => linkToRequest(id))} tabIndex={-1}>
          {shortenPath(path)}
          <span class="hint">{search}</span>
        </a>
        {problem !== undefined && <span class="request-problem">{problem.replace(OWN_FAULT, '')}</span>}
      </td>
      <td>
        <StatusTag status={status} />
      </td>
      <td class="request-caller">{caller?.name ?? (isPending ? '' : 'none')}</td>
      <td class="request-size number">{bytes === undefined ? '' : formatBytes(bytes)}</td>
      <td class="request-duration number">{durationMs !== undefined && formatDuration(durationMs)}</td>
      <td class="request-waterfall">
        <Waterfall item={item} />
      </td>
      <td class="request-notes">
        <Notes item={item} />
        {isPending && <Release requestId={id} />}
      </td>
    </tr>
  )
}

function Waterfall({ item }: { item: RequestItem }) {
  const { request, startMs, scaleMs, pauseMs } = item
  const { startedMs, durationMs, status } = request
  const from = startedMs - startMs
  // A pending request is open to the right.
  const length = durationMs ?? scaleMs - from
  return (
    <>
      <span
        class="request-bar"
        title={`${formatDuration(from)} after the start of an axis of ${formatDuration(scaleMs)}`}
        style={{
          color: getColour(classifyStatus(status)),
          '--from': `${(from / scaleMs) * 100}%`,
          '--length': `${(length / scaleMs) * 100}%`,
        }}
      />
      {pauseMs !== undefined && <span class="request-pause">{formatDuration(pauseMs)} later</span>}
    </>
  )
}

/** Renders what is special about a request as chips, of which narrow lists show only the signs. */
function Notes({ item: { request, retryOf, pattern = '', patternMs } }: { item: RequestItem }) {
  const { fault, warnings, scenarios = [] } = request
  const notes: (readonly [look: string, sign: string, text: string, title: string])[] = []
  if (patternMs !== undefined) notes.push(['warn', '⧉', pattern, `Within ${formatDuration(patternMs)}`])
  if (fault !== undefined) notes.push(['odd', '⚡', 'fault', 'A fault acted on it'])
  for (const { name, did } of scenarios)
    notes.push(['odd', '≈', `${name}: ${did}`, `Scenario ${name} ${did}`])
  if (retryOf !== undefined) notes.push(['', '↻', `${retryOf}`, `Repeats the failed request ${retryOf}`])
  for (const { code, message } of warnings) notes.push(['warn', '⚠', code.replaceAll('_', ' '), message])
  return notes.map(([look, sign, text, title]) => (
    <span key={title} class={`tag ${look}`} title={title}>
      {sign}
      <span> {text}</span>
    </span>
  ))
}

function GroupRow({ group, index }: { group: GroupItem; index: number }) {
  const { name, requests, patterns, isOpen } = group
  const failed = requests.filter(({ status }) => typeof status !== 'number' || status >= 400).length
  const durations = requests.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)]
  const toggle = (): void => {
    const others = [...openGroups.peek()].filter((one) => one !== name)
    openGroups.value = new Set(isOpen ? others : [...others, name])
  }
  return (
    <tr class="request request-group" aria-rowindex={index}>
      <td>
        <Button tabIndex={-1} aria-expanded={isOpen} run={toggle}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name === 'none' ? 'no operation' : name}
        </Button>{' '}
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
