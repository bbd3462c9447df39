import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

import type { RequestSummary } from '../../../journal/view.ts'
import { place, show } from '../../place.ts'
import { linkToRequest } from './filter.ts'
import type { Listing } from './listing.ts'
import { RequestRow } from './request-row.tsx'
import { RowWindow } from './row-window.ts'
import { type TabStop, useTabStop } from './use-tab-stop.ts'

/** Order: from left to right. */
const columns = {
  id: 'Id',
  method: 'Method',
  target: 'Path',
  operation: 'Operation',
  caller: 'Caller',
  status: 'Status',
  duration: 'Duration',
  notes: 'Fault, warnings',
} as const

/** The distance that a key moves. Units: rows. */
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

interface ListProps {
  readonly listing: Listing
  /** The id of the request that is shown beside the list. */
  readonly current: number | undefined
}

/** Renders the requests, newest first, but only those in view. */
export function RequestList({ listing, current }: ListProps) {
  const entries = listing.shown.value
  const table = useRef<HTMLTableElement>(null)
  const rows = useRowWindow(entries, table)
  const query = place.value.query.toString()
  useLayoutEffect(() => rows.goToTop(), [query])
  const stop = useTabStop(entries, rows, current)
  return (
    <div class="requests-list">
      <Newer rows={rows} newer={rows.newer} listing={listing} />
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys move through its rows
        role="grid"
        aria-label="Requests, newest first"
        class="requests-scroller"
        tabIndex={stop.id === undefined ? 0 : -1}
        onScroll={() => rows.scrolled()}
        onKeyDown={(event) => move(event, entries, stop, current)}
        onClick={(event) => choose(event, stop)}
        onFocusIn={({ target }) => {
          const id = findId(target)
          if (id !== undefined) stop.note(id)
        }}
      >
        <thead>
          <tr class="request requests-columns">
            {Object.entries(columns).map(([name, label]) => (
              <th key={name} scope="col" class={`request-${name}`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody class="requests-rows" style={{ '--before': rows.from, '--after': entries.length - rows.to }}>
          {listRows(entries, rows, stop.id).map(([request, away]) => (
            <RequestRow
              key={request.id}
              request={request}
              address={linkToRequest(request.id)}
              isShown={request.id === current}
              isStop={request.id === stop.id}
              away={away}
            />
          ))}
        </tbody>
      </table>
      {entries.length === 0 && <p class="empty">No requests match. New ones appear here as they arrive.</p>}
    </div>
  )
}

/** Tracks the rows of a list to render. */
function useRowWindow(
  entries: readonly RequestSummary[],
  table: RefObject<HTMLTableElement | null>,
): RowWindow {
  const [, render] = useReducer<number, void>((count) => count + 1, 0)
  const [rows] = useState(() => new RowWindow(() => render()))
  rows.update(entries)
  useLayoutEffect(() => rows.settle())
  useLayoutEffect(() => (table.current ? rows.observe(table.current) : undefined), [entries.length === 0])
  return rows
}

interface NewerProps {
  readonly rows: RowWindow
  /** The number of rows above those in view. */
  readonly newer: number
  readonly listing: Listing
}

/** Renders a button that leads to newer requests than those in view. */
function Newer({ rows, newer, listing }: NewerProps) {
  const count = newer + listing.waiting.value
  if (count === 0) return null
  const look = (): void => {
    listing.resume()
    rows.goToTop()
    rows.focus()
  }
  return (
    <button type="button" class="primary small requests-newer" onClick={look}>
      {count} new
    </button>
  )
}

/**
 * Lists the rows to render, including the tab stop when it is out of view, so that the focus is not lost. Shape: the
 * request, and its position in the list if it is apart from the others.
 */
function listRows(
  entries: readonly RequestSummary[],
  { from, to }: RowWindow,
  stop: number | undefined,
): readonly (readonly [request: RequestSummary, away: number | undefined])[] {
  const near = entries.slice(from, to).map((request) => [request, undefined] as const)
  const index = stop === undefined ? -1 : entries.findIndex(({ id }) => id === stop)
  const kept = entries[index]
  if (!kept || (index >= from && index < to)) return near
  return index < from ? [[kept, index], ...near] : [...near, [kept, index]]
}

function move(
  event: KeyboardEvent,
  entries: readonly RequestSummary[],
  stop: TabStop,
  current: number | undefined,
): void {
  const step = steps[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const from = entries.findIndex(({ id }) => id === stop.id)
  const next = entries[Math.max(0, Math.min(entries.length - 1, from + step))]
  if (!next) return
  stop.goTo(next.id)
  if (current !== undefined) show(linkToRequest(next.id), 'replace')
}

/** Opens the request of a clicked row. */
function choose({ target }: MouseEvent, stop: TabStop): void {
  const id = findId(target)
  const isLink = target instanceof Element && target.closest('a') !== null
  if (id === undefined || isLink || getSelection()?.type === 'Range') return
  stop.goTo(id)
  show(linkToRequest(id))
}

function findId(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null
  return row ? Number(row.dataset['id']) : undefined
}
