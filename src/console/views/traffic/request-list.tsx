import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'

import { moveFocus } from '../../components/keys.ts'
import { Button } from '../../components/ui.tsx'
import { place, show } from '../../place.ts'
import {
  type Block,
  type Item,
  blocks,
  getKey,
  heldAt,
  isGrouped,
  linkToRequest,
  shown,
  unseen,
} from './listing.ts'
import { Row } from './request-row.tsx'

/** The label of each column, by its class. Order: from left to right. */
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

export function RequestList({ current }: { readonly current: number | undefined }) {
  const query = place.value.query.toString()
  const { scroller, follow, scroll, goToEnd } = useEnd(query)
  useReveal(scroller, current)
  return (
    <div class="traffic-list">
      <table
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys move through its rows
        role="grid"
        aria-label="Requests, the latest last"
        tabIndex={0}
        onScroll={scroll}
        onPointerEnter={follow}
        onPointerLeave={follow}
        onFocusIn={follow}
        onFocusOut={({ relatedTarget }) => isInside(scroller.current, relatedTarget) || follow()}
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
        <Button class="primary small traffic-newer" run={goToEnd}>
          {unseen.value} new ↓
        </Button>
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

function useEnd(query: string) {
  const scroller = useRef<HTMLTableElement>(null)
  const isAway = useRef(false)
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
    follow()
  }
  const goToEnd = (): void => {
    isAway.current = false
    scroller.current?.focus({ preventScroll: true })
    follow()
  }
  // Another filter starts at the end again.
  useLayoutEffect(() => {
    isAway.current = false
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
  return { scroller, follow, scroll, goToEnd }
}

const isAtEnd = (list: Element | null): boolean =>
  !list || list.scrollHeight - list.scrollTop - list.clientHeight < 8

const isInside = (list: Element | null, target: EventTarget | null): boolean =>
  target !== list && target instanceof Node && list?.contains(target) === true

/** Scrolls the row of the opened request into view, and focuses it after its details are closed. */
function useReveal(
  scroller: { readonly current: HTMLTableElement | null },
  current: number | undefined,
): void {
  const before = useRef(current)
  const isListed = shown.value.some(({ id }) => id === current)
  const find = (id: number | undefined) => scroller.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)
  useLayoutEffect(() => find(current)?.scrollIntoView({ block: 'nearest' }), [current, isListed])
  useEffect(() => {
    const closed = current === undefined ? before.current : undefined
    before.current = current
    if (document.activeElement === document.body) find(closed)?.querySelector('a')?.focus()
  }, [current])
}

/** Moves the focus between rows; while details are open, they follow. */
function move(event: KeyboardEvent, current: number | undefined): void {
  const { currentTarget: list } = event
  if (!(list instanceof Element)) return
  const next = moveFocus(event, [...list.querySelectorAll<HTMLElement>('tbody :is(a, button)')])
  const id = findId(next ?? null)
  if (current !== undefined && id !== undefined) show(linkToRequest(id), 'replace')
}

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
