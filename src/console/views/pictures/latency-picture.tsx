import type { RequestSummary } from '../../../control/journal/view.ts'
import { Card } from '../../parts/card.tsx'
import { durationText } from '../../parts/time.ts'
import { Columns } from './columns.tsx'
import { type Bin, type Latency, latencyOf } from './latency.ts'

/** How long answers took. */
export function LatencyPicture({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const latency = latencyOf(requests.flatMap(({ durationMs }) => durationMs ?? []))
  const { bins, quantiles, count } = latency
  const values = quantiles.map(({ name, ms }) => `${name} ${durationText(ms)}`).join(', ')
  return (
    <Card title="How long answers took">
      <dl class="pictures-quantiles">
        {quantiles.map(({ name, ms }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{durationText(ms)}</dd>
          </div>
        ))}
      </dl>
      <Columns
        title="How long answers took"
        summary={`${count} answers: ${values}.`}
        columns={bins.map((bin) => ({
          key: `${bin.from}`,
          title: `${rangeText(bin)}: ${bin.count}`,
          parts: [{ look: 'plain', count: bin.count }],
        }))}
        ticks={bins.map(({ to }) => (to === Infinity ? '∞' : durationText(to).replace(' ms', '')))}
        hasEdges
        table={<LatencyTable latency={latency} />}
      />
      <p class="hint">
        Each column ends at the milliseconds below its right edge. Delays that faults add are included, the
        way through the network is not.
      </p>
    </Card>
  )
}

function rangeText({ from, to }: Bin): string {
  return to === Infinity ? `${durationText(from)} and more` : `${durationText(from)} to ${durationText(to)}`
}

function LatencyTable({ latency: { bins } }: { readonly latency: Latency }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Duration</th>
          <th scope="col" class="number">
            Answers
          </th>
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={bin.from}>
            <th scope="row">{rangeText(bin)}</th>
            <td class="number">{bin.count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
