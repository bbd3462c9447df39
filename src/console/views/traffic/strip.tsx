import type { RequestSummary } from '../../../journal/view.ts'
import { formatDuration, formatNumber } from '../../components/format.tsx'
import { type StatusClass, classifyStatus, getColour, statusClasses } from '../../components/status.tsx'
import { requests } from '../../live.ts'
import { setQuery } from '../../place.ts'
import { filter } from './filter.ts'
import { roundUp } from './timeline.ts'

/** The largest number of columns. */
const COLUMNS = 60

/** Renders requests over real time, as stacked columns by status: one path for each, so that drawing is fast. */
export function Strip() {
  const all = requests.value
  const [first = 0, last = 0] = [all[0]?.startedMs, all.at(-1)?.startedMs]
  const widthMs = roundUp((last - first) / (COLUMNS - 1))
  const columns: RequestSummary[][] = Array.from({ length: COLUMNS }, () => [])
  const start = Math.floor(first / widthMs)
  for (const request of all) columns[Math.floor(request.startedMs / widthMs) - start]?.push(request)
  const heights = columns.map(() => 0)
  const draw = (name: StatusClass): string =>
    columns
      .map((list, at) => {
        const from = heights[at] ?? 0
        const height = list.filter(({ status }) => classifyStatus(status) === name).length
        heights[at] = from + height
        return height === 0 ? '' : `M${at} ${-from}h.9v${-height}h-.9z`
      })
      .join('')
  const most = Math.max(...columns.map(({ length }) => length))
  const width = Math.max(COLUMNS / 3, columns.findLastIndex(({ length }) => length > 0) + 1)
  const text = `Requests over ${formatDuration(last - first)}, in steps of ${formatDuration(widthMs)}`
  return (
    <figure class="traffic-strip" aria-label={text}>
      <svg aria-hidden="true" viewBox={`0 ${-most} ${width} ${most}`} preserveAspectRatio="none">
        {statusClasses.map((name) => (
          <path key={name} d={draw(name)} fill={getColour(name)} />
        ))}
      </svg>
    </figure>
  )
}

/** Renders the number of requests of each status class, as buttons that filter. */
export function Legend() {
  const chosen = filter.value.status
  const found = new Map<StatusClass, number>()
  for (const { status } of requests.value) {
    const name = classifyStatus(status)
    found.set(name, (found.get(name) ?? 0) + 1)
  }
  return (
    <fieldset class="row choices traffic-legend" aria-label="Status">
      {statusClasses
        .filter((name) => found.has(name) || name === chosen)
        .map((name) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={name === chosen}
            onClick={() => setQuery({ status: name === chosen ? '' : name })}
          >
            <span style={{ color: getColour(name) }}>■</span> {name === 'broken' ? 'cut off' : name}{' '}
            <b>{formatNumber(found.get(name) ?? 0)}</b>
          </button>
        ))}
    </fieldset>
  )
}
