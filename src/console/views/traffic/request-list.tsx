import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'

import { place, show } from '../../place.ts'
import { linkToRequest } from './filter.ts'
import { type Block, type Item, blocks, getKey, heldAt, isGrouped, shown, unseen } from './listing.ts'
import { Row } from './request-row.tsx'

/** The class of each column. Order: from left to right. */
const columns = {
  'request-time': 'Time (UTC)',
  'request-method': 'Method',
  'request-path': 'Path',
  'request-query': 'Query',
  'request-status': 'Status',
  'request-caller': 'Caller',
  'request-size number': 'Size',
  'request-duration number': 'Duration',
  'request-waterfall': 'Waterfall',
  'request-notes': 'Notes',
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

/** Renders the requests as they arrived, the latest last, or by operation. */
export function RequestList({ current }: { readonly current: number | undefined }) {
  const query = place.value.query.toString()
  const { scroller, goToEnd, hold } = useEnd(query)
  useReveal(scroller, current)
  return (
    <div class="traffic-list">
      <table
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys move through its rows
        role="grid"
        aria-label="Requests, the latest last"
        tabIndex={0}
        onScroll={() => hold('scroll')}
        onPointerEnter={() => hold('pointer', true)}
        onPointerLeave={() => hold('pointer', false)}
        onFocusIn={({ target }) => hold('focus', target !== scroller.current)}
        onFocusOut={() => hold('focus', false)}
        onKeyDown={(event) => move(event, current)}
        onClick={choose}
      >
        <thead>
          <tr class="request">
            {Object.entries(columns).map(([name, label]) => (
              <th key={name} scope="col" class={name}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {blocks.value.map((block) => (
          <Rows key={block.key} block={block} query={query} current={current} />
        ))}
      </table>
      {shown.value.length === 0 && (
        <p class="empty">No requests match. New ones appear here as they arrive.</p>
      )}
      {unseen.value > 0 && (
        <button type="button" class="primary small traffic-newer" onClick={goToEnd}>
          {unseen.value} new ↓
        </button>
      )}
    </div>
  )
}

interface RowsProps {
  readonly block: Block
  readonly query: string
  readonly current: number | undefined
}

function Rows({ block, query, current }: RowsProps) {
  const isCurrent = (item: Item): boolean => item.kind === 'request' && item.request.id === current
  const own = block.items.some(isCurrent) ? current : undefined
  return useMemo(
    () => (
      <tbody style={{ height: `calc(${block.items.length} * var(--row))` }}>
        {block.items.map((item) => (
          <Row key={getKey(item)} item={item} isShown={isCurrent(item)} />
        ))}
      </tbody>
    ),
    [block, query, own],
  )
}

/** The reasons to hold the rows in place: the pointer is over them, one has the focus, or the list is scrolled away. */
type Reason = 'pointer' | 'focus' | 'scroll'

/** Follows the end of the list, unless something holds the rows in place. */
function useEnd(query: string) {
  const scroller = useRef<HTMLTableElement>(null)
  const reasons = useRef(new Set<Reason>())
  const follow = (): void => {
    const last = shown.peek().at(-1)?.id ?? 0
    if (reasons.current.size > 0) heldAt.value ??= last
    else heldAt.value = undefined
    // Scrolling forces the layout, so this happens once for each rendered list.
    if (heldAt.peek() === undefined && !isGrouped.peek()) scroller.current?.scrollTo({ top: 1e7 })
  }
  const hold = (reason: Reason, isOn = !isAtEnd(scroller.current)): void => {
    if (isOn && !(reason === 'scroll' && isGrouped.peek())) reasons.current.add(reason)
    else reasons.current.delete(reason)
    // The latest requests have been seen.
    if (reason === 'scroll' && !isOn) heldAt.value = undefined
    follow()
  }
  const goToEnd = (): void => {
    reasons.current.clear()
    scroller.current?.focus({ preventScroll: true })
    follow()
  }
  // Another filter starts at the end again.
  useLayoutEffect(() => {
    reasons.current.delete('scroll')
    if (isGrouped.peek()) scroller.current?.scrollTo({ top: 0 })
  }, [query])
  useLayoutEffect(follow, [shown.value, query])
  useEffect(() => {
    const observer = new ResizeObserver(follow)
    if (scroller.current) observer.observe(scroller.current)
    return () => {
      observer.disconnect()
      heldAt.value = undefined
    }
  }, [])
  return { scroller, goToEnd, hold }
}

const isAtEnd = (list: Element | null): boolean =>
  !list || list.scrollHeight - list.scrollTop - list.clientHeight < 8

/** Scrolls the row of the opened request into view, and focuses it after its details are closed. */
function useReveal(
  scroller: { readonly current: HTMLTableElement | null },
  current: number | undefined,
): void {
  const before = useRef(current)
  const isListed = shown.value.some(({ id }) => id === current)
  const find = (id: number | undefined): HTMLElement | null | undefined =>
    scroller.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)
  useLayoutEffect(() => find(current)?.scrollIntoView({ block: 'nearest' }), [current, isListed])
  useEffect(() => {
    const closed = current === undefined ? before.current : undefined
    before.current = current
    if (document.activeElement === document.body) find(closed)?.querySelector('a')?.focus()
  }, [current])
}

/** Moves the focus between rows; while details are open, they follow. */
function move(event: KeyboardEvent, current: number | undefined): void {
  const step = steps[event.key]
  const { currentTarget, target } = event
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (!(currentTarget instanceof Element)) return
  event.preventDefault()
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('tbody :is(a, button)')]
  const from = stops.findIndex((one) => one === target)
  const at = from === -1 ? (step > 0 ? -1 : stops.length) : from
  const next = stops[Math.max(0, Math.min(stops.length - 1, at + step))]
  next?.focus()
  const id = findId(next ?? null)
  if (current !== undefined && id !== undefined) show(linkToRequest(id), 'replace')
}

/** Opens the request of a clicked row. */
function choose({ target }: MouseEvent): void {
  const id = findId(target)
  if (id === undefined || !(target instanceof Element)) return
  if (target.closest('a') || getSelection()?.type === 'Range') return
  target.closest('tr')?.querySelector('a')?.focus({ preventScroll: true })
  show(linkToRequest(id))
}

function findId(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null
  return row ? Number(row.dataset['id']) : undefined
}
