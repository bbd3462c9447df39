import type { RequestSummary } from '../../../journal/view.ts'
import { formatDuration, formatInstant, formatNumber } from '../../components/format.tsx'
import { type StatusClass, classifyStatus, statusClasses } from '../../components/status.tsx'
import { requests } from '../../live.ts'
import { setQuery } from '../../place.ts'
import { filter } from './filter.ts'
import { roundUp } from './timeline.ts'

/** The largest number of columns. */
const COLUMNS = 60

/** Counts requests by status. Order: of the classes. */
function countStatuses(list: readonly RequestSummary[]): readonly (readonly [StatusClass, number])[] {
  const counts = new Map<StatusClass, number>()
  for (const { status } of list) {
    const name = classifyStatus(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return statusClasses.flatMap((name) => {
    const count = counts.get(name)
    return count === undefined ? [] : [[name, count] as const]
  })
}

/** Renders requests over real time by status; a column limits the list to its interval. */
export function Strip() {
  const all = requests.value
  const [first = 0, last = 0] = [all[0]?.startedMs, all.at(-1)?.startedMs]
  const widthMs = roundUp((last - first) / (COLUMNS - 1))
  const start = Math.floor(first / widthMs)
  const columns = new Map<number, RequestSummary[]>()
  for (const request of all) {
    const at = Math.floor(request.startedMs / widthMs)
    const column = columns.get(at)
    if (column) column.push(request)
    else columns.set(at, [request])
  }
  const most = Math.max(...Array.from(columns.values(), ({ length }) => length))
  const chosen = Number(filter.value.from) / widthMs
  return (
    <div
      class="traffic-strip"
      role="toolbar"
      tabIndex={-1}
      aria-label={`Requests over ${formatDuration(last - first)}, in steps of ${formatDuration(widthMs)}`}
      onKeyDown={move}
      style={{ '--columns': Math.max(Math.floor(last / widthMs) - start + 1, COLUMNS / 2) }}
    >
      {Array.from(columns, ([at, list], index) => {
        const counts = countStatuses(list)
        const parts = counts.map(([name, count]) => `${count} × ${name}`)
        const text = `${formatInstant(list[0]?.startedAt ?? '', 'time')}: ${parts.join(', ')}`
        const isChosen = at === chosen
        const [from, to] = isChosen ? ['', ''] : [`${at * widthMs}`, `${(at + 1) * widthMs}`]
        return (
          <button
            key={at}
            type="button"
            tabIndex={(columns.has(chosen) ? isChosen : index === 0) ? 0 : -1}
            aria-pressed={isChosen}
            aria-label={text}
            title={text}
            style={{ '--column': at - start + 1 }}
            onClick={() => setQuery({ from, to })}
          >
            {counts.map(([name, count]) => (
              <span key={name} class={`is-${name}`} style={{ '--share': `${(count / most) * 100}%` }} />
            ))}
          </button>
        )
      })}
    </div>
  )
}

/** Moves the focus between the columns. */
function move({ key, target }: KeyboardEvent): void {
  if (!(target instanceof Element)) return
  const next = { ArrowRight: target.nextElementSibling, ArrowLeft: target.previousElementSibling }[key]
  if (next instanceof HTMLElement) next.focus()
}

/** Renders the number of requests of each status class, as buttons that filter. */
export function Legend() {
  const chosen = filter.value.status
  return (
    <fieldset class="row choices traffic-legend" aria-label="Status">
      {countStatuses(requests.value).map(([name, count]) => (
        <button
          key={name}
          type="button"
          class="small"
          aria-pressed={name === chosen}
          onClick={() => setQuery({ status: name === chosen ? '' : name })}
        >
          <span class={`traffic-swatch is-${name}`} /> {name === 'broken' ? 'cut off' : name}{' '}
          <b>{formatNumber(count)}</b>
        </button>
      ))}
    </fieldset>
  )
}
