import type { RequestSummary } from '../../../journal/view.ts'
import { formatDuration, formatInstant, formatNumber } from '../../components/format.tsx'
import { type StatusClass, classifyStatus, statusClasses } from '../../components/status.tsx'
import { place, setQuery } from '../../place.ts'
import { roundUp } from './timeline.ts'

/** The largest number of columns. */
const COLUMNS = 60

/** The requests that started within an interval. */
interface Column {
  readonly fromMs: number
  readonly startedAt: string
  readonly counts: Partial<Record<StatusClass, number>>
  readonly count: number
}

/** Renders requests over real time by status; a column limits the list to its interval. */
export function Strip({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const first = requests[0]?.startedMs ?? 0
  const last = requests.at(-1)?.startedMs ?? 0
  const widthMs = roundUp((last - first) / (COLUMNS - 1))
  const columns = countByColumn(requests, widthMs)
  const most = Math.max(...columns.map(({ count }) => count))
  const start = Math.floor(first / widthMs)
  const total = Math.floor(last / widthMs) - start + 1
  const chosen = place.value.query.get('from')
  const tabStop = columns.find(({ fromMs }) => `${fromMs}` === chosen) ?? columns[0]
  return (
    <div
      class="traffic-strip"
      role="toolbar"
      tabIndex={-1}
      aria-label={`Requests over ${formatDuration(last - first)}, in steps of ${formatDuration(widthMs)}`}
      onKeyDown={move}
      style={{ '--columns': Math.max(total, COLUMNS / 2) }}
    >
      {columns.map(({ fromMs, startedAt, counts }) => (
        <button
          key={fromMs}
          type="button"
          tabIndex={fromMs === tabStop?.fromMs ? 0 : -1}
          aria-pressed={`${fromMs}` === chosen}
          style={{ '--column': Math.floor(fromMs / widthMs) - start + 1 }}
          title={describe(startedAt, counts)}
          aria-label={describe(startedAt, counts)}
          onClick={() => setQuery(`${fromMs}` === chosen ? anyTime : limit(fromMs, widthMs))}
        >
          {statusClasses.map((name) => (
            <span
              key={name}
              class={`is-${name}`}
              style={{ '--share': `${((counts[name] ?? 0) / most) * 100}%` }}
            />
          ))}
        </button>
      ))}
    </div>
  )
}

const anyTime = { from: '', to: '' }

const limit = (fromMs: number, widthMs: number): { readonly from: string; readonly to: string } => ({
  from: `${fromMs}`,
  to: `${fromMs + widthMs}`,
})

/** Describes a column, as in `12:00:01: 3 × 2xx, 1 × 5xx`. */
function describe(startedAt: string, counts: Column['counts']): string {
  const parts = statusClasses.flatMap((name) => (counts[name] ? `${counts[name]} × ${name}` : []))
  return `${formatInstant(startedAt, 'time')}: ${parts.join(', ')}`
}

/** Counts requests by interval and status. Order: by time, without empty intervals. */
function countByColumn(requests: readonly RequestSummary[], widthMs: number): readonly Column[] {
  const columns = new Map<number, { counts: Column['counts']; count: number; startedAt: string }>()
  for (const { startedMs, startedAt, status } of requests) {
    const at = Math.floor(startedMs / widthMs) * widthMs
    const column = columns.get(at) ?? { counts: {}, count: 0, startedAt }
    const name = classifyStatus(status)
    column.counts[name] = (column.counts[name] ?? 0) + 1
    column.count += 1
    columns.set(at, column)
  }
  return Array.from(columns, ([fromMs, column]) => ({ fromMs, ...column }))
}

/** Moves the focus between the columns. */
function move(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const { target, currentTarget } = event
  if (step === undefined || !(target instanceof Element) || !(currentTarget instanceof Element)) return
  event.preventDefault()
  const buttons = [...currentTarget.querySelectorAll('button')]
  buttons[buttons.findIndex((one) => one === target) + step]?.focus()
}

/** Renders the number of requests of each status class, as buttons that filter. */
export function Legend({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const counts = new Map<StatusClass, number>()
  for (const { status } of requests) {
    const name = classifyStatus(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const chosen = place.value.query.get('status')
  const names = statusClasses.filter((name) => counts.has(name) || name === chosen)
  return (
    <fieldset class="row choices traffic-legend" aria-label="Status">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          class="small"
          aria-pressed={name === chosen}
          onClick={() => setQuery({ status: name === chosen ? '' : name })}
        >
          <span class={`traffic-swatch is-${name}`} /> {name === 'broken' ? 'cut off' : name}{' '}
          <b>{formatNumber(counts.get(name) ?? 0)}</b>
        </button>
      ))}
    </fieldset>
  )
}
