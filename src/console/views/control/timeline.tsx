import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { Card } from '../../components/layout.tsx'
import { Problem } from '../../components/problem.tsx'
import { useRead } from '../../components/use-calls.ts'
import { place, setQuery } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { formatCounts } from '../data/labels.ts'
import type { MoveClock } from './clock-page.tsx'
import { LivingCopy } from './living-copy.tsx'

const DAY_MS = 86_400_000

/** The days of a timeline, and how many of them each mark shows. */
interface Zoom {
  readonly label: string
  readonly days: number
  readonly each: number
}

const month: Zoom = { label: 'Month', days: 35, each: 1 }

const zooms: Readonly<Record<string, Zoom>> = {
  week: { label: 'Week', days: 7, each: 1 },
  month,
  year: { label: 'Year', days: 371, each: 7 },
}

/** The days of a mark, and the number of records that change on them. */
interface Mark {
  readonly day: string
  readonly counts: Readonly<Partial<Record<string, number>>>
  readonly total: number
  /** The position of the session's now in it, from 0 to 1; undefined if now is elsewhere. */
  readonly playhead: number | undefined
  readonly isPast: boolean
}

const getDay = (timeMs: number): number => Math.floor(timeMs / DAY_MS)
const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Finds the first day to show: that of the dataset, or a later one if now would be outside. */
function findFirstDay(start: number, now: number, days: number): number {
  const stride = Math.floor(days * 0.8)
  return start + Math.max(0, Math.floor((now - start) / stride)) * stride
}

const keySteps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => Math.max(at - 1, 0),
  ArrowRight: (at, last) => Math.min(at + 1, last),
  Home: () => 0,
  End: (_, last) => last,
}

interface TimelineProps {
  readonly now: string
  readonly move: MoveClock
  readonly children: ComponentChildren
}

/** Renders the days from the dataset's time on, with what happens on each; a click sets the clock to a day. */
export function Timeline({ now, move, children }: TimelineProps) {
  const shown = place.value.query.get('zoom') ?? 'month'
  const { days, each } = zooms[shown] ?? month
  // Without a range, the events begin at the dataset's time.
  const start = useRead(prepare('get', routes.clock.events, { query: {} }), now).value?.from
  const startMs = Date.parse(start ?? now)
  const first = findFirstDay(getDay(startMs), getDay(Date.parse(now)), days)
  const range = { from: `${formatDay(first)}T00:00Z`, to: `${formatDay(first + days - 1)}T00:00Z` }
  const { value: events, error } = useRead(
    start === undefined ? undefined : prepare('get', routes.clock.events, { query: range }),
  )
  const isStill = overview.value?.future === 'still'
  const marks = listMarks(events?.items ?? [], { first, days, each, nowMs: Date.parse(now) })
  const setTo = (day: string): void => {
    const atMs = Math.max(Date.parse(day), startMs)
    void move(prepare('put', routes.clock, { json: { now: new Date(atMs).toISOString() } }))
  }
  return (
    <Card title="Timeline">
      <div class="row timeline-head">
        {children}
        <fieldset class="row choices" aria-label="Zoom">
          {Object.entries(zooms).map(([key, { label }]) => (
            <button
              key={key}
              type="button"
              aria-pressed={key === shown}
              onClick={() => setQuery({ zoom: key })}
            >
              {label}
            </button>
          ))}
        </fieldset>
      </div>
      <Problem error={error} />
      <Days marks={marks} setTo={setTo} />
      {isStill ? (
        <LivingCopy />
      ) : (
        <p class="hint">
          {events ? 'The higher a mark, the more records change.' : 'Counting what will happen …'} Select a
          mark to set the clock to its beginning; the arrow keys move between marks.
        </p>
      )}
    </Card>
  )
}

interface MarkRange {
  readonly first: number
  readonly days: number
  readonly each: number
  readonly nowMs: number
}

function listMarks(
  events: readonly { readonly day: string; readonly counts: Mark['counts'] }[],
  { first, days, each, nowMs }: MarkRange,
): Mark[] {
  const byDay = new Map(events.map(({ day, counts }) => [day, counts]))
  return Array.from({ length: days / each }, (_, at) => {
    const from = first + at * each
    const counts: Partial<Record<string, number>> = {}
    for (let day = from; day < from + each; day += 1) {
      for (const [name, count = 0] of Object.entries(byDay.get(formatDay(day)) ?? {})) {
        counts[name] = (counts[name] ?? 0) + count
      }
    }
    const total = Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0)
    const share = (nowMs / DAY_MS - from) / each
    const playhead = share >= 0 && share < 1 ? share : undefined
    return { day: formatDay(from), counts, total, playhead, isPast: share > 0 }
  })
}

interface DaysProps {
  readonly marks: readonly Mark[]
  readonly setTo: (day: string) => void
}

function Days({ marks, setTo }: DaysProps) {
  const list = useRef<HTMLOListElement>(null)
  const [chosen, setChosen] = useState<string>()
  const most = Math.max(1, ...marks.map(({ total }) => total))
  // The only tab stop: the mark that had the focus last, or the present one.
  const stop =
    marks.find(({ day }) => day === chosen) ??
    marks.find(({ playhead }) => playhead !== undefined) ??
    marks[0]
  const keyDown = (event: KeyboardEvent, at: number): void => {
    const next = keySteps[event.key]?.(at, marks.length - 1)
    if (next === undefined) return
    event.preventDefault()
    setChosen(marks[next]?.day)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <ol class="days" ref={list}>
      {marks.map((mark, at) => {
        const { day, total, playhead, isPast } = mark
        const text = `${day}: ${total > 0 ? formatCounts(mark.counts) : 'no changes'}`
        return (
          <li key={day}>
            <button
              type="button"
              tabIndex={mark === stop ? 0 : -1}
              aria-label={text}
              aria-current={playhead === undefined ? undefined : 'date'}
              title={text}
              onKeyDown={(event) => keyDown(event, at)}
              onFocus={() => setChosen(day)}
              onClick={() => setTo(day)}
            >
              <svg viewBox="0 0 10 50" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class={isPast ? 'days-bar is-past' : 'days-bar'}
                  x="1"
                  width="8"
                  y={50 - (total / most) * 48}
                  height={(total / most) * 48}
                />
                {playhead !== undefined && <path class="days-now" d={`M${playhead * 10} 0v50`} />}
              </svg>
            </button>
            <span class="days-label">{getLabel(marks, at)}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Labels a mark: every day of a week, every seventh of a month, the first of each month of a year. */
function getLabel(marks: readonly Mark[], at: number): string {
  const { day = '' } = marks[at] ?? {}
  if (marks.length <= 7 || (marks.length <= 35 && at % 7 === 0)) return day.slice(5)
  if (marks.length <= 35) return ''
  const own = day.slice(0, 7)
  const isFirst = at > 0 && marks[at - 1]?.day.slice(0, 7) !== own
  return isFirst ? own.slice(5) : ''
}
