import type { RequestSummary } from '../../../journal/view.ts'
import { formatDuration } from '../../components/format.tsx'
import { statusClasses } from '../../components/status.tsx'
import { place, setQuery } from '../../place.ts'
import { Columns } from './columns.tsx'
import { Legend, classNames } from './legend.tsx'
import { type ByClass, type Timeline, buildTimeline, windows } from './timeline.ts'

/** Renders the requests of the last minutes by outcome. */
export function TimeChart({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const chosen = windows.find((length) => `${length / 1_000}` === place.value.query.get('seconds'))
  const timeline = buildTimeline(requests, chosen)
  const { buckets, bucketMs, lengthMs, byClass, count } = timeline
  return (
    <section class="card" aria-labelledby="charts-time">
      <div class="row charts-head">
        <h2 id="charts-time">Requests over time</h2>
        <label class="field">
          Span{' '}
          <select
            value={chosen === undefined ? '' : `${chosen / 1_000}`}
            onChange={({ currentTarget }) => setQuery({ seconds: currentTarget.value })}
          >
            <option value="">automatic</option>
            {windows.map((length) => (
              <option key={length} value={`${length / 1_000}`}>
                {formatDuration(length)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p>{describeSpan(timeline, requests.length)}</p>
      <Legend byClass={byClass} />
      <Columns
        title="Requests over time"
        summary={`${describeSpan(timeline, requests.length)} ${describeClasses(byClass)}.`}
        columns={buckets.map(({ beforeMs, byClass: some, count: sum }) => ({
          key: `${beforeMs}`,
          title: sum === 0 ? '' : `${formatAgo(beforeMs)}: ${describeClasses(some)}`,
          parts: statusClasses.map((look) => ({ look, count: some[look] ?? 0 })),
        }))}
        ticks={[formatAgo(lengthMs), formatAgo(lengthMs / 2), 'latest request']}
        table={<TimeTable timeline={timeline} />}
      />
      <p class="hint">
        {count > 0 &&
          `Each column covers ${formatDuration(bucketMs)} of real time, independent of the session’s clock.`}
      </p>
    </section>
  )
}

const formatAgo = (ms: number): string => `−${formatDuration(ms)}`

function describeSpan({ count, lengthMs }: Timeline, known: number): string {
  const before = known - count
  const those = `${count} request${count === 1 ? '' : 's'} in the ${formatDuration(lengthMs)} up to the latest one`
  return before > 0 ? `${those}; ${before} are older.` : `${those}.`
}

/** Describes the outcomes of requests, as in `12 succeeded, 3 failed`. */
function describeClasses(byClass: ByClass): string {
  return statusClasses
    .flatMap((name) => (byClass[name] ? `${byClass[name]} ${classNames[name]}` : []))
    .join(', ')
}

function TimeTable({ timeline: { buckets, byClass } }: { readonly timeline: Timeline }) {
  const shown = statusClasses.filter((name) => byClass[name])
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Before the latest</th>
          {shown.map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets
          .filter(({ count }) => count > 0)
          .map(({ beforeMs, byClass: some }) => (
            <tr key={beforeMs}>
              <th scope="row">{formatDuration(beforeMs)}</th>
              {shown.map((name) => (
                <td key={name} class="number">
                  {some[name] ?? 0}
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  )
}
