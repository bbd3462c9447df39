import type { RequestSummary } from '../../../journal/view.ts'
import { Card } from '../../components/card.tsx'
import { formatDuration } from '../../components/format.tsx'
import { Columns } from './columns.tsx'
import { type Bin, type Latency, summarizeLatency } from './latency.ts'

/** Renders a histogram of response times. */
export function LatencyChart({ requests }: { readonly requests: readonly RequestSummary[] }) {
  const latency = summarizeLatency(requests.flatMap(({ durationMs }) => durationMs ?? []))
  const { bins, quantiles, count } = latency
  const values = quantiles.map(({ name, ms }) => `${name} ${formatDuration(ms)}`).join(', ')
  return (
    <Card title="Response times">
      <dl class="charts-quantiles">
        {quantiles.map(({ name, ms }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatDuration(ms)}</dd>
          </div>
        ))}
      </dl>
      <Columns
        title="Response times"
        summary={`${count} responses: ${values}.`}
        columns={bins.map((bin) => ({
          key: `${bin.from}`,
          title: `${formatRange(bin)}: ${bin.count}`,
          parts: [{ look: 'plain', count: bin.count }],
        }))}
        ticks={bins.map(({ to }) => (to === Infinity ? '∞' : formatDuration(to).replace(' ms', '')))}
        hasEdges
        table={<LatencyTable latency={latency} />}
      />
      <p class="hint">
        Each column ends at the milliseconds below its right edge. Delays added by faults are included;
        network time is not.
      </p>
    </Card>
  )
}

function formatRange({ from, to }: Bin): string {
  return to === Infinity
    ? `${formatDuration(from)} and more`
    : `${formatDuration(from)} to ${formatDuration(to)}`
}

function LatencyTable({ latency: { bins } }: { readonly latency: Latency }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Duration</th>
          <th scope="col" class="number">
            Responses
          </th>
        </tr>
      </thead>
      <tbody>
        {bins.map((bin) => (
          <tr key={bin.from}>
            <th scope="row">{formatRange(bin)}</th>
            <td class="number">{bin.count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
