import type { RequestSummary } from '../../../journal/view.ts'
import { Search } from '../../components/form.tsx'
import { formatDuration, formatNumber } from '../../components/format.tsx'
import { type StatusClass, classifyStatus, getColour, statusClasses } from '../../components/status.tsx'
import { Button } from '../../components/ui.tsx'
import { requests } from '../../live.ts'
import { param, setQuery } from '../../place.ts'
import { isFiltered, isGrouped } from './listing.ts'
import { roundUp } from './timeline.ts'

/** Renders the filters of the list, with the number of requests of each status class; the URL keeps them. */
export function Filters() {
  const counts = Map.groupBy(requests.value, ({ status }) => classifyStatus(status))
  const status = param('status')
  return (
    <search class="row traffic-filters">
      <Search label="Search" placeholder="Search path, query, operation, caller, fault or body" />
      <fieldset class="row" aria-label="Status">
        {statusClasses.map((name) => {
          const count = counts.get(name)?.length ?? 0
          if (count === 0 && name !== status) return null
          return (
            <Button
              key={name}
              class="small"
              pressed={name === status}
              run={() => setQuery({ status: name === status ? '' : name })}
            >
              <span style={{ color: getColour(name) }}>■</span> {name === 'broken' ? 'cut off' : name}{' '}
              <b>{formatNumber(count)}</b>
            </Button>
          )
        })}
      </fieldset>
      <Button
        class="small"
        pressed={isGrouped.value}
        run={() => setQuery({ group: isGrouped.value ? '' : 'operation' })}
      >
        Group by operation
      </Button>
      {isFiltered.value && (
        <Button class="small" run={() => setQuery({ text: '', status: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

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
