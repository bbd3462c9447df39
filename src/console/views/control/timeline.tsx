import { useRef, useState } from 'preact/hooks'

import { prepare, routes } from '../../client.ts'
import { Card } from '../../components/card.tsx'
import { useRead } from '../../components/use-calls.ts'
import type { MoveClock } from './clock-page.tsx'
/** A month as in `2026-03`. */
type Month = string

/** The counts of one kind of record by month. */
interface Series {
  readonly label: string
  readonly counts: ReadonlyMap<Month, number>
}

/** Counts the records of a collection by the month of a field. */
function useCounts(label: string, by: string): Series {
  const { value } = useRead(
    prepare('get', routes.data[':collection'].counts, { param: { collection: label }, query: { by } }),
  )
  const counts = value?.items.flatMap((item) =>
    typeof item.value === 'string' ? [[item.value, item.count] as const] : [],
  )
  return { label, counts: new Map(counts) }
}

/** The height of a row of bars, and of its highest bar. */
const [ROW, BAR] = [36, 32]

const setTo = (month: Month) => prepare('put', routes.clock, { json: { now: getMonthStart(month) } })

const keySteps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => Math.max(at - 1, 0),
  ArrowRight: (at, last) => Math.min(at + 1, last),
  Home: () => 0,
  End: (_, last) => last,
}

interface TimelineProps {
  readonly now: string
  readonly move: MoveClock
}

/** Renders the tenant's records by month; a click sets the clock to the start of a month. */
export function Timeline({ now, move }: TimelineProps) {
  const series = [useCounts('meetings', 'startDate'), useCounts('signals', 'raisedDate')].filter(
    ({ counts }) => counts.size > 0,
  )
  const list = useRef<HTMLOListElement>(null)
  const [chosen, setChosen] = useState<Month>()
  const months = listMonths(series.flatMap(({ counts }) => [...counts.keys()]))
  const present = getMonth(now)
  // The only tab stop: the month that had the focus last, or the current one.
  const stop = [chosen, present, months.at(-1)].find((month) => month && months.includes(month))
  const keyDown = (event: KeyboardEvent, at: number): void => {
    const next = keySteps[event.key]?.(at, months.length - 1)
    if (next === undefined) return
    event.preventDefault()
    setChosen(months[next])
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <Card title="Tenant by month">
      <p class="hint">
        Select a month to set the clock to its beginning. The left and right arrow keys move between months.
      </p>
      <ul class="timeline-key">
        {series.map(({ label, counts }, row) => (
          <li key={label}>
            <span class={`timeline-swatch is-${row}`} /> {label}, up to {Math.max(0, ...counts.values())} per
            month
          </li>
        ))}
        <li>
          <span class="timeline-swatch is-now" /> now
        </li>
      </ul>
      <ol class="timeline" ref={list}>
        {months.map((month, at) => (
          <li key={month} class={month.endsWith('-01') ? 'is-january' : ''}>
            <button
              type="button"
              tabIndex={month === stop ? 0 : -1}
              aria-label={`${month}: ${describeCounts(series, month)}`}
              aria-current={month === present ? 'date' : undefined}
              title={`${month}: ${describeCounts(series, month)}`}
              onKeyDown={(event) => keyDown(event, at)}
              onFocus={() => setChosen(month)}
              onClick={() => void move(setTo(month))}
            >
              <Bars series={series} month={month} now={month === present ? now : undefined} />
            </button>
            <span class="timeline-year">{at === 0 || month.endsWith('-01') ? month.slice(0, 4) : ''}</span>
          </li>
        ))}
      </ol>
      {months.length > 0 && !months.includes(present) && (
        <p class="hint">
          The current month, {present}, is {present < (months[0] ?? '') ? 'before' : 'after'} this range.
        </p>
      )}
    </Card>
  )
}

function describeCounts(series: readonly Series[], month: Month): string {
  return series.map(({ label, counts }) => `${counts.get(month) ?? 0} ${label}`).join(', ')
}

interface BarsProps {
  readonly series: readonly Series[]
  readonly month: Month
  /** The session's time, if it is in this month. */
  readonly now: string | undefined
}

function Bars({ series, month, now }: BarsProps) {
  const height = series.length * ROW
  return (
    <svg viewBox={`0 0 10 ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {series.map(({ label, counts }, row) => {
        const most = Math.max(1, ...counts.values())
        const bar = ((counts.get(month) ?? 0) / most) * BAR
        return (
          <g key={label}>
            <rect class={`timeline-bar is-${row}`} x="1" width="8" y={(row + 1) * ROW - bar} height={bar} />
            <path class="timeline-base" d={`M0 ${(row + 1) * ROW}h10`} />
          </g>
        )
      })}
      {now !== undefined && <path class="timeline-now" d={`M${getShare(now) * 10} 0v${height}`} />}
    </svg>
  )
}

/** The most months that a timeline shows. */
const MAX_MONTHS = 60

/** Returns the month of an instant. */
const getMonth = (instant: string): Month => instant.slice(0, 7)

/** Returns the first instant of a month, in UTC. */
const getMonthStart = (month: Month): string => `${month}-01T00:00:00.000Z`

/** Returns the position of an instant in its month, from 0 to 1. */
function getShare(instant: string): number {
  const [from, to] = [getMonthStart(getMonth(instant)), getMonthStart(getNextMonth(getMonth(instant)))].map(
    Date.parse,
  )
  return (Date.parse(instant) - (from ?? 0)) / ((to ?? 1) - (from ?? 0))
}

/** The number of months to show after the last record, because the clock is mostly moved ahead. */
const AHEAD = 12

/** Lists every month from the first to some time after the last, or the latest ones if there are too many. */
function listMonths(months: readonly Month[]): Month[] {
  const sorted = months.toSorted()
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const span: Month[] = []
  let month = first
  for (; month <= last && span.length < 1_200; month = getNextMonth(month)) span.push(month)
  for (let ahead = 0; ahead < AHEAD; ahead += 1, month = getNextMonth(month)) span.push(month)
  return span.slice(-MAX_MONTHS)
}

function getNextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}
