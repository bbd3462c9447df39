import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { fork, advanceClock, prepare, routes, setClock } from '../../client.ts'
import { Select } from '../../components/form.tsx'
import { formatInstant } from '../../components/format.tsx'
import { moveFocus } from '../../components/keys.ts'
import { Act, Button, Card, Problem } from '../../components/ui.tsx'
import { announce, useRead } from '../../components/use-calls.ts'
import { linkTo, param, setQuery } from '../../place.ts'
import { overview } from '../../shell/overview.ts'
import { formatCounts } from '../data/labels.ts'
import type { MoveClock } from './clock-page.tsx'

const DAY_MS = 86_400_000

const zooms = { week: [7, 1], month: [35, 1], year: [371, 7] } as const
const zoomLabels = { week: 'a week', '': 'a month', year: 'a year' }

interface Mark {
  readonly day: string
  readonly counts: Readonly<Record<string, number>>
  readonly total: number
  /** The position of the session's now from the mark's beginning: 0 to 1 if it is in the mark. */
  readonly share: number
}

const getDay = (instant: string): number => Math.floor(Date.parse(instant) / DAY_MS)
const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

interface TimelineProps {
  readonly now: string
  readonly move: MoveClock
  readonly children: ComponentChildren
}

/** Renders the days from the dataset's time on, with what happens on each; a click sets the clock to a day. */
export function Timeline({ now, move, children }: TimelineProps) {
  const zoom = param('zoom')
  const [days, each] = zoom === 'week' || zoom === 'year' ? zooms[zoom] : zooms.month
  // Without a range, the events begin at the dataset's time.
  const start = useRead(prepare('get', routes.clock.events, { query: {} }), now).value?.from
  const from = start ?? now
  // Later days if now would be outside.
  const stride = Math.floor(days * 0.8)
  const first = getDay(from) + Math.max(0, Math.floor((getDay(now) - getDay(from)) / stride)) * stride
  const query = { from: `${formatDay(first)}T00:00Z`, to: `${formatDay(first + days - 1)}T00:00Z` }
  const { value, error } = useRead(
    start === undefined ? undefined : prepare('get', routes.clock.events, { query }),
  )
  const marks = Array.from({ length: days / each }, (_, at): Mark => {
    const day = first + at * each
    const counts: Record<string, number> = {}
    for (const event of value?.items ?? []) {
      const isInside = getDay(event.day) >= day && getDay(event.day) < day + each
      for (const [name, count = 0] of isInside ? Object.entries(event.counts) : []) {
        counts[name] = (counts[name] ?? 0) + count
      }
    }
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { day: formatDay(day), counts, total, share: (Date.parse(now) / DAY_MS - day) / each }
  })
  const setTo = (day: string): void => {
    const to = new Date(Math.max(Date.parse(day), Date.parse(from))).toISOString()
    void move(setClock(to))
  }
  return (
    <Card title="Timeline">
      <div class="row">
        {children}
        <Select label="Show" value={zoom} set={(to) => setQuery({ zoom: to })} options={zoomLabels} />
      </div>
      <Problem error={error} />
      <Days marks={marks} isCounting={value === undefined} setTo={setTo} />
      {overview.value?.future === 'still' ? (
        <>
          <p class="hint">
            The data of this session stands still, so nothing happens on any day. Let a copy of the session
            live to see the data change as time passes, or <a href={linkTo('control', ['dataset'])}>reseed</a>{' '}
            the whole tenant with <code>future</code> set to <code>living</code>.
          </p>
          <Act {...fork(undefined, undefined, { future: 'living' })}>Open a living copy</Act>
        </>
      ) : (
        <p class="hint">
          {value ? 'The higher a mark, the more records change.' : 'Counting what will happen …'} Select a
          mark to set the clock to its beginning; the arrow keys move between marks.
        </p>
      )}
    </Card>
  )
}

interface DaysProps {
  readonly marks: readonly Mark[]
  readonly isCounting: boolean
  readonly setTo: (day: string) => void
}

const isNow = ({ share }: Mark): boolean => share >= 0 && share < 1

function Days({ marks, isCounting, setTo }: DaysProps) {
  const list = useRef<HTMLOListElement>(null)
  const [focused, setFocused] = useState<string>()
  const most = Math.max(1, ...marks.map(({ total }) => total))
  // The only tab stop: the mark that had the focus last, or the present one.
  const stop = marks.find(({ day }) => day === focused) ?? marks.find(isNow) ?? marks[0]
  const move = (event: KeyboardEvent): void =>
    void moveFocus(event, [...(list.current?.querySelectorAll('button') ?? [])])
  return (
    <ol class="list days" ref={list}>
      {marks.map((mark, at) => {
        const { day, total, share } = mark
        const changes = isCounting ? 'counting changes' : 'no changes'
        const text = `${day}: ${total > 0 ? formatCounts(mark.counts) : changes}`
        const height = (total / most) * 48
        return (
          <li key={day}>
            <button
              type="button"
              tabIndex={mark === stop ? 0 : -1}
              aria-label={text}
              aria-current={isNow(mark) ? 'date' : undefined}
              title={text}
              onKeyDown={move}
              onFocus={() => setFocused(day)}
              onClick={() => setTo(day)}
            >
              <svg viewBox="0 0 10 50" preserveAspectRatio="none" aria-hidden="true">
                <rect class={share > 0 ? 'is-past' : ''} x="1" width="8" y={50 - height} height={height} />
                {isNow(mark) && <path d={`M${share * 10} 0v50`} />}
              </svg>
            </button>
            <span>{getLabel(marks, at)}</span>
          </li>
        )
      })}
    </ol>
  )
}

function getLabel(marks: readonly Mark[], at: number): string {
  const { day = '' } = marks[at] ?? {}
  if (marks.length <= 35) return marks.length <= 7 || at % 7 === 0 ? day.slice(5) : ''
  const before = marks[at - 1]?.day
  return before && before.slice(0, 7) !== day.slice(0, 7) ? day.slice(5, 7) : ''
}

const speeds = { PT1H: '1 hour a second', P1D: '1 day a second', P7D: '1 week a second' }

/** The time between two steps. Units: milliseconds. */
const STEP_MS = 1_000

export function Player({ now, move, begin }: { now: string; move: MoveClock; begin: () => void }) {
  const by = param('speed') || 'P1D'
  const [isPlaying, setPlaying] = useState(false)
  const step = useRef(() => Promise.resolve(false))
  step.current = () => move(advanceClock(by), true)
  // Repeats the step until one fails.
  useEffect(() => {
    if (!isPlaying) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const play = async (): Promise<void> => {
      const isDone = await step.current()
      if (isOver) return
      if (isDone) timer = setTimeout(() => void play(), STEP_MS)
      else setPlaying(false)
    }
    void play()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isPlaying])
  const { next = '' } = useRead(prepare('get', routes.clock.events, { query: {} }), now).value ?? {}
  const toggle = (): void => {
    if (isPlaying) announce(`Paused at ${formatInstant(now)}.`)
    else begin()
    setPlaying(!isPlaying)
  }
  return (
    <>
      <Button class="primary" run={toggle}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <Button disabled={next <= now} run={() => move(setClock(next))}>
        Next event
      </Button>
      <Select label="Speed" value={by} set={(speed) => setQuery({ speed })} options={speeds} />
    </>
  )
}
