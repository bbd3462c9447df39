import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { findMove } from '../../components/keys.ts'
import { Button } from '../../components/ui.tsx'
import { readAhead } from '../../components/use-calls.ts'
import { place, show } from '../../place.ts'
import { getKey, heldAt, isGrouped, items, linkToRequest, readRequest, shown, unseen } from './listing.ts'
import { Row } from './request-row.tsx'

/** The height of each row: 1.625 rem. Units: pixels. */
const ROW = 1.625 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** The number of rows that are rendered out of sight, above and below. */
const MARGIN = 12

const columns = {
  'request-time': 'Time (UTC)',
  'request-method': 'Method',
  'request-path': 'Path',
  'request-status': 'Status',
  'request-caller': 'Caller',
  'request-size number': 'Size',
  'request-duration number': 'Duration',
  'request-waterfall': 'Waterfall',
  'request-notes': 'Notes',
} as const

/** Renders the rows in sight; all rows are equally high. */
export function RequestList({ current }: { current: number | undefined }) {
  const query = place.value.query.toString()
  const rows = items.value
  const { scroller, range, follow, scroll, goToEnd, focusRow } = useWindow(query, current)
  const [from, to] = range
  const move = (event: KeyboardEvent): void => {
    const at = document.activeElement?.closest('tr')?.ariaRowIndex
    const next = findMove(event, at === undefined || at === null ? -1 : Number(at) - 2, rows.length)
    if (next === undefined) return
    focusRow(next)
    const item = rows[next]
    if (current !== undefined && item?.kind === 'request') show(linkToRequest(item.request.id), 'replace')
  }
  return (
    <div class="traffic-list" style={{ '--row': `${ROW}px` }}>
      <table
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys move through its rows
        role="grid"
        aria-label="Requests, the latest last"
        aria-rowcount={rows.length + 1}
        tabIndex={0}
        onScroll={scroll}
        onPointerEnter={follow}
        onPointerLeave={follow}
        onFocusIn={follow}
        onFocusOut={({ relatedTarget }) => isInside(scroller.current, relatedTarget) || follow()}
        onKeyDown={move}
        onPointerDown={press}
        onClick={choose}
      >
        <thead>
          <tr class="request" aria-rowindex={1}>
            {Object.entries(columns).map(([name, label]) => (
              <th key={name} scope="col" class={name}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ height: `${rows.length * ROW}px`, paddingTop: `${from * ROW}px` }}>
          {rows.slice(from, to).map((item, at) => (
            <Row
              key={getKey(item)}
              item={item}
              index={from + at + 2}
              isShown={item.kind === 'request' && item.request.id === current}
            />
          ))}
        </tbody>
      </table>
      {shown.value.length === 0 && (
        <p class="empty">No requests match. New ones appear here as they arrive.</p>
      )}
      {unseen.value > 0 && (
        <Button class="primary traffic-newer" run={goToEnd}>
          {unseen.value} new ↓
        </Button>
      )}
    </div>
  )
}

/** Keeps track of the rows in sight, of the end of the list, and of the row that gets the focus. */
function useWindow(query: string, current: number | undefined) {
  const scroller = useRef<HTMLTableElement>(null)
  const [{ top, height }, setSight] = useState({ top: 0, height: 1_000 })
  const isAway = useRef(false)
  const wanted = useRef<number | undefined>(undefined)
  const hadFocus = useRef(false)
  const count = items.value.length
  const look = (): void => {
    const list = scroller.current
    if (list) setSight({ top: list.scrollTop, height: list.clientHeight })
  }
  const follow = (): void => {
    const list = scroller.current
    const isHeld = isAway.current || list?.matches(':hover') || isInside(list, document.activeElement)
    heldAt.value = isHeld ? (heldAt.peek() ?? shown.peek().at(-1)?.id ?? 0) : undefined
    // Scrolling forces the layout, so this happens once for each rendered list.
    if (!isHeld && !isGrouped.peek()) list?.scrollTo({ top: 1e7 })
  }
  const scroll = (): void => {
    isAway.current = !isGrouped.peek() && !isAtEnd(scroller.current)
    // The latest requests have been seen.
    if (!isAway.current) heldAt.value = undefined
    look()
    follow()
  }
  const goToEnd = (): void => {
    isAway.current = false
    scroller.current?.focus({ preventScroll: true })
    follow()
  }
  const reveal = (at: number): void => {
    const list = scroller.current
    if (!list || at < 0) return
    const above = at * ROW
    // The head covers the first row.
    const below = above + 2 * ROW - list.clientHeight
    if (list.scrollTop > above) list.scrollTop = above
    else if (list.scrollTop < below) list.scrollTop = below
    // Before the row with the focus leaves the window, so that the list does not follow its end.
    scroll()
  }
  const focusRow = (at: number): void => {
    wanted.current = at
    reveal(at)
  }
  // Another filter starts at the end again.
  useLayoutEffect(() => {
    isAway.current = false
    if (isGrouped.peek()) scroller.current?.scrollTo({ top: 0 })
  }, [query])
  useLayoutEffect(follow, [shown.value, query])
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      look()
      follow()
    })
    if (scroller.current) observer.observe(scroller.current)
    return () => {
      observer.disconnect()
      heldAt.value = undefined
    }
  }, [])
  const isListed = find(current) !== -1
  useLayoutEffect(() => reveal(find(current)), [current, isListed])
  // Focuses the row of the opened request after its details are closed.
  const opened = useRef(current)
  useEffect(() => {
    const closed = current === undefined ? opened.current : undefined
    opened.current = current
    const at = find(closed)
    // A narrow window hides the list meanwhile, which then gets the focus as a whole.
    const { activeElement } = document
    if (at !== -1 && (activeElement === document.body || activeElement === scroller.current)) focusRow(at)
  }, [current])
  useLayoutEffect(() => {
    const list = scroller.current
    const row = list?.querySelector(`[aria-rowindex="${(wanted.current ?? -1) + 2}"]`)
    if (wanted.current !== undefined && row) {
      row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
      wanted.current = undefined
    }
    // The focused row may have left the window.
    if (hadFocus.current && document.activeElement === document.body) list?.focus({ preventScroll: true })
    hadFocus.current = isInside(list, document.activeElement)
  })
  const first = Math.floor(top / ROW) - MARGIN
  const from = Math.max(0, Math.min(first, count - 1))
  const to = Math.floor((top + height) / ROW) + MARGIN
  return { scroller, range: [from, to] as const, follow, scroll, goToEnd, focusRow }
}

/** Finds the row of a request; -1 if it is not listed. */
const find = (id: number | undefined): number =>
  id === undefined ? -1 : items.peek().findIndex((item) => item.kind === 'request' && item.request.id === id)

const isAtEnd = (list: Element | null): boolean =>
  !list || list.scrollHeight - list.scrollTop - list.clientHeight < 8

const isInside = (list: Element | null, target: EventTarget | null): boolean =>
  target !== list && target instanceof Node && list?.contains(target) === true

const findTarget = ({ target }: MouseEvent): HTMLElement | null =>
  target instanceof Element ? target.closest('[data-id]') : null

/** Reads a request while the pointer is still down on its row. */
function press(event: PointerEvent): void {
  const row = findTarget(event)
  if (row) readAhead(readRequest(Number(row.dataset['id'])))
}

function choose(event: MouseEvent): void {
  const row = findTarget(event)
  const isOther = event.target instanceof Element && event.target.closest('a, button')
  if (!row || isOther || getSelection()?.type === 'Range') return
  row.querySelector('a')?.focus({ preventScroll: true })
  show(linkToRequest(Number(row.dataset['id'])))
}
