import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { Instant, formatDuration, formatMove } from '../../components/format.tsx'
import { place, show } from '../../place.ts'
import { linkToRequest } from './filter.ts'
import { type Group, type Item, groupItems, isHeld, items, shown } from './listing.ts'
import { PatternRow, formatBytes, renderRow } from './request-row.tsx'

/** Order: from left to right. */
const columns = {
  time: 'Time (UTC)',
  method: 'Method',
  path: 'Path',
  query: 'Query',
  status: 'Status',
  caller: 'Caller',
  size: 'Size',
  duration: 'Duration',
  waterfall: 'Waterfall',
  notes: 'Notes',
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
  const { query } = place.value
  const isGrouped = query.get('group') === 'operation'
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [stop, setStop] = useState<number>()
  const list = isGrouped ? groupItems(open) : items.value
  const last = shown.value.at(-1)?.id
  const { scroller, unseen, goToEnd, hold } = useEnd(last, isGrouped, query.toString())
  useReveal(scroller, current)
  const stopId = [stop, current].find((id) => shown.value.some((one) => one.id === id)) ?? last
  const toggle = (name: string): void => {
    setOpen(new Set(open.has(name) ? [...open].filter((one) => one !== name) : [...open, name]))
  }
  return (
    <div class="traffic-list">
      <table
        ref={scroller}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- keys move through its rows
        role="grid"
        aria-label="Requests, the latest last"
        tabIndex={-1}
        onScroll={() => hold('scroll')}
        onPointerEnter={() => hold('pointer', true)}
        onPointerLeave={() => hold('pointer', false)}
        onFocusIn={({ target }) => {
          hold('focus', target !== scroller.current)
          setStop(findId(target))
        }}
        onFocusOut={() => hold('focus', false)}
        onKeyDown={(event) => move(event, current)}
        onClick={choose}
      >
        <thead>
          <tr class="request">
            {Object.entries(columns).map(([name, label]) => (
              <th key={name} scope="col" class={`request-${name}`}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.map((item) =>
            renderItem(item, { current, stopId, query: query.toString(), isGrouped, toggle }),
          )}
        </tbody>
      </table>
      {shown.value.length === 0 && (
        <p class="empty">No requests match. New ones appear here as they arrive.</p>
      )}
      {unseen > 0 && (
        <button type="button" class="primary small traffic-newer" onClick={goToEnd}>
          {unseen} new ↓
        </button>
      )}
    </div>
  )
}

interface RenderOptions {
  readonly current: number | undefined
  readonly stopId: number | undefined
  readonly query: string
  readonly isGrouped: boolean
  readonly toggle: (name: string) => void
}

function renderItem(item: Item, { current, stopId, query, isGrouped, toggle }: RenderOptions) {
  switch (item.kind) {
    case 'request': {
      const { request, context } = item
      const isStop = !isGrouped && request.id === stopId
      return renderRow({ request, context, isShown: request.id === current, isStop, query })
    }
    case 'pattern':
      return (
        <PatternRow key={`pattern ${item.pattern.firstId}`} pattern={item.pattern} context={item.context} />
      )
    case 'move':
      return (
        <tr key={`move ${item.request.id}`} class="request request-mark">
          <td class="request-mark-text">
            <span class="tag odd">◷ {formatMove(item.movedMs)}</span> Clock moved to{' '}
            <Instant at={item.request.time} />
          </td>
        </tr>
      )
    case 'group':
      return <GroupRow key={`group ${item.group.name}`} group={item.group} toggle={toggle} />
    default:
      return null
  }
}

interface GroupProps {
  readonly group: Group
  readonly toggle: (name: string) => void
}

/** Renders an operation with the number of its requests and their typical duration. */
function GroupRow({ group: { name, requests, isOpen }, toggle }: GroupProps) {
  const durations = requests.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)]
  const bytes = requests.reduce((total, one) => total + (one.bytes ?? 0), 0)
  const failed = requests.filter(({ status }) => typeof status !== 'number' || status >= 400).length
  return (
    <tr class="request request-group">
      <td class="request-mark-text">
        <button type="button" class="small" aria-expanded={isOpen} data-stop onClick={() => toggle(name)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name === 'none' ? 'no operation' : name}
        </button>{' '}
        <b>{requests.length}</b> {failed > 0 && <span class="tag bad">{failed} failed</span>}{' '}
        <span class="hint">
          {median !== undefined && `median ${formatDuration(median)}, `}
          {formatBytes(bytes)} in all
        </span>
      </td>
    </tr>
  )
}

/** What holds the rows in place: the pointer is over them, one has the focus, or the list is scrolled away. */
type Reason = 'pointer' | 'focus' | 'scroll'

/** Follows the end of the list, unless something holds the rows in place. */
function useEnd(last: number | undefined, isGrouped: boolean, query: string) {
  const scroller = useRef<HTMLTableElement>(null)
  const reasons = useRef(new Set<Reason>())
  const [seen, setSeen] = useState(0)
  const follow = (): void => {
    const { current } = scroller
    if (!current) return
    isHeld.value = reasons.current.size > 0
    if (!isHeld.value && !isGrouped) current.scrollTop = current.scrollHeight
    if (isAtEnd(current) && last !== undefined) setSeen(last)
  }
  const hold = (reason: Reason, isOn?: boolean): void => {
    if (!scroller.current) return
    if (isOn ?? !isAtEnd(scroller.current)) reasons.current.add(reason)
    else reasons.current.delete(reason)
    follow()
  }
  const goToEnd = (): void => {
    reasons.current.clear()
    scroller.current?.focus({ preventScroll: true })
    follow()
  }
  const latest = useRef(follow)
  latest.current = follow
  // Another filter starts at the end again.
  useLayoutEffect(() => {
    reasons.current.delete('scroll')
    if (isGrouped && scroller.current) scroller.current.scrollTop = 0
  }, [isGrouped, query])
  useLayoutEffect(follow, [last, isGrouped, query])
  useEffect(() => {
    const observer = new ResizeObserver(() => latest.current())
    if (scroller.current) observer.observe(scroller.current)
    return () => {
      observer.disconnect()
      isHeld.value = false
    }
  }, [])
  // The ids start again after a reset.
  const isNew = last !== undefined && last < seen
  const unseen = isGrouped ? 0 : shown.value.filter(({ id }) => isNew || id > seen).length
  return { scroller, unseen: isHeld.value ? unseen : 0, goToEnd, hold }
}

const isAtEnd = ({ scrollTop, scrollHeight, clientHeight }: Element): boolean =>
  scrollHeight - scrollTop - clientHeight < 8

/** Scrolls the row of the opened request into view, and focuses it after its details are closed. */
function useReveal(
  scroller: { readonly current: HTMLTableElement | null },
  current: number | undefined,
): void {
  const before = useRef(current)
  const isListed = shown.value.some(({ id }) => id === current)
  const find = (id: number): HTMLElement | null | undefined =>
    scroller.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)
  useLayoutEffect(() => {
    if (current !== undefined) find(current)?.scrollIntoView({ block: 'nearest' })
  }, [current, isListed])
  useEffect(() => {
    const closed = current === undefined ? before.current : undefined
    before.current = current
    if (closed !== undefined && document.activeElement === document.body)
      find(closed)?.querySelector('a')?.focus()
  }, [current])
}

/** Moves the focus between rows; while details are open, they follow. */
function move(event: KeyboardEvent, current: number | undefined): void {
  const step = steps[event.key]
  const { currentTarget, target } = event
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (!(currentTarget instanceof Element)) return
  event.preventDefault()
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('[data-stop]')]
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
  const isLink = target instanceof Element && target.closest('a') !== null
  if (id === undefined || isLink || getSelection()?.type === 'Range') return
  if (target instanceof Element) target.closest('tr')?.querySelector('a')?.focus({ preventScroll: true })
  show(linkToRequest(id))
}

function findId(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null
  return row ? Number(row.dataset['id']) : undefined
}
