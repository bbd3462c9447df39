import { untracked, computed, signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { RequestSummary } from '../../../testing/journal/view.ts'
import { useRead } from '../../calls.ts'
import { prepare, routes, getTarget, shortenPath } from '../../client.ts'
import {
  formatBytes,
  formatDuration,
  formatInstant,
  StatusTag,
  classifyStatus,
} from '../../components/format.tsx'
import { findNext } from '../../components/table.tsx'
import { Button } from '../../components/ui.tsx'
import { journalRevision, requests } from '../../live.ts'
import { decode, place, show, linkTo, param } from '../../place.ts'

/** Measures the height that the style gives each row, the header among them. Units: pixels. */
const measureRow = (list: HTMLTableElement | null): number => list?.rows[0]?.offsetHeight ?? 26

const MARGIN = 12

const columns = {
  'Time (UTC)': 'is-minor',
  Method: undefined,
  Path: 'request-path',
  Status: undefined,
  Caller: 'is-minor',
  Size: 'is-minor is-number',
  Duration: 'is-number',
  Notes: undefined,
} as const

/** Renders the rows in sight, the latest request first; all rows are equally high. */
export function RequestList({ current }: { current: number | undefined }) {
  const list = useRef<HTMLTableElement>(null)
  /** The request that gets the focus as soon as its row is rendered. */
  const wanted = useRef<number | undefined>(undefined)
  const { row, range, hold, look, goToTop } = useWindow(list, current, wanted)
  const rows = shown.value
  const unseen = matching.value.length - rows.length
  const focusWanted = (): void => {
    const link = list.current?.querySelector<HTMLElement>(`[data-id="${wanted.current}"] a`)
    if (link) wanted.current = undefined
    link?.focus()
  }
  useLayoutEffect(focusWanted)
  const move = (event: KeyboardEvent): void => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset['id']
    const at = rows.findIndex(({ id }) => `${id}` === focused)
    const next = findNext(event, at, rows.length)
    const id = next === undefined ? undefined : rows[next]?.id
    if (next === undefined || id === undefined) return
    wanted.current = id
    focusWanted()
    if (wanted.current !== undefined) list.current?.scrollTo({ top: next * row })
    if (current !== undefined) show(linkToRequest(id), 'replace')
  }
  return (
    <div class="traffic-list">
      <table
        ref={list}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys move through its rows
        role="grid"
        aria-label="Requests, the latest first"
        aria-rowcount={rows.length + 1}
        tabIndex={0}
        onScroll={look}
        onPointerEnter={hold}
        onPointerLeave={hold}
        onFocusIn={hold}
        onFocusOut={({ relatedTarget: to }) => (to instanceof Node && list.current?.contains(to)) || hold()}
        onKeyDown={move}
      >
        <thead>
          <tr class="request" aria-rowindex={1}>
            {Object.entries(columns).map(([label, name]) => (
              <th key={label} scope="col" class={name}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ '--rows': rows.length, '--above': range[0] }}>
          {rows.slice(...range).map((request, at) => (
            <Row
              key={request.id}
              request={request}
              index={range[0] + at + 2}
              isCurrent={request.id === current}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="empty">No requests match. New ones appear here as they arrive.</p>}
      {unseen > 0 && (
        <Button class="primary" run={goToTop}>
          {unseen} new ↑
        </Button>
      )}
    </div>
  )
}

/**
 * Keeps track of the rows in sight, and holds the rows in place while somebody looks at them: under the pointer, with the
 * focus, scrolled, or beside an open request.
 */
function useWindow(
  list: { readonly current: HTMLTableElement | null },
  current: number | undefined,
  wanted: { current: number | undefined },
) {
  // The first rows are rendered before anything is measured, and those in sight only after they were painted.
  const [{ top, height, row }, setSight] = useState({ top: 0, height: 0, row: measureRow(null) })
  const query = place.value.query.toString()
  const hold = (at = top): void => {
    const isHeld = current !== undefined || at > 0 || list.current?.matches(':hover, :focus-within')
    heldAt.value = isHeld ? (heldAt.peek() ?? requests.peek().at(-1)?.id) : undefined
  }
  const look = (): void => {
    if (!list.current) return
    const { scrollTop, clientHeight } = list.current
    setSight({ top: scrollTop, height: clientHeight, row: measureRow(list.current) })
    hold(scrollTop)
  }
  const goToTop = (): void => {
    heldAt.value = undefined
    list.current?.scrollTo({ top: 0 })
    look()
  }
  useLayoutEffect(() => {
    if (top > 0) list.current?.scrollTo({ top: 0 })
  }, [query])
  // Shows the row of the opened request; after its details are closed, focuses it.
  const opened = useRef(current)
  const isListed = shown.value.length > 0
  useLayoutEffect(() => {
    const at = shown.peek().findIndex(({ id }) => id === (current ?? opened.current))
    if (at >= 0 && list.current) {
      const { scrollTop, clientHeight } = list.current
      const high = measureRow(list.current)
      const isInSight = at * high >= scrollTop && at * high < scrollTop + clientHeight - 2 * high
      if (!isInSight) list.current.scrollTo({ top: at * high - clientHeight / 2 })
    }
    if (current === undefined && document.activeElement === document.body) wanted.current = opened.current
    opened.current = current
    hold()
  }, [current, isListed])
  useEffect(() => {
    const observer = new ResizeObserver(() => setTimeout(look))
    if (list.current) observer.observe(list.current)
    return () => {
      observer.disconnect()
      heldAt.value = undefined
    }
  }, [])
  const first = Math.floor(top / row) - MARGIN
  const from = Math.max(0, Math.min(first, shown.value.length - 1))
  const to = Math.floor((top + height) / row) + MARGIN
  return { row, range: [from, to] as const, hold: () => hold(), look, goToTop }
}

/** Places a duration between 0.1 ms and 10 s on a logarithmic scale. Units: per cent. */
const toShare = (ms = 0): number => Math.max(0, Math.min(100, (Math.log10(ms) + 1) * 20))

/** The start of the problem of an injected fault, whose id is in the tooltip. */
const OWN_FAULT = /^Injected by \S+; /

function Row({ request, index, isCurrent }: { request: RequestSummary; index: number; isCurrent: boolean }) {
  const { id, method, path, status, bytes, durationMs, caller, startedAt, time, problem } = request
  const search = decode(getTarget(request).slice(path.length).replaceAll('+', ' '))
  return (
    <tr class="request" aria-selected={isCurrent} aria-rowindex={index} data-id={id}>
      <td class="is-minor mono" title={`Real time ${startedAt}, session time ${time}`}>
        {formatInstant(startedAt, 'time')}
      </td>
      <td class="mono">{method}</td>
      <td class="request-path mono" title={[getTarget(request), problem].filter(Boolean).join('\n')}>
        <a class="opens-row" href={untracked(() => linkToRequest(id))} tabIndex={-1}>
          {shortenPath(request)}
          <span class="hint">{search}</span>
        </a>
        {problem !== undefined && <span class="bad"> {problem.replace(OWN_FAULT, '')}</span>}
      </td>
      <td>
        <StatusTag status={status} />
      </td>
      <td class="is-minor">{caller?.name}</td>
      <td class="is-minor is-number">{bytes !== undefined && formatBytes(bytes)}</td>
      <td class="is-number" style={{ '--share': `${toShare(durationMs)}%` }}>
        {durationMs !== undefined && formatDuration(durationMs)}
      </td>
      <td>
        {listNotes(request).map(({ kind, look, name, text }) => (
          <span key={name + text} class={look} title={`${name}: ${text}`}>
            {signs[kind]} {name.replaceAll('_', ' ')}{' '}
          </span>
        ))}
      </td>
    </tr>
  )
}

const signs = { fault: '⚡', scenario: '≈', warning: '⚠' } as const

/** Lists the fault and the scenarios that acted on a request, and its warnings with the requests that they are about. */
export function listNotes(request: Pick<RequestSummary, 'fault' | 'scenarios' | 'warnings'>) {
  const { fault, scenarios = [], warnings } = request
  const how =
    fault === 'prefer' ? 'The request set it itself with its header Prefer.' : `${fault} acted on it.`
  return [
    ...(fault === undefined ? [] : [createNote('fault', 'fault', how)]),
    ...scenarios.map(({ name, did }) => createNote('scenario', name, did)),
    ...warnings.map(({ code, message, requestIds }) => createNote('warning', code, message, requestIds)),
  ]
}

const createNote = (kind: keyof typeof signs, name: string, text: string, ids: readonly number[] = []) => {
  return { kind, look: kind === 'warning' ? 'warn' : 'odd', name, text, ids }
}

/** The latest request when the rows were last held in place; undefined while new ones may move them. */
const heldAt = signal<number | undefined>()

export const isFiltered = computed(() => param('text') + param('status') + param('from') !== '')

const found = signal<ReadonlySet<number>>(new Set())

export function useBodySearch(): void {
  const text = param('text').trim()
  const call = prepare('get', routes.requests, { query: { text, bodies: 'false' } })
  const { value } = useRead(text === '' ? undefined : call, journalRevision.value)
  useEffect(() => {
    found.value = new Set(value?.items.map(({ id }) => id))
  }, [value])
}

const matching = computed((): readonly RequestSummary[] => {
  const [status, text] = [param('status'), param('text').trim().toLowerCase()]
  const [from, to] = [Number(param('from')), Number(param('to') || Infinity)]
  const words = text.split(/\s+/)
  const isFound = (request: RequestSummary): boolean => {
    const searched = getSearchText(request)
    return words.every((word) => searched.includes(word)) || found.value.has(request.id)
  }
  return requests.value
    .filter(({ id }) => id >= from && id <= to)
    .filter((one) => status === '' || `${one.status}` === status || classifyStatus(one.status) === status)
    .filter((one) => text === '' || isFound(one))
    .toReversed()
})

function getSearchText(request: RequestSummary): string {
  const { method, status, operationId, caller, problem } = request
  return [
    formatInstant(request.startedAt, 'time'),
    method,
    status,
    decode(getTarget(request).replaceAll('+', ' ')),
    operationId,
    caller?.name,
    problem,
    ...listNotes(request).map(
      ({ kind, name, text }) => `${kind} ${name} ${name.replaceAll('_', ' ')} ${text}`,
    ),
  ]
    .join(' ')
    .toLowerCase()
}

export const shown = computed(() => {
  const last = heldAt.value ?? Infinity
  return matching.value.filter(({ id }) => id <= last)
})

export function linkToRequest(id?: number): string {
  const kept = Array.from(place.value.query).filter(([name]) => !['record', 'as'].includes(name))
  return linkTo('traffic', id === undefined ? [] : [`${id}`], new URLSearchParams(kept))
}
