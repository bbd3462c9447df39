import type { RequestSummary } from '../../../control/journal/view.ts'
import { showWith } from '../../parts/query.ts'
import { statusClasses } from '../../parts/status.ts'
import { durationText } from '../../parts/time.ts'
import { place } from '../../place.ts'
import { Columns } from './columns.tsx'
import { classNames, Legend } from './legend.tsx'
import { type ByClass, type Timeline, timelineOf, windows } from './timeline.ts'

/** Requests over the last minutes, by how they ended. */
export function TimePicture({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const chosen = windows.find((length) => `${length / 1_000}` === place.value.query.get('seconds'))
  const timeline = timelineOf(requests, chosen)
  const { buckets, bucketMs, lengthMs, byClass, count } = timeline
  return (
    <section class="card" aria-labelledby="pictures-time">
      <div class="row pictures-head">
        <h2 id="pictures-time">Requests over time</h2>
        <label class="field">
          Span{' '}
          <select
            value={chosen === undefined ? '' : `${chosen / 1_000}`}
            onChange={({ currentTarget }) => showWith({ seconds: currentTarget.value })}
          >
            <option value="">as it fits</option>
            {windows.map((length) => (
              <option key={length} value={`${length / 1_000}`}>
                {durationText(length)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p>{sentence(timeline, requests.length)}</p>
      <Legend byClass={byClass} />
      <Columns
        title="Requests over time"
        summary={`${sentence(timeline, requests.length)} ${classesText(byClass)}.`}
        columns={buckets.map(({ beforeMs, byClass: some, count: sum }) => ({
          key: `${beforeMs}`,
          title: sum === 0 ? '' : `${ago(beforeMs)}: ${classesText(some)}`,
          parts: statusClasses.map((look) => ({ look, count: some[look] ?? 0 })),
        }))}
        ticks={[ago(lengthMs), ago(lengthMs / 2), 'latest request']}
        table={<TimeTable timeline={timeline} />}
      />
      <p class="hint">
        {count > 0 &&
          `A column is ${durationText(bucketMs)} of real time, whatever the session’s clock says.`}
      </p>
    </section>
  )
}

const ago = (ms: number): string => `−${durationText(ms)}`

function sentence({ count, lengthMs }: Timeline, known: number): string {
  const before = known - count
  const those = `${count} request${count === 1 ? '' : 's'} in the ${durationText(lengthMs)} up to the latest one`
  return before > 0 ? `${those}; ${before} came before.` : `${those}.`
}

/** How many requests ended in which way, as in `12 succeeded, 3 failed`. */
function classesText(byClass: ByClass): string {
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
              <th scope="row">{durationText(beforeMs)}</th>
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
