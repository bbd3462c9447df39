import type { RefObject } from 'preact'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

import type { RequestSummary } from '../../../control/journal/view.ts'
import { place, show } from '../../place.ts'
import { addressOfRequest } from './address.ts'
import type { Listing } from './listing.ts'
import { RequestRow } from './request-row.tsx'
import { RowWindow } from './row-window.ts'
import { type Stop, useStop } from './use-stop.ts'

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

/** How far a key moves. Units: rows. */
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

/** The requests, newest first: of any number of them, those in view are rendered. */
export function RequestList({ listing, current }: ListProps) {
  const entries = listing.shown.value
  const table = useRef<HTMLTableElement>(null)
  const rows = useRowWindow(entries, table)
  const query = place.value.query.toString()
  useLayoutEffect(() => rows.goToTop(), [query])
  const stop = useStop(entries, rows, current)
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
          const id = idAt(target)
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
          {rendered(entries, rows, stop.id).map(([request, away]) => (
            <RequestRow
              key={request.id}
              request={request}
              address={addressOfRequest(request.id)}
              isShown={request.id === current}
              isStop={request.id === stop.id}
              away={away}
            />
          ))}
        </tbody>
      </table>
      {entries.length === 0 && (
        <p class="empty">No request matches. Others come into this list as soon as they do.</p>
      )}
    </div>
  )
}

/** What of a list is rendered. */
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
  /** How many are listed above those in view. */
  readonly newer: number
  readonly listing: Listing
}

/** Says that there are newer requests than those in view, and leads to them. */
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
 * The rows to render, in order; one that Tab stops at stays when it is out of view, so that no focus is lost.
 * Shape: the request, and its place in the list where it stands apart from the others.
 */
function rendered(
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
  stop: Stop,
  current: number | undefined,
): void {
  const step = steps[event.key]
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const from = entries.findIndex(({ id }) => id === stop.id)
  const next = entries[Math.max(0, Math.min(entries.length - 1, from + step))]
  if (!next) return
  stop.goTo(next.id)
  if (current !== undefined) show(addressOfRequest(next.id), 'replace')
}

/** A row is as good as the link in it. */
function choose({ target }: MouseEvent, stop: Stop): void {
  const id = idAt(target)
  const isLink = target instanceof Element && target.closest('a') !== null
  if (id === undefined || isLink || getSelection()?.type === 'Range') return
  stop.goTo(id)
  show(addressOfRequest(id))
}

function idAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null
  return row ? Number(row.dataset['id']) : undefined
}
